#include "agent/daemon/health/clock_watch.h"

#include "agent/daemon/pipeline/announcements.h"
#include "proto/wire/clock_codec.h"
#include "proto/wire/frame_codec.h"

#include <gtest/gtest.h>

namespace sla::daemon {
namespace {

time::WallClock wall(time::WallState state) {
    time::WallClock made;
    made.state = state;
    made.max_error_ns = 1'500'000;
    made.tai_offset_s = 37;
    return made;
}

TEST(ClockWatch, EverySnapshotCarriesWhatTheKernelSaidOfItsWallClockThen) {
    time::WallState state = time::WallState::kUnsynchronised;
    ClockWatch watch([&] { return wall(state); });
    EXPECT_EQ(watch.take().wall, wall(time::WallState::kUnsynchronised));
    state = time::WallState::kSynchronised;
    EXPECT_EQ(watch.take().wall, wall(time::WallState::kSynchronised));
}

TEST(ClockWatch, TheFrameOfASnapshotCarriesItToo) {
    ClockWatch watch([] { return wall(time::WallState::kRefused); });
    const time::ClockSnapshot snapshot = watch.take();
    const std::string frame = clock_frame(snapshot);
    wire::Frame message;
    ASSERT_TRUE(wire::parse_message(std::string_view(frame).substr(wire::kFrameHeaderBytes), message));
    EXPECT_EQ(message.clock().wall().state(), wire::WALL_REFUSED);
    EXPECT_EQ(message.clock().realtime_error_ticks(), snapshot.realtime_error_ticks);
    EXPECT_GT(snapshot.realtime_error_ticks, 0U) << "the wall clock is not read at the very tick";
}

}  // namespace
}  // namespace sla::daemon
