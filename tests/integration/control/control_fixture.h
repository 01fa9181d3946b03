// An agent, marked programs and the `sla` command around them.
#pragma once

#include "tests/support/agent_under_test.h"
#include "viewer/ingest/open.h"

#include <gtest/gtest.h>

#include <csignal>
#include <sstream>

namespace sla {

class ControlFixture : public testing::Test {
protected:
    using Process = support::Process;

    std::unique_ptr<Process> program(const std::vector<std::string>& words = {}) {
        std::vector<std::string> argv{SLA_CONTROL_PROGRAM};
        argv.insert(argv.end(), words.begin(), words.end());
        auto started = std::make_unique<Process>(argv, agent_.environment());
        EXPECT_TRUE(started->wait_for_output("running"));
        return started;
    }
    // Runs `sla`; its exit code. What it said on stderr is in said_.
    int sla(std::vector<std::string> words) {
        words.insert(words.begin(), std::string(SLA_BINARIES) + "/sla");
        Process process(words, agent_.environment());
        int code = process.wait().code;
        said_ = process.errors();
        output_ = process.output();
        return code;
    }
    // Ends the program by SIGTERM; how many rounds it marked.
    static std::uint64_t end(Process& program) {
        program.signal(SIGTERM);
        program.wait();
        std::istringstream lines(program.output());
        std::string word;
        std::uint64_t number = 0;
        while (lines >> word >> number) {
            if (word == "rounds") return number;
        }
        ADD_FAILURE() << "the program did not end well";
        return 0;
    }
    static void pause(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }
    static std::unique_ptr<store::Session> load(const std::string& file) {
        auto session = std::make_unique<store::Session>();
        Result<void> loaded = ingest::load(file, *session);
        EXPECT_TRUE(loaded.ok()) << file << ": " << (loaded.ok() ? "" : loaded.error().message);
        return session;
    }
    static store::Ledger ledger(const store::Session& session, const std::string& channel) {
        const store::Lane* lane = session.lane_named(channel);
        const store::Ledger* known = lane ? session.ledger(lane->channel().id) : nullptr;
        EXPECT_NE(known, nullptr) << channel;
        return known ? *known : store::Ledger();
    }

    support::AgentUnderTest agent_{SLA_BINARIES};
    std::string said_;
    std::string output_;
};

}  // namespace sla
