#include "tests/integration/fleet/fleet_fixture.h"

#include <sys/mount.h>

#include <chrono>
#include <csignal>
#include <fstream>
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

// A disk of its own below the spool, of which somebody else's file has what is left.
class OnAFullDisk : public InFleet {
protected:
    void SetUp() override {
        std::filesystem::create_directory(agent_.file("spool"));
        is_mounted_ = ::mount("none", agent_.file("spool").c_str(), "tmpfs", 0, "size=2m,mode=0700") == 0;
        if (!is_mounted_) GTEST_SKIP() << "only root may mount a file system";
    }
    void TearDown() override {
        if (is_mounted_) ::umount2(agent_.file("spool").c_str(), MNT_DETACH);
    }
    void fill() {
        const auto is_full = [&] {
            run_burst("2", "100000");
            return agent_said("No space left on device");
        };
        EXPECT_TRUE(support::eventually(is_full, kTimeout)) << agent_.process().errors();
        std::ofstream rest(agent_.file("spool/of-others"), std::ios::binary);
        for (int kib = 0; rest && kib < 4096; ++kib) rest << std::string(1024, 'x') << std::flush;
    }
    // Nothing waits any more, neither in the spool nor in front of it.
    bool is_empty() {
        const auto run = entry();
        return run && run->published > 0 && run->left == 0 && run->problem.empty();
    }
    bool is_mounted_ = false;
};

TEST_F(OnAFullDisk, WhatIsPublishedMakesSpaceAndNothingIsLost) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    cluster_->kill(0);
    ASSERT_NO_FATAL_FAILURE(start_agent());
    ASSERT_NO_FATAL_FAILURE(fill());
    ASSERT_TRUE(cluster_->start()) << cluster_->problem();
    ASSERT_TRUE(support::eventually([&] { return agent_said("can be written again") && is_empty(); }, kTimeout))
        << agent_.process().errors();
    ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
    EXPECT_EQ(number_before("dropped"), 0u);
    EXPECT_EQ(number_before("events published"), number_before("events recorded")) << "in a file on another disk";
    EXPECT_EQ(fullest(contents()).event_sum, number_before("events recorded"));
    const Said check = run({SLA_BINARIES "/sla", "check", "fleet:" + cluster_->address() + "/t", "--limit", "lost >= 0"});
    EXPECT_EQ(check.code, 0) << "no piece is missing in the stream: " << check.errors << check.output;
    EXPECT_EQ(check.errors.find("damage"), std::string::npos) << check.errors;
}

TEST_F(OnAFullDisk, AnAgentStartsAndEmptiesIt) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    cluster_->kill(0);
    ASSERT_NO_FATAL_FAILURE(start_agent());
    ASSERT_NO_FATAL_FAILURE(fill());
    ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
    const std::uint64_t left = number_before("left in the spool");
    ASSERT_NO_FATAL_FAILURE(start_agent()) << agent_.process().errors();
    const std::uint64_t offered = run_burst("1", "1000");
    ASSERT_TRUE(cluster_->start()) << cluster_->problem();
    ASSERT_TRUE(support::eventually([&] { return agent_said("of an earlier agent is published"); }, kTimeout))
        << agent_.process().errors();
    ASSERT_TRUE(all_published(offered)) << agent_.process().errors();
    ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
    const support::FleetContents read = contents();
    EXPECT_EQ(fullest(read).event_sum, left);
    ASSERT_EQ(read.captures.size(), 2u);
    std::uint64_t sum = 0;
    for (const auto& capture : read.captures) sum += capture.second.event_sum;
    EXPECT_EQ(sum, left + offered);
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
