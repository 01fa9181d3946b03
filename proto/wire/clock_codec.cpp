#include "proto/wire/clock_codec.h"

#include "proto/base/text.h"
#include "proto/time/picoseconds.h"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>

namespace sla::wire {
namespace {

constexpr std::uint64_t kMaxErrorNs = 1'000'000'000'000;  // a quarter of an hour: of no use, and far from any overflow
constexpr std::int64_t kMaxErrorPs = std::numeric_limits<std::int64_t>::max();
constexpr const char* kByPps = "PPS";
constexpr std::string_view kPtp = "ptp";

std::int64_t error_from(std::uint64_t ns) {
    return static_cast<std::int64_t>(std::min(ns, kMaxErrorNs));
}

std::int32_t device_from(std::string_view name) {
    if (!name.starts_with(kPtp)) return time::WallClock::kNoPtp;
    const auto number = whole_number<std::int32_t>(name.substr(kPtp.size()));
    return number && *number >= 0 ? *number : time::WallClock::kNoPtp;
}

}  // namespace

void fill_wall(const time::WallClock& wall, WallClock& out) {
    out.set_state(static_cast<WallState>(wall.state));
    out.set_leap(static_cast<LeapState>(wall.leap));
    out.set_tai_offset_s(wall.tai_offset_s);
    out.set_max_error_ns(static_cast<std::uint64_t>(std::max<std::int64_t>(wall.max_error_ns, 0)));
    out.set_estimated_error_ns(static_cast<std::uint64_t>(std::max<std::int64_t>(wall.estimated_error_ns, 0)));
    out.set_offset_ns(wall.offset_ns);
    if (wall.by_pps) out.set_source(kByPps);
    if (wall.ptp_device < 0) return;
    out.set_ptp_device(std::string(kPtp) + std::to_string(wall.ptp_device));
    out.set_ptp_offset_ns(wall.ptp_offset_ns);
    out.set_ptp_error_ns(static_cast<std::uint64_t>(std::max<std::int64_t>(wall.ptp_error_ns, 0)));
    out.set_ptp_clock_error_ns(static_cast<std::uint64_t>(std::max<std::int64_t>(wall.ptp_clock_error_ns, 0)));
}

time::WallClock wall_from(const WallClock& in) {
    time::WallClock wall;
    if (in.state() < WALL_NOT_ASKED || in.state() > WALL_NOT_THERE) return wall;
    wall.state = static_cast<time::WallState>(in.state());
    if (in.leap() >= LEAP_NONE && in.leap() <= LEAP_DONE) wall.leap = static_cast<time::LeapState>(in.leap());
    wall.tai_offset_s = in.tai_offset_s();
    wall.max_error_ns = error_from(in.max_error_ns());
    wall.estimated_error_ns = error_from(in.estimated_error_ns());
    wall.offset_ns = in.offset_ns();
    wall.by_pps = in.source() == kByPps;
    wall.ptp_device = device_from(in.ptp_device());
    if (wall.ptp_device < 0) return wall;
    wall.ptp_offset_ns = in.ptp_offset_ns();
    wall.ptp_error_ns = error_from(in.ptp_error_ns());
    wall.ptp_clock_error_ns = error_from(in.ptp_clock_error_ns());
    return wall;
}

void fill_errors(const time::HostErrors& errors, Host& out) {
    out.set_is_bounded(errors.is_bounded);
    out.set_stretch_ppb(errors.stretch_ppb);
    for (const time::HostErrors::Step& step : errors.steps) {
        out.add_ticks(step.tick);
        out.add_errors_ns(static_cast<std::uint64_t>(step.error_ps / time::kPicosecondsPerNanosecond) + 1);
    }
    for (const time::AxisJump& jump : errors.jumps) {
        ClockJump& one = *out.add_jumps();
        one.set_from_tick(jump.from_tick);
        one.set_until_tick(jump.until_tick);
        one.set_size_ns(jump.size_ns);
        one.set_error_ns(static_cast<std::uint64_t>(std::max<std::int64_t>(jump.error_ns, 0)));
    }
}

time::HostErrors errors_from(const Host& in) {
    time::HostErrors errors;
    errors.is_bounded = in.is_bounded();
    errors.stretch_ppb = in.stretch_ppb() >= 0 && in.stretch_ppb() < 1e9 ? in.stretch_ppb() : 1e9;
    for (int i = 0; i < std::min(in.ticks_size(), in.errors_ns_size()); ++i) {
        if (!errors.steps.empty() && in.ticks(i) < errors.steps.back().tick) continue;
        const std::int64_t ns = std::min(in.errors_ns(i), kMaxErrorNs) == kMaxErrorNs
                                    ? kMaxErrorPs / time::kPicosecondsPerNanosecond
                                    : error_from(in.errors_ns(i));
        errors.steps.push_back({in.ticks(i), ns * time::kPicosecondsPerNanosecond});
    }
    for (const ClockJump& jump : in.jumps()) {
        if (jump.from_tick() > jump.until_tick()) continue;
        errors.jumps.push_back({jump.from_tick(), jump.until_tick(), jump.size_ns(), error_from(jump.error_ns())});
    }
    return errors;
}

void fill_clock(const time::ClockSnapshot& snapshot, Clock& out) {
    out.set_tick(snapshot.tick);
    out.set_monotonic_raw_ns(snapshot.monotonic_raw_ns);
    out.set_realtime_ns(snapshot.realtime_ns);
    out.set_error_ticks(snapshot.error_ticks);
    out.set_stamp_ticks(snapshot.stamp_ticks);
    out.set_realtime_error_ticks(snapshot.realtime_error_ticks);
    if (snapshot.wall.state != time::WallState::kNotAsked) fill_wall(snapshot.wall, *out.mutable_wall());
    out.set_given(snapshot.is_given);
}

time::ClockSnapshot snapshot_from(const Clock& in) {
    time::ClockSnapshot snapshot{in.tick(), in.monotonic_raw_ns(), in.realtime_ns(), in.error_ticks(), in.stamp_ticks()};
    snapshot.realtime_error_ticks = in.realtime_error_ticks();
    if (in.has_wall()) snapshot.wall = wall_from(in.wall());
    snapshot.is_given = in.given();
    return snapshot;
}

}  // namespace sla::wire
