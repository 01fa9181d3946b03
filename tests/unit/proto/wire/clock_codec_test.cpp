#include "proto/wire/clock_codec.h"

#include <gtest/gtest.h>

namespace sla::wire {
namespace {

time::ClockSnapshot full() {
    time::ClockSnapshot snapshot{5'000'000'000, 7, 1'800'000'000'000'000'000, 40, 24};
    snapshot.realtime_error_ticks = 90;
    snapshot.wall.state = time::WallState::kSynchronised;
    snapshot.wall.leap = time::LeapState::kInsert;
    snapshot.wall.tai_offset_s = 37;
    snapshot.wall.max_error_ns = 3'200'000;
    snapshot.wall.estimated_error_ns = 40'000;
    snapshot.wall.offset_ns = -7;
    snapshot.wall.by_pps = true;
    snapshot.wall.ptp_device = 3;
    snapshot.wall.ptp_offset_ns = -90;
    snapshot.wall.ptp_error_ns = 80;
    snapshot.wall.ptp_clock_error_ns = 200;
    snapshot.is_given = true;
    return snapshot;
}

TEST(ClockCodec, AReadingComesBackAsItWent) {
    Clock message;
    fill_clock(full(), message);
    const time::ClockSnapshot back = snapshot_from(message);
    EXPECT_EQ(back.tick, full().tick);
    EXPECT_TRUE(back.is_given);
    EXPECT_EQ(back.monotonic_raw_ns, full().monotonic_raw_ns);
    EXPECT_EQ(back.realtime_ns, full().realtime_ns);
    EXPECT_EQ(back.error_ticks, 40U);
    EXPECT_EQ(back.stamp_ticks, 24U);
    EXPECT_EQ(back.realtime_error_ticks, 90U);
    EXPECT_EQ(back.wall, full().wall);
}

TEST(ClockCodec, AReadingOfAnOlderAgentSaysNothingOfTheWallClock) {
    Clock message;
    message.set_tick(1);
    message.set_realtime_ns(5);
    EXPECT_EQ(snapshot_from(message).wall, time::WallClock());
}

TEST(ClockCodec, AStateOfALaterVersionAndErrorsBeyondAllSenseSayNothing) {
    Clock message;
    fill_clock(full(), message);
    message.mutable_wall()->set_max_error_ns(~std::uint64_t{0});
    EXPECT_EQ(snapshot_from(message).wall.max_error_ns, 1'000'000'000'000);
    message.mutable_wall()->set_state(static_cast<WallState>(77));
    EXPECT_EQ(snapshot_from(message).wall, time::WallClock());
}

TEST(ClockCodec, ErrorsOfAHostComeBackNoSmaller) {
    time::HostErrors errors;
    errors.steps = {{100, 5'000'400}, {900, 7'000'000}};
    errors.jumps = {{300, 400, -1'000'000, 50}};
    errors.stretch_ppb = 20'000;
    errors.is_bounded = false;
    Host message;
    fill_errors(errors, message);
    const time::HostErrors back = errors_from(message);
    ASSERT_EQ(back.steps.size(), 2U);
    EXPECT_EQ(back.steps[1].tick, 900U);
    EXPECT_GE(back.steps[0].error_ps, 5'000'400);
    EXPECT_LT(back.steps[0].error_ps, 5'003'000);
    ASSERT_EQ(back.jumps.size(), 1U);
    EXPECT_EQ(back.jumps[0].size_ns, -1'000'000);
    EXPECT_EQ(back.stretch_ppb, 20'000);
    EXPECT_FALSE(back.is_bounded);
}

TEST(ClockCodec, StepsOutOfOrderAreLeftOut) {
    Host message;
    for (const std::uint64_t tick : {5, 3, 9}) {
        message.add_ticks(tick);
        message.add_errors_ns(tick);
    }
    message.set_stretch_ppb(-1);
    const time::HostErrors errors = errors_from(message);
    ASSERT_EQ(errors.steps.size(), 2U);
    EXPECT_EQ(errors.steps[1].tick, 9U);
    EXPECT_EQ(errors.stretch_ppb, 1e9) << "what makes no sense is not believed to be good";
}

}  // namespace
}  // namespace sla::wire
