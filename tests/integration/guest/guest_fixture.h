// Runs a guest beside an agent of its own, through what agents do.
#pragma once

#include "tests/support/agent_under_test.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

// A sanitizer's run-time has threads, memory and system calls of its own.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define SLA_SKIP_UNDER_SANITIZERS() \
    GTEST_SKIP() << "skipped, because a sanitizer's run-time does not live within such limits"
#else
#define SLA_SKIP_UNDER_SANITIZERS() static_cast<void>(0)
#endif

namespace sla {

class GuestFixture : public testing::Test {
protected:
    std::unique_ptr<support::Process> run(const std::vector<std::string>& words) {
        std::vector<std::string> argv{SLA_GUEST};
        argv.insert(argv.end(), words.begin(), words.end());
        auto environment = agent_.environment();
#if defined(__SANITIZE_ADDRESS__)
        environment["ASAN_OPTIONS"] = "detect_leaks=0";  // which reads /proc, and needs descriptors
#endif
        return std::make_unique<support::Process>(argv, environment);
    }
    // The guest ends well, and the capture holds exactly these events and no loss that is not `lossy`'s to have.
    void expect_events(const std::vector<std::string>& words, const std::map<std::string, std::uint64_t>& expected) {
        ASSERT_TRUE(agent_.start());
        expect_end(*run(words), expected);
    }
    void expect_end(support::Process& program, const std::map<std::string, std::uint64_t>& expected) {
        const support::Exit end = program.wait(std::chrono::seconds(15));
        ASSERT_EQ(agent_.stop(), 0);
        if (end.code == 77) GTEST_SKIP() << "skipped, because this user may not do that";
        EXPECT_EQ(end.code, 0) << "signal " << end.signal << ": " << program.errors();
        std::map<std::string, std::uint64_t> events;
        const auto session = agent_.load();
        for (const store::Lane* lane : session->lanes()) {
            if (lane->events() > 0) events[lane->channel().name] += lane->events();
        }
        EXPECT_EQ(events, expected);
    }
    void say_when_attached(support::Process& program) {
        ASSERT_TRUE(program.wait_for_output("marked")) << program.errors();
        ASSERT_TRUE(support::eventually([&] { return times_attached() == 1; }));
        touch("attached");
    }
    void agents_go_and_come(const std::vector<std::string>& words, const std::string& ready) {
        ASSERT_TRUE(agent_.start());
        agents_go_and_come(*run(words), ready);
    }
    // Kills the agent when the guest has said `ready`, says so to the guest, starts another when it is quiet.
    void agents_go_and_come(support::Process& program, const std::string& ready) {
        ASSERT_TRUE(program.wait_for_output(ready)) << program.errors();
        agent_.kill_hard();
        touch("gone");
        ASSERT_TRUE(program.wait_for_output("quiet")) << program.errors();
        ASSERT_TRUE(agent_.start());
        touch("back");
        const support::Exit end = program.wait(std::chrono::seconds(15));
        EXPECT_EQ(end.code, 0) << "signal " << end.signal << ": " << program.errors();
        ASSERT_EQ(agent_.stop(), 0);
    }
    std::uint64_t last_value(const std::string& channel) {
        const auto session = agent_.load();
        const store::Lane* lane = session->lane_named(channel);
        return lane == nullptr || lane->size() == 0 ? 0 : (*lane)[lane->size() - 1].value;
    }
    // How often the running agent took a program in.
    int times_attached() {
        const std::string log = agent_.process().errors();
        int times = 0;
        for (std::size_t at = 0; (at = log.find(" attached", at)) != std::string::npos; at++) times++;
        return times;
    }
    void touch(const std::string& name) const {
        std::ofstream(agent_.file(name)).flush();
    }
    static std::uint64_t said(support::Process& process, const std::string& what) {
        std::istringstream lines(process.output());
        std::string word;
        std::uint64_t number = 0;
        while (lines >> word >> number) {
            if (word == what) return number;
        }
        ADD_FAILURE() << "the guest did not say " << what << ": " << process.output() << process.errors();
        return 0;
    }
    static int inotify_instances(const std::vector<std::unique_ptr<support::Process>>& programs) {
        int found = 0;
        for (const auto& program : programs) {
            const std::string table = "/proc/" + std::to_string(program->pid()) + "/fd";
            std::error_code gone;
            for (const auto& entry : std::filesystem::directory_iterator(table, gone)) {
                found += std::filesystem::read_symlink(entry.path(), gone).string() == "anon_inode:inotify";
            }
        }
        return found;
    }

    support::AgentUnderTest agent_{SLA_BINARIES};
};

}  // namespace sla
