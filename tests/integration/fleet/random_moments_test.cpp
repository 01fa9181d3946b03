// Whatever ends or stands still at whatever moment: what was acknowledged and what was spooled is in the cluster once, and the ledger
// of every capture adds up. SLA_FLEET_MOMENTS=1000 is the long form, SLA_FLEET_SEED=N another order of events.
#include "tests/integration/fleet/fleet_fixture.h"

#include <array>
#include <random>
#include <thread>

namespace sla {
namespace {

int number_of(const char* name, int otherwise) {
    const char* const value = std::getenv(name);
    return value == nullptr ? otherwise : std::atoi(value);
}

class RandomMoments : public InFleet {
protected:
    using Random = std::mt19937;
    static constexpr std::size_t kNodes = 3;
    enum class Deed { kAgentKilled, kLeaderKilled, kFollowerKilled, kNodeStopped, kAllKilled };
    static constexpr std::array<const char*, 5> kWords = {"agent killed", "leader killed", "follower killed", "node stopped",
                                                          "all killed"};

    static std::chrono::milliseconds up_to(int milliseconds, Random& random) {
        return std::chrono::milliseconds(std::uniform_int_distribution<int>(0, milliseconds)(random));
    }
    void happen(Deed deed, Random& random) {
        const std::string stream = fleet::stream_name("t", fleet::shard_of("h1", 2));
        const std::size_t leader = std::min(cluster_->leader_of(stream), kNodes - 1);
        switch (deed) {
            case Deed::kAgentKilled: agent_.kill_hard(); return start_agent();
            case Deed::kLeaderKilled: cluster_->kill(leader); break;
            case Deed::kFollowerKilled: cluster_->kill((leader + 1) % kNodes); break;
            case Deed::kNodeStopped: {  // as if the network were cut: it holds its connections and answers nothing
                const std::size_t node = random() % kNodes;
                cluster_->signal(node, SIGSTOP);
                std::this_thread::sleep_for(up_to(3000, random));
                cluster_->signal(node, SIGCONT);
                return;
            }
            case Deed::kAllKilled:
                for (std::size_t node = 0; node < kNodes; ++node) cluster_->kill(node);
                break;
        }
        std::this_thread::sleep_for(up_to(1000, random));
        ASSERT_TRUE(cluster_->start()) << cluster_->problem();
    }
};

TEST_F(RandomMoments, EveryAcknowledgedAndEverySpooledChunkIsThereOnceAndTheLedgerIsExact) {
    const int moments = number_of("SLA_FLEET_MOMENTS", 3);
    // By 2 a follower is killed, a node stopped, the agent killed. Of a leader and of all ThreeNodes has tests: elections take long.
    const auto seed = static_cast<Random::result_type>(number_of("SLA_FLEET_SEED", 2));
    Random random(seed);
    ASSERT_NO_FATAL_FAILURE(start_servers(kNodes));
    ASSERT_NO_FATAL_FAILURE(start_agent());
    Process program({SLA_TEST_MARKER, "steady"}, environment());
    ASSERT_TRUE(program.wait_for_output("running", kTimeout));
    for (int moment = 0; moment < moments; ++moment) {
        std::this_thread::sleep_for(up_to(1500, random));
        const auto deed = static_cast<Deed>(random() % kWords.size());
        SCOPED_TRACE(std::string("seed ") + std::to_string(seed) + ", moment " + std::to_string(moment) + ": " +
                     kWords.at(static_cast<std::size_t>(deed)));
        ASSERT_NO_FATAL_FAILURE(happen(deed, random));
    }
    program.signal(SIGTERM);
    ASSERT_EQ(program.wait().code, 0);
    ASSERT_TRUE(cluster_->wait_until_ready(fleet::stream_name("t", fleet::shard_of("h1", 2)))) << cluster_->problem();
    ASSERT_TRUE(all_published(0)) << agent_.process().errors();
    ASSERT_TRUE(spool_becomes_empty()) << agent_.process().errors();
    ASSERT_NO_FATAL_FAILURE(stop_agents_until_all_is_said());

    const support::FleetContents read = contents();  // no chunk twice, none missing
    const auto connection = connect();
    ASSERT_TRUE(connection);
    Result<std::vector<fleet::RunEntry>> runs = unavailable("not asked");
    const auto has_answer = [&] { return (runs = fleet::runs_in(*connection, fleet::captures_bucket("t"))).ok(); };
    ASSERT_TRUE(support::eventually(has_answer, kTimeout)) << runs.error().message;
    std::uint64_t captures = 0;
    for (const fleet::RunEntry& run : *runs) {
        EXPECT_EQ(run.produced, run.published + run.dropped + run.left) << run.capture;
        const auto capture = read.captures.find(run.capture);
        if (capture == read.captures.end()) {
            EXPECT_EQ(run.published, 0u) << run.capture;
            continue;
        }
        captures++;
        EXPECT_EQ(run.published, capture->second.event_sum) << run.capture;
        EXPECT_EQ(run.left, 0u) << run.capture;
        EXPECT_EQ(run.dropped, capture->second.missed) << run.capture;
        EXPECT_EQ(capture->second.pieces_cut, 0u) << run.capture;
    }
    EXPECT_EQ(captures, read.captures.size()) << "captures that the registry does not know";
}

}  // namespace
}  // namespace sla
