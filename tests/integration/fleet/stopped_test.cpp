// What stands still and goes on, as behind a cut network: a host whose agent is stopped, a host that is new, and each node of
// three while an agent publishes.
#include "tests/integration/fleet/two_hosts.h"
#include "viewer/workspace/source/fleet_source.h"

#include <csignal>

namespace sla {
namespace {

using workspace::DataSource;
using workspace::SourceState;

class Stopped : public TwoHosts {
protected:
    static constexpr std::chrono::seconds kPatience{2};  // a window has five times as much

    void open(const workspace::FleetPatience& patience = {.silence = kPatience, .reopening = kPatience}) {
        source_ = workspace::make_fleet_source("fleet:" + cluster_->address() + "/t", patience);
        ASSERT_TRUE(support::eventually([&] { return poll() == SourceState::kLive; }, kTimeout))
            << source_->status().message;
    }
    // As a window's frame does, with what is opened anew in the place of what is shown.
    SourceState poll() {
        source_->poll(std::chrono::milliseconds(5));
        if (auto longer = source_->take_longer()) source_ = std::move(longer);
        return source_->status().state;
    }
    [[nodiscard]] std::uint64_t events_of(const std::string& host) const {
        const store::Session& session = source_->session();
        std::uint64_t events = 0;
        for (const store::Lane* lane : session.lanes()) {
            const store::Host* of = session.host_of(*lane);
            if ((of == nullptr ? session.origin().host : of->name) == host) events += lane->events();
        }
        return events;
    }
    bool have_rows(std::size_t hosts) {
        const auto connection = connect();
        const auto runs = connection ? fleet::runs_in(*connection, fleet::hosts_bucket("t")) : unavailable("no connection");
        return runs && runs->size() == hosts &&
               std::all_of(runs->begin(), runs->end(), [](const fleet::RunEntry& run) { return run.published > 0; });
    }

    bool says(const std::string& words) {
        poll();
        return source_->status().message.find(words) != std::string::npos;
    }

    std::unique_ptr<DataSource> source_;
};

TEST_F(Stopped, AHostThatIsSilentHoldsNobodyUpAndItsRowsAreThereWhenItComesBack) {
    ASSERT_NO_FATAL_FAILURE(start_marking());
    ASSERT_TRUE(support::eventually([&] { return have_rows(2); }, kTimeout));
    ASSERT_NO_FATAL_FAILURE(open());
    other_.process().signal(SIGSTOP);
    ASSERT_TRUE(support::eventually([&] { return says("h2"); }, kTimeout)) << source_->status().message;
    const std::uint64_t watermark = source_->session().watermark();
    const std::uint64_t of_first = events_of("h1");
    const auto goes_on = [&] {
        poll();
        return source_->session().watermark() > watermark && events_of("h1") > of_first;
    };
    EXPECT_TRUE(support::eventually(goes_on, kTimeout)) << source_->status().message;
    const std::uint64_t of_second = events_of("h2");
    other_.process().signal(SIGCONT);
    second_program_->signal(SIGTERM);
    ASSERT_EQ(second_program_->wait().code, 0);
    const std::uint64_t offered = second_program_->number("offered");
    const auto has_all = [&] {
        poll();
        return events_of("h2") >= offered;
    };
    EXPECT_TRUE(support::eventually(has_all, kTimeout))
        << of_second << ", then " << events_of("h2") << " of " << offered << ": " << source_->status().message;
    EXPECT_EQ(events_of("h2"), offered) << "each once";
    first_program_->signal(SIGTERM);
    EXPECT_EQ(first_program_->wait().code, 0);
    EXPECT_EQ(agent_.stop(), 0);
    EXPECT_EQ(other_.stop(), 0);
}

TEST_F(Stopped, AThirdHostIsSeenInTheWindowByItself) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_both({}, {}));
    run_burst("1", "1000");
    Process burst({SLA_TEST_MARKER, "burst", "1", "1", "1000"}, other_.environment());
    ASSERT_EQ(burst.wait().code, 0);
    ASSERT_TRUE(support::eventually([&] { return have_rows(2); }, kTimeout));
    ASSERT_NO_FATAL_FAILURE(open());
    EXPECT_GT(events_of("h1"), 0u);
    EXPECT_GT(events_of("h2"), 0u);
    support::AgentUnderTest third(SLA_BINARIES);
    ASSERT_TRUE(third.start({"--publish", cluster_->address(), "--fleet", "t", "--host", "h3", "--spool-dir",
                             third.file("spool"), "--report-every", "200ms"}))
        << third.process().errors();
    Process mark({SLA_BINARIES "/sla", "mark", "late.comer", "42"}, third.environment());
    ASSERT_EQ(mark.wait(kTimeout).code, 0) << mark.errors();
    const auto is_seen = [&] {
        poll();
        const store::Lane* lane = source_->session().lane_named("late.comer");
        return lane != nullptr && lane->events() == 1;
    };
    ASSERT_TRUE(support::eventually(is_seen, kTimeout)) << source_->status().message;
    EXPECT_EQ(events_of("h3"), 1u);
    EXPECT_GE(events_of("h1"), 1000u) << "the others are there too";
    for (support::AgentUnderTest* agent : {&agent_, &other_, &third}) EXPECT_EQ(agent->stop(), 0);
}

// The reason stands as long as it is true: a host that is new is not seen until then.
TEST_F(Stopped, AFleetThatCannotBeOpenedAnewSaysWhyUntilItCan) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_agent());
    run_burst("1", "1000");
    ASSERT_TRUE(support::eventually([&] { return have_rows(1); }, kTimeout));
    ASSERT_NO_FATAL_FAILURE(open());
    ASSERT_TRUE(other_.start(of_other({}))) << other_.process().errors();
    Process mark({SLA_BINARIES "/sla", "mark", "late.comer", "42"}, other_.environment());
    ASSERT_EQ(mark.wait(kTimeout).code, 0) << mark.errors();
    ASSERT_TRUE(support::eventually([&] { return have_rows(2); }, kTimeout));
    std::this_thread::sleep_for(std::chrono::seconds(5));  // the registry is looked at every two
    cluster_->kill(0);
    const auto says_why = [&] { return says("could not be opened anew: "); };
    ASSERT_TRUE(support::eventually(says_why, kTimeout)) << source_->status().message;
    for (int frame = 0; frame < 3; ++frame) EXPECT_TRUE(says_why()) << source_->status().message;
    ASSERT_TRUE(cluster_->start()) << cluster_->problem();
    const auto is_seen = [&] {
        poll();
        return source_->session().lane_named("late.comer") != nullptr && !says_why();
    };
    EXPECT_TRUE(support::eventually(is_seen, kTimeout)) << source_->status().message;
    EXPECT_EQ(agent_.stop(), 0);
    EXPECT_EQ(other_.stop(), 0);
}

TEST_F(Stopped, AWindowThatTakesInNoMoreOfAFleetDoesNotCallItLive) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_agent());
    run_burst("1", "1000");
    ASSERT_TRUE(support::eventually([&] { return have_rows(1); }, kTimeout));
    ASSERT_NO_FATAL_FAILURE(
        open({.silence = kTimeout, .reopening = std::chrono::hours(1), .followed_bytes = std::uint64_t{1} << 10}));
    run_burst("2", "5000");
    ASSERT_TRUE(support::eventually([&] { return poll() == SourceState::kFull; }, kTimeout)) << source_->status().message;
    EXPECT_TRUE(says("What comes now is not shown until all is opened anew")) << source_->status().message;
    EXPECT_EQ(agent_.stop(), 0);
}

// Those that go on do without it, after an election where it led, and it finds back.
class StoppedNode : public Stopped, public testing::WithParamInterface<bool> {};
INSTANTIATE_TEST_SUITE_P(Of, StoppedNode, testing::Bool(),
                         [](const auto& kind) { return kind.param ? "TheLeader" : "AFollower"; });

TEST_P(StoppedNode, WhileMuchIsPublishedLosesNothing) {
    constexpr int kBursts = 8;
    ASSERT_NO_FATAL_FAILURE(start_servers(3));
    ASSERT_NO_FATAL_FAILURE(start_agent());
    std::uint64_t offered = run_burst("2", "5000");
    ASSERT_TRUE(all_published(offered)) << agent_.process().errors();
    const std::string stream = fleet::stream_name("t", fleet::shard_of("h1", 2));
    std::size_t leader = cluster_->size();
    ASSERT_TRUE(support::eventually([&] { return (leader = cluster_->leader_of(stream)) < cluster_->size(); }, kTimeout));
    const std::size_t node = GetParam() ? leader : (leader + 1) % cluster_->size();
    cluster_->signal(node, SIGSTOP);
    for (int burst = 0; burst < kBursts; ++burst) offered += run_burst("2", "2000");
    ASSERT_TRUE(all_published(offered)) << agent_.process().errors();
    cluster_->signal(node, SIGCONT);
    offered += run_burst("2", "2000");
    ASSERT_TRUE(cluster_->wait_until_ready(stream)) << cluster_->problem();
    ASSERT_TRUE(all_published(offered)) << agent_.process().errors();
    ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
    const support::FleetContents read = contents();  // no chunk twice, none missing
    ASSERT_EQ(read.captures.size(), 1u);
    EXPECT_EQ(read.captures.begin()->second.event_sum, offered);
    EXPECT_EQ(read.captures.begin()->second.missed, 0u);
}

}  // namespace
}  // namespace sla
