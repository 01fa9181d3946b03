// Many short programs on an agent with little memory: it forgets them one after the other, and whoever reads meanwhile has
// it right: who joined first everything, who joins later what is held.
#include "tests/support/agent_under_test.h"

#include "proto/wire/address.h"
#include "viewer/ingest/stream_client.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <thread>

namespace sla {
namespace {

using support::AgentUnderTest;
using support::Process;

constexpr int kRounds = 50;
constexpr int kAtATime = 6;
constexpr std::uint64_t kChannels = 4;  // of each program
constexpr std::uint64_t kThreads = 2;   // on every channel
constexpr std::uint64_t kEvents = 5;    // of each thread
constexpr std::uint64_t kOffered = kRounds * kAtATime * kChannels * kThreads * kEvents;

class Churn : public testing::Test {
protected:
    void run_some() {
        std::vector<std::unique_ptr<Process>> programs;
        for (int i = 0; i < kAtATime; i++) {
            programs.push_back(
                std::make_unique<Process>(std::vector<std::string>{SLA_TEST_MARKER, "burst", std::to_string(kChannels),
                                                                   std::to_string(kThreads), std::to_string(kEvents)},
                                          agent_.environment()));
        }
        for (auto& program : programs) ASSERT_EQ(program->wait().code, 0);
    }
    // What somebody receives who asks now: of each channel that is still known everything, and of all not more than is held.
    std::size_t expect_channels_to_be_right() {
        Process list({std::string(SLA_BINARIES) + "/sla", "channels", agent_.address(), "--format", "csv"},
                     agent_.environment());
        EXPECT_EQ(list.wait().code, 0) << list.errors();
        std::istringstream lines(list.output());
        std::string line;
        std::getline(lines, line);
        EXPECT_TRUE(line.starts_with("channel,source,kinds,events,lost")) << line;
        std::size_t rows = 0;
        for (; std::getline(lines, line); rows++) {
            std::vector<std::string> words;
            std::istringstream of_line(line);
            for (std::string word; std::getline(of_line, word, ',');) words.push_back(word);
            EXPECT_TRUE(words.at(0).starts_with("burst.")) << line;
            EXPECT_EQ(std::stoull(words.at(3)) + std::stoull(words.at(4)) + std::stoull(words.back()), kThreads * kEvents)
                << line;
        }
        EXPECT_GT(rows, 0u);
        return rows;
    }
    // As a window does, until the agent ends.
    void follow(store::Session& session) const {
        ingest::StreamOptions options;
        options.address = *wire::parse_address(agent_.address());
        ingest::StreamClient client(options);
        ingest::FrameApplier applier(session);
        client.start();
        while (!client.drained()) {
            client.wait(std::chrono::milliseconds(20));
            client.poll(applier, std::chrono::milliseconds(50));
        }
    }
    static void expect_everything(const store::Session& session) {
        EXPECT_EQ(session.lanes().size(), kRounds * kAtATime * kChannels);
        EXPECT_EQ(session.events() + session.lost(), kOffered);
        EXPECT_EQ(session.damage_count(), 0u);
        EXPECT_TRUE(session.ended());
        for (const store::Lane* lane : session.lanes()) {
            ASSERT_NE(session.source_of(*lane), nullptr);
            ASSERT_TRUE(session.source_of(*lane)->ended);
        }
    }

    AgentUnderTest agent_{SLA_BINARIES};
};

TEST_F(Churn, HundredsOfShortProgramsAreForgottenAndEveryReaderIsRight) {
    ASSERT_TRUE(agent_.start({"--memory", "512KiB"}));
    store::Session live;
    std::thread reader([&] { follow(live); });
    EXPECT_TRUE(support::eventually([&] { return agent_.process().errors().find("joined") != std::string::npos; }));
    std::size_t most = 0;
    for (int round = 0; round < kRounds; round++) {
        run_some();
        if (round % 10 == 9) most = std::max(most, expect_channels_to_be_right());
    }
    EXPECT_LT(most, kRounds * kAtATime * kChannels / 2) << "most of them are forgotten";
    EXPECT_EQ(agent_.stop(), 0) << agent_.process().errors();
    reader.join();
    expect_everything(live);
    expect_everything(*agent_.load());
    EXPECT_NE(agent_.process().errors().find(std::to_string(kOffered) + " events recorded, 0 lost"), std::string::npos);
}

}  // namespace
}  // namespace sla
