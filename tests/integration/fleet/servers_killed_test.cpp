// kill -9 of nodes of a cluster of three while an agent publishes. Elections take seconds.
#include "tests/integration/fleet/fleet_fixture.h"

namespace sla {
namespace {

class ThreeNodes : public InFleet {
protected:
    // Publishes, does that, publishes more; every event is there once in the end.
    template <typename Deed>
    void all_survive(Deed deed) {
        ASSERT_NO_FATAL_FAILURE(start_servers(3));
        ASSERT_NO_FATAL_FAILURE(start_agent());
        std::uint64_t offered = run_burst("2", "20000");
        ASSERT_TRUE(all_published(offered)) << agent_.process().errors();
        const std::string stream = fleet::stream_name("t", fleet::shard_of("h1", 2));
        std::size_t leader = cluster_->size();
        ASSERT_TRUE(
            support::eventually([&] { return (leader = cluster_->leader_of(stream)) < cluster_->size(); }, kTimeout));
        Process steady({SLA_TEST_MARKER, "steady"}, environment());
        ASSERT_TRUE(steady.wait_for_output("running", kTimeout));
        deed(leader);
        offered += run_burst("2", "20000");
        ASSERT_TRUE(cluster_->start()) << cluster_->problem();
        ASSERT_TRUE(cluster_->wait_until_ready(stream)) << cluster_->problem();
        steady.signal(SIGTERM);
        EXPECT_EQ(steady.wait().code, 0);
        offered += steady.number("offered");
        ASSERT_TRUE(all_published(offered)) << agent_.process().errors();
        ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
        const support::FleetContents read = contents();
        ASSERT_EQ(read.captures.size(), 1u);
        EXPECT_EQ(read.captures.begin()->second.event_sum, offered);
        EXPECT_TRUE(read.captures.begin()->second.has_end);
    }
};

TEST_F(ThreeNodes, LoseTheirLeaderAndNoEvent) {
    all_survive([&](std::size_t leader) { cluster_->kill(leader); });
}

TEST_F(ThreeNodes, LoseAFollowerAndNoEvent) {
    all_survive([&](std::size_t leader) { cluster_->kill((leader + 1) % 3); });
}

TEST_F(ThreeNodes, AllDieAndNoEventIsLost) {
    all_survive([&](std::size_t) {
        for (std::size_t node = 0; node < 3; ++node) cluster_->kill(node);
    });
}

}  // namespace
}  // namespace sla
