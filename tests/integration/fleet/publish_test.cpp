#include "tests/integration/fleet/fleet_fixture.h"

namespace sla {
namespace {

TEST_F(InFleet, EveryEventIsInTheClusterOnceAndTheLedgerAddsUp) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_agent());
    const std::uint64_t offered = run_burst("3", "40000");
    ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
    const support::FleetContents read = contents();
    ASSERT_EQ(read.captures.size(), 1u);
    const support::CaptureInFleet& capture = read.captures.begin()->second;
    EXPECT_EQ(capture.event_sum + capture.lost, offered);
    EXPECT_EQ(capture.missed, 0u);
    EXPECT_EQ(capture.pieces_cut, 0u);
    EXPECT_TRUE(capture.has_end);
    EXPECT_EQ(number_before("events published"), capture.event_sum);
    EXPECT_EQ(number_before("left in the spool"), 0u);
    const auto run = entry();
    ASSERT_TRUE(run);
    EXPECT_EQ(run->capture, read.captures.begin()->first);
    EXPECT_EQ(run->produced, capture.event_sum);
    EXPECT_EQ(run->published, capture.event_sum);
    EXPECT_NE(run->ended_ns, 0);
    EXPECT_GT(run->ticks_per_second, 1e6);
    EXPECT_NE(run->clock.realtime_ns, 0);
    EXPECT_TRUE(std::filesystem::is_empty(agent_.file("spool")) ||
                std::distance(std::filesystem::directory_iterator(agent_.file("spool")), {}) == 1);  // the lock
}

TEST_F(InFleet, WhatIsRecordedCanBeFollowedWhileItsPieceIsBeingWritten) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_agent());
    Process program({SLA_TEST_MARKER, "steady"}, environment());
    ASSERT_TRUE(program.wait_for_output("running", kTimeout));
    const auto is_there = [&] {
        const auto run = entry();
        return run && run->published > 0 && run->pieces == 1;
    };
    ASSERT_TRUE(support::eventually(is_there, kTimeout)) << agent_.process().errors();
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait().code, 0);
    ASSERT_EQ(agent_.stop(), 0);
    EXPECT_EQ(contents().captures.begin()->second.event_sum, program.number("offered"));
}

TEST_F(InFleet, TheTimesOfAMessageAreThoseOfItsEventsOnTheWallClock) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_agent());
    const auto now = [] {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
            .count();
    };
    const std::int64_t before = now();
    run_burst("1", "1000");
    const std::int64_t after = now();
    ASSERT_EQ(agent_.stop(), 0);
    constexpr std::int64_t kError = 100'000'000;  // of a clock that was measured for a moment only
    std::uint64_t with_rows = 0;
    for (const support::FleetMessage& message : contents().messages) {
        const fleet::MessageHeaders& headers = message.headers;
        EXPECT_EQ(headers.rows > 0, headers.times.has_value()) << headers.id.text();
        if (!headers.times) continue;
        with_rows++;
        EXPECT_GE(headers.times->first_ns, before - kError);
        EXPECT_LE(headers.times->last_ns, after + kError);
    }
    EXPECT_GE(with_rows, 3u);  // frames, summary, index
}

TEST_F(InFleet, AFleetThatIsNotSetUpIsSaidAndWaitedFor) {
    cluster_.emplace(1);
    ASSERT_TRUE(cluster_->start()) << cluster_->problem();
    ASSERT_NO_FATAL_FAILURE(start_agent({"--metrics", "unix:" + agent_.file("metrics")}));
    const std::uint64_t offered = run_burst("1", "2000");
    const auto is_said = [&] { return agent_said("nothing is published: "); };
    EXPECT_TRUE(support::eventually(is_said, kTimeout)) << agent_.process().errors();
    EXPECT_TRUE(agent_said("sla fleet setup")) << agent_.process().errors();
    ASSERT_NO_FATAL_FAILURE(set_up(1));
    ASSERT_TRUE(all_published(offered)) << agent_.process().errors();
    const auto goes_on = [&] { return agent_said("goes on"); };
    EXPECT_TRUE(support::eventually(goes_on, kTimeout)) << agent_.process().errors();
    ASSERT_EQ(agent_.stop(), 0);
    EXPECT_EQ(contents().captures.begin()->second.event_sum, offered);
}

// As when servers come back without their disks: the registry's bucket is there, the streams begin anew.
TEST_F(InFleet, AStreamThatIsMadeAnewIsReadableFromWhatTheSpoolHas) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_agent());
    std::uint64_t offered = run_burst("1", "1000");
    ASSERT_TRUE(all_published(offered));
    const auto connection = connect();
    ASSERT_TRUE(connection);
    for (std::uint32_t shard = 0; shard < 2; ++shard)
        ASSERT_EQ(js_DeleteStream(connection->jetstream(), fleet::stream_name("t", shard).c_str(), nullptr, nullptr),
                  NATS_OK);
    ASSERT_NO_FATAL_FAILURE(set_up(1));
    offered += run_burst("1", "700");
    EXPECT_TRUE(support::eventually([&] { return agent_said("was made anew"); }, kTimeout)) << agent_.process().errors();
    ASSERT_TRUE(all_published(offered)) << agent_.process().errors();
    ASSERT_EQ(agent_.stop(), 0);
    const std::string name = "fleet:" + cluster_->address() + "/t/h1";
    const Said read = run_sla({"table", "--format", "csv", "--channel", "burst.*", name});
    EXPECT_EQ(read.code, 0) << read.errors;
    EXPECT_EQ(read.errors.find("damage"), std::string::npos) << read.errors;
    // A piece lasts ten seconds: if one ended before, it is gone.
    EXPECT_GE(static_cast<std::uint64_t>(std::count(read.output.begin(), read.output.end(), '\n')), 700u);
}

TEST_F(InFleet, ServersThatWantAPasswordAreGivenIt) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1, "authorization { user: ann, password: secret }", "ann:secret"));
    address_ = cluster_->address_as("ann:wrong");
    ASSERT_NO_FATAL_FAILURE(start_agent());
    const std::uint64_t offered = run_burst("1", "2000");
    ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
    EXPECT_EQ(number_before("left in the spool"), offered);
    EXPECT_FALSE(agent_said("wrong")) << "no password is written down";
    address_ = cluster_->address_as("ann:secret");
    ASSERT_NO_FATAL_FAILURE(start_agent());
    ASSERT_TRUE(support::eventually(
        [&] { return agent_said("of an earlier agent is published: " + std::to_string(offered)); }, kTimeout))
        << agent_.process().errors();
    ASSERT_EQ(agent_.stop(), 0);
    const support::FleetContents read = contents();
    ASSERT_EQ(read.captures.size(), 2u);
    EXPECT_EQ(fullest(read).event_sum, offered);
    const std::string name = "fleet:" + address_ + "/t/h1";
    const Said compared = run_sla({"compare", name, name, "--pair", "nobody:nothing"});
    EXPECT_NE(compared.errors.find("no channel is called 'nobody'"), std::string::npos) << compared.errors;
    EXPECT_EQ(compared.errors.find("secret"), std::string::npos) << compared.errors;
}

}  // namespace
}  // namespace sla
