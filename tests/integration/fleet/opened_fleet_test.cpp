// What a window does with a fleet, with real servers and agents: a server that is stopped and goes on, two hosts followed at
// once, a third one that comes, Stop and Run.
#include "tests/integration/fleet/two_hosts.h"
#include "viewer/ingest/follow/fleet_follower.h"
#include "viewer/ingest/follow/open_followed.h"
#include "viewer/workspace/source/data_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <vector>

namespace sla {
namespace {

class OpenedFleet : public TwoHosts {
protected:
    [[nodiscard]] std::string name(const std::string& behind = "") const {
        return "fleet:" + cluster_->address() + "/t" + behind;
    }
    void open(const std::string& address, std::uint64_t rows_in_memory) {
        ingest::FileOptions options;
        options.rows_in_memory = rows_in_memory;
        options.is_followed = true;
        auto opened = ingest::open_followed(address, options);
        ASSERT_TRUE(opened.ok()) << opened.error().message;
        fleet_.emplace(std::move(*opened));
        while (fleet_->source.step(applier_, std::chrono::milliseconds(100))) {
        }
    }
    // As frames do it.
    bool are_all_here() {
        fleet_->source.poll();
        bool all = true;
        for (const store::Lane* lane : session_.lanes()) all = lane->is_here(0, store::kNever, 1000) && all;
        return all;
    }
    [[nodiscard]] long notes_with(const std::string& words) const {
        return std::count_if(session_.notes().begin(), session_.notes().end(),
                             [&](const store::Note& note) { return note.text.find(words) != std::string::npos; });
    }
    void take_followed() {
        while (const auto item = follower_->next()) applier_.apply(*item);
    }
    // Channels of which rows came since: of two hosts, odd and even ids.
    std::set<std::uint32_t> hosts_that_grow(const std::vector<std::uint64_t>& before) {
        std::set<std::uint32_t> hosts;
        for (std::size_t i = 0; i < before.size(); ++i) {
            const store::Lane& lane = *session_.lanes()[i];
            if (lane.size() > before[i]) hosts.insert(lane.channel().id.value % 2);
        }
        return hosts;
    }
    [[nodiscard]] std::vector<std::uint64_t> sizes() const {
        std::vector<std::uint64_t> all;
        for (const store::Lane* lane : session_.lanes()) all.push_back(lane->size());
        return all;
    }

    store::Session session_;
    ingest::FrameApplier applier_{session_};
    std::optional<ingest::FollowedFleet> fleet_;
    std::unique_ptr<ingest::FleetFollower> follower_;
};

TEST_F(OpenedFleet, RowsOfAServerThatIsStoppedAreNotHereYetAndComeWhenItGoesOn) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_agent());
    const std::uint64_t offered = run_burst("2", "20000");
    ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
    ASSERT_NO_FATAL_FAILURE(open(name("/h1"), 0));
    ASSERT_TRUE(fleet_->source.is_paged());
    cluster_->signal(0, SIGSTOP);
    // It has threads that run on for a moment.
    const auto is_stopped = [&] {
        for (const auto& thread : std::filesystem::directory_iterator(fmt::format("/proc/{}/task", cluster_->pid(0)))) {
            std::ifstream in(thread.path() / "stat");
            const std::string stat(std::istreambuf_iterator<char>(in), {});
            if (stat.find(") T ") == std::string::npos) return false;
        }
        return true;
    };
    ASSERT_TRUE(support::eventually(is_stopped, kTimeout));
    const auto is_said = [&] {
        EXPECT_FALSE(are_all_here());
        return notes_with("rows in sight are asked for again") > 0 || HasFailure();
    };
    EXPECT_TRUE(support::eventually(is_said, kTimeout));
    cluster_->signal(0, SIGCONT);
    ASSERT_TRUE(support::eventually([&] { return are_all_here() && notes_with("rows come again") > 0; }, kTimeout));
    EXPECT_EQ(session_.damage_count(), 0u);
    EXPECT_GE(session_.events(), offered);
    for (const store::Lane* lane : session_.lanes()) {
        for (std::uint64_t i = 0; i < lane->size(); ++i) ASSERT_NE((*lane)[i].kind(), wire::Kind::kGap);
    }
}

TEST_F(OpenedFleet, TwoHostsAreFollowedAtOnceAndAThirdOneIsReported) {
    ASSERT_NO_FATAL_FAILURE(start_marking());
    const auto have_both_rows = [&] {
        const auto connection = connect();
        const auto runs = connection ? fleet::runs_in(*connection, fleet::hosts_bucket("t")) : unavailable("no connection");
        return runs && runs->size() == 2 && (*runs)[0].published > 0 && (*runs)[1].published > 0;
    };
    ASSERT_TRUE(support::eventually(have_both_rows, kTimeout));
    ASSERT_NO_FATAL_FAILURE(open(name(), 4'000'000));
    ASSERT_EQ(fleet_->follow.hosts.size(), 2u);
    fleet_->source.go_on(applier_);
    const std::vector<std::uint64_t> before = sizes();
    follower_ = std::make_unique<ingest::FleetFollower>(std::move(fleet_->follow));
    const auto both_grow = [&] {
        take_followed();
        return hosts_that_grow(before).size() == 2;
    };
    ASSERT_TRUE(support::eventually(both_grow, kTimeout)) << follower_->report().message;
    EXPECT_TRUE(support::eventually([&] { return follower_->report().live == 2; }, kTimeout));
    support::AgentUnderTest third(SLA_BINARIES);
    ASSERT_TRUE(
        third.start({"--publish", cluster_->address(), "--fleet", "t", "--host", "h3", "--spool-dir", third.file("spool")}))
        << third.process().errors();
    Process mark({SLA_BINARIES "/sla", "mark", "late.comer", "1"}, third.environment());
    EXPECT_EQ(mark.wait(kTimeout).code, 0) << mark.errors();
    const auto is_reported = [&] {
        take_followed();
        return follower_->report().wants_reopening;
    };
    EXPECT_TRUE(support::eventually(is_reported, kTimeout)) << follower_->report().message;
    for (Process* program : {&*first_program_, &*second_program_}) {
        program->signal(SIGTERM);
        EXPECT_EQ(program->wait().code, 0);
    }
    for (support::AgentUnderTest* agent : {&agent_, &other_, &third}) EXPECT_EQ(agent->stop(), 0);
}

TEST_F(OpenedFleet, StopKeepsWhatIsThereAndRunHasWhatCameMeanwhile) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_agent());
    const std::uint64_t offered = run_burst("1", "1000");
    ASSERT_TRUE(all_published(offered));
    const auto source = workspace::open_source(name());
    const auto is = [](workspace::DataSource& of, workspace::SourceState state) {
        of.poll(std::chrono::milliseconds(5));
        return of.status().state == state;
    };
    ASSERT_TRUE(support::eventually([&] { return is(*source, workspace::SourceState::kLive); }, kTimeout))
        << source->status().message;
    source->stop();
    EXPECT_EQ(source->status().state, workspace::SourceState::kStopped);
    const std::uint64_t rows = source->session().events();
    EXPECT_GE(rows, offered);
    const std::uint64_t later = run_burst("1", "2000");
    ASSERT_TRUE(all_published(offered + later));
    source->poll(std::chrono::milliseconds(5));
    EXPECT_EQ(source->session().events(), rows);
    source->run();
    std::unique_ptr<workspace::DataSource> longer;
    const auto has_come = [&] {
        source->poll(std::chrono::milliseconds(5));
        longer = source->take_longer();
        return longer != nullptr;
    };
    ASSERT_TRUE(support::eventually(has_come, kTimeout)) << source->status().message;
    const auto has_all = [&] {
        longer->poll(std::chrono::milliseconds(5));
        return longer->session().events() >= rows + later;
    };
    EXPECT_TRUE(support::eventually(has_all, kTimeout));
    EXPECT_EQ(longer->status().state, workspace::SourceState::kLive);
    EXPECT_EQ(agent_.stop(), 0);
}

}  // namespace
}  // namespace sla
