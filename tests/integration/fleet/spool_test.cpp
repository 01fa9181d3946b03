#include "tests/integration/fleet/fleet_fixture.h"

#include <chrono>
#include <csignal>
#include <thread>

namespace sla {
namespace {

TEST_F(InFleet, WithoutServersEverythingWaitsInTheSpool) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    cluster_->kill(0);
    ASSERT_NO_FATAL_FAILURE(start_agent());
    const std::uint64_t offered = run_burst("2", "20000");
    ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
    EXPECT_EQ(number_before("left in the spool"), offered);
    ASSERT_TRUE(cluster_->start()) << cluster_->problem();
    ASSERT_NO_FATAL_FAILURE(start_agent());
    ASSERT_TRUE(support::eventually([&] { return agent_said("of an earlier agent is published"); }, kTimeout));
    ASSERT_EQ(agent_.stop(), 0);
    const support::FleetContents read = contents();
    ASSERT_EQ(read.captures.size(), 2u);
    EXPECT_EQ(fullest(read).event_sum, offered);
    EXPECT_TRUE(fullest(read).has_end);
}

// As while a leader is elected: what is said meanwhile is answered too late.
TEST_F(InFleet, AnAgentThatEndsWhileTheServersAreSilentSaysItsLastWordAgain) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_agent());
    const std::uint64_t offered = run_burst("1", "1000");
    ASSERT_TRUE(all_published(offered)) << agent_.process().errors();
    cluster_->signal(0, SIGSTOP);
    agent_.process().signal(SIGTERM);
    std::this_thread::sleep_for(std::chrono::milliseconds(2500));  // longer than it waits for one answer
    cluster_->signal(0, SIGCONT);
    ASSERT_EQ(agent_.process().wait(kTimeout).code, 0) << agent_.process().errors();
    EXPECT_EQ(captures_in_spool(), 0u) << agent_.process().errors();
    const auto run = entry();
    ASSERT_TRUE(run);
    EXPECT_GT(run->ended_ns, 0);
    EXPECT_EQ(run->published, offered);
}

TEST_F(InFleet, WhatAFullSpoolHasNoSpaceForIsCountedExactlyAndStandsInTheStream) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    cluster_->kill(0);
    ASSERT_NO_FATAL_FAILURE(start_agent({"--spool", "1MiB", "--memory", "1MiB", "--channel-memory", "256KiB"}));
    std::uint64_t offered = 0;
    const auto is_full = [&] {
        offered += run_burst("2", "100000");
        return agent_said("is full");
    };
    ASSERT_TRUE(support::eventually(is_full, kTimeout)) << agent_.process().errors();
    for (int i = 0; i < 12; ++i) offered += run_burst("2", "400000");  // for which memory has no space either
    ASSERT_TRUE(cluster_->start()) << cluster_->problem();
    const auto goes_on = [&] {
        const auto run = entry();
        return run && run->dropped > 0 && run->left == 0;
    };
    ASSERT_TRUE(support::eventually(goes_on, kTimeout)) << agent_.process().errors();
    const std::uint64_t again = run_burst("1", "1000");
    offered += again;
    ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
    EXPECT_EQ(number_before("left in the spool"), 0u);
    const support::FleetContents read = contents();
    ASSERT_EQ(read.captures.size(), 1u);
    const support::CaptureInFleet& capture = read.captures.begin()->second;
    EXPECT_GT(number_before("dropped"), 0u);
    EXPECT_EQ(number_before("events published"), capture.event_sum);
    // Dropped are also those that programs had lost in what was dropped.
    const std::uint64_t lost_before = capture.lost - capture.missed;
    EXPECT_EQ(capture.event_sum + lost_before + number_before("dropped"), offered);
}

TEST_F(InFleet, TwoAgentsDoNotShareASpool) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_agent());
    support::AgentUnderTest other(SLA_BINARIES);
    EXPECT_FALSE(other.start(publishing()));
    EXPECT_EQ(other.process().wait().code, 3);
    EXPECT_NE(other.process().errors().find("--spool-dir"), std::string::npos) << other.process().errors();
    ASSERT_EQ(agent_.stop(), 0);
}

TEST_F(InFleet, AnAgentThatCannotStartEndsWithItsReasonThoughItWouldPublish) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    (void)agent_.start(publishing({"--listen", "unix:/nowhere/at/all"}));  // it listens, for a moment, where programs come
    EXPECT_EQ(agent_.process().wait().code, 3);
    EXPECT_NE(agent_.process().errors().find("cannot listen on"), std::string::npos) << agent_.process().errors();
}

TEST_F(InFleet, AWrongAddressOrNameIsRefusedAtOnce) {
    for (const Words& wrong :
         {Words{"--publish", "http://a"}, Words{"--publish", "nats://a", "--fleet", "a.b"},
          Words{"--publish", "nats://a", "--spool", "1KiB"}, Words{"--publish", "nats://a", "--report-every", "10ms"},
          Words{"--publish", "nats://a", "--report-every", "10s"}, Words{"--fleet", "prod"},
          Words{"--publish", "nats://a", "--nats-cert", "c.pem"}}) {
        EXPECT_FALSE(agent_.start(wrong)) << wrong.back();
        EXPECT_EQ(agent_.process().wait().code, 2) << wrong.back();
    }
}

}  // namespace
}  // namespace sla
