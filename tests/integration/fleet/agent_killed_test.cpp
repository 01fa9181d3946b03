#include "tests/integration/fleet/fleet_fixture.h"

#include <chrono>
#include <csignal>
#include <thread>

namespace sla {
namespace {

TEST_F(InFleet, WhatAKilledAgentLeftInTheSpoolIsPublishedByTheNextUnderItsCapture) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_agent());
    const std::uint64_t offered = run_burst("2", "20000");
    ASSERT_TRUE(all_published(offered)) << agent_.process().errors();
    cluster_->kill(0);  // from here on it stays in the spool
    const std::uint64_t more = run_burst("2", "20000");
    const auto is_spooled = [&] {
        std::uint64_t bytes = 0;
        std::error_code ignored;
        for (const auto& file : std::filesystem::recursive_directory_iterator(agent_.file("spool"), ignored))
            bytes += file.path().extension() == ".sla" ? file.file_size(ignored) : 0;
        return bytes > more / 4;  // packed, of every event something; its end would be written after 10 s
    };
    EXPECT_TRUE(support::eventually(is_spooled, kTimeout));
    agent_.kill_hard();
    ASSERT_TRUE(cluster_->start()) << cluster_->problem();
    ASSERT_NO_FATAL_FAILURE(start_agent());
    ASSERT_TRUE(support::eventually([&] { return agent_said("of an earlier agent is published"); }, kTimeout))
        << agent_.process().errors();
    ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
    const support::FleetContents read = contents();
    ASSERT_EQ(read.captures.size(), 2u);
    const support::CaptureInFleet& killed = fullest(read);
    EXPECT_GE(killed.event_sum, offered);
    EXPECT_LE(killed.event_sum, offered + more);
    EXPECT_EQ(killed.pieces_cut, 0u);
    EXPECT_FALSE(killed.has_end) << "it was killed";
    const auto connection = connect();
    const auto runs = fleet::runs_in(*connection, fleet::captures_bucket("t"));
    ASSERT_TRUE(runs);
    ASSERT_EQ(runs->size(), 2u);
    EXPECT_EQ(std::max(runs->front().published, runs->back().published), killed.event_sum);
    EXPECT_EQ(runs->front().left + runs->back().left, 0u);
    EXPECT_GT(std::min(runs->front().ended_ns, runs->back().ended_ns), runs->front().started_ns) << "both are over";
    EXPECT_LT(std::min(runs->front().ended_ns, runs->back().ended_ns), runs->back().started_ns) << "when it was killed";
}

TEST_F(InFleet, AnAgentThatIsKilledAgainAndAgainLosesNothingThatWasInItsSpool) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    std::uint64_t recorded = 0;
    for (int i = 0; i < 4; ++i) {
        ASSERT_NO_FATAL_FAILURE(start_agent({"--memory", "64MiB"}));
        recorded += run_burst("1", "5000");
        const auto is_recorded = [&] {
            const auto run = entry();
            return run && run->produced >= 5000 && run->seen_ns > 0;
        };
        ASSERT_TRUE(support::eventually(is_recorded, kTimeout)) << agent_.process().errors();
        agent_.kill_hard();
    }
    ASSERT_NO_FATAL_FAILURE(start_agent());
    ASSERT_TRUE(spool_becomes_empty()) << agent_.process().errors();
    ASSERT_EQ(agent_.stop(), 0);
    const support::FleetContents read = contents();
    std::uint64_t events = 0;
    for (const auto& [id, capture] : read.captures) events += capture.event_sum;
    EXPECT_EQ(events, recorded);
    EXPECT_EQ(read.captures.size(), 5u);
}

// It has taken the connection and reads nothing more, so that what is sent fills the sockets' buffers.
TEST_F(InFleet, AServerThatReadsNothingMoreHoldsNoAgent) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_agent());
    std::uint64_t offered = run_burst("1", "1000");
    ASSERT_TRUE(all_published(offered)) << agent_.process().errors();
    cluster_->signal(0, SIGSTOP);
    const auto is_said = [&] {
        run_burst("4", "200000");
        return agent_said("cannot publish") || agent_said("is not accepted") || agent_said("was not accepted");
    };
    EXPECT_TRUE(support::eventually(is_said, kTimeout)) << agent_.process().errors();
    for (int i = 0; i < 8; ++i) run_burst("4", "200000");
    const auto begun = std::chrono::steady_clock::now();
    EXPECT_EQ(agent_.stop(), 0) << agent_.process().errors();
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(20));
    EXPECT_EQ(number_before("dropped"), 0u);
    EXPECT_EQ(number_before("events published") + number_before("left in the spool"), number_before("events recorded"));
    cluster_->signal(0, SIGCONT);
}

// What the first agent said is still in that server when the second one says the last word on its capture.
TEST_F(InFleet, AServerThatWakesUpReplacesNoNewerWordOfTheRegistry) {
    ASSERT_NO_FATAL_FAILURE(start_servers(3));
    const std::string captures = fleet::captures_bucket("t");
    std::size_t leader = cluster_->size();
    const auto has_leader = [&] { return (leader = cluster_->leader_of("KV_" + captures)) < cluster_->size(); };
    ASSERT_TRUE(support::eventually(has_leader, kTimeout));
    const std::size_t asleep = (leader + 1) % cluster_->size();
    address_ = cluster_->address_of(asleep);
    ASSERT_NO_FATAL_FAILURE(start_agent());
    std::uint64_t offered = run_burst("1", "1000");
    ASSERT_TRUE(all_published(offered)) << agent_.process().errors();
    cluster_->signal(asleep, SIGSTOP);
    offered += run_burst("1", "1000");
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));  // it says twice that these are not published
    agent_.kill_hard();
    address_ = cluster_->address_of(leader);
    ASSERT_NO_FATAL_FAILURE(start_agent());
    ASSERT_TRUE(spool_becomes_empty()) << agent_.process().errors();
    cluster_->signal(asleep, SIGCONT);
    ASSERT_TRUE(cluster_->wait_until_ready("KV_" + captures)) << cluster_->problem();
    std::this_thread::sleep_for(std::chrono::seconds(2));  // until it has passed that on
    const auto connection = connect(kBriefly);
    ASSERT_TRUE(connection);
    Result<std::vector<fleet::RunEntry>> runs = unavailable("not asked");
    const auto are_known = [&] { return (runs = fleet::runs_in(*connection, captures)) && runs->size() == 2; };
    ASSERT_TRUE(support::eventually(are_known, kTimeout)) << (runs ? "" : runs.error().message);
    const auto& killed = runs->front().started_ns < runs->back().started_ns ? runs->front() : runs->back();
    EXPECT_EQ(killed.published, offered);
    EXPECT_EQ(killed.left, 0u);
    EXPECT_EQ(agent_.stop(), 0);
}

}  // namespace
}  // namespace sla
