// The wall clock of a host as an axis: its ticks to UTC with a bound, from readings of CLOCK_REALTIME and what the kernel said
// of its error.
//
// The bound at a reading is the kernel's max_error, what that grows by until the kernel looks again, and the error of the
// reading; or that of a PTP clock beside it which the operator vouches for. While the clock is synchronised at no reading,
// nothing bounds it: then the readings are the axis, and is_bounded() is false. Where it was synchronised for a while, only
// those readings count, and are carried to the others.
//
// Where two readings contradict each other by more than the kernel said, and neither a leap second nor a jump of the counter
// explains it, the kernel was wrong about at least one: all bounds are wider by the contradiction, and text() says so.
#pragma once

#include "proto/time/axis_map.h"
#include "proto/time/clock_map.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::time {

struct WallJump {
    enum class Kind : std::uint8_t {
        kSet,      // CLOCK_REALTIME against CLOCK_MONOTONIC_RAW
        kLeap,     // a leap second: the same, and TAI with it
        kCounter,  // the counter that stamps against both: a virtual machine was moved or stopped
    };
    AxisJump jump;
    Kind kind = Kind::kSet;
};

class WallAxis {
public:
    WallAxis() = default;
    // The snapshots of one counter; `clock` is fitted to them.
    static WallAxis of(const std::vector<ClockSnapshot>& snapshots, const ClockMap& clock);

    // Nothing is known of the wall clock at all.
    [[nodiscard]] bool empty() const { return map_.empty(); }
    [[nodiscard]] bool is_bounded() const { return is_bounded_; }
    // Nanoseconds since 1970 are map().base_ns() and its picoseconds.
    [[nodiscard]] const AxisMap& map() const { return map_; }
    [[nodiscard]] const std::vector<WallJump>& jumps() const { return jumps_; }
    // What the kernel's bounds were wrong by, at the least.
    [[nodiscard]] std::int64_t contradiction_ns() const { return contradiction_ns_; }
    // The newest that was said.
    [[nodiscard]] const WallClock& newest() const { return newest_; }
    // What a person must know before comparing times with another host's; empty: nothing.
    [[nodiscard]] std::string problem() const;

    [[nodiscard]] std::int64_t utc_ns(std::uint64_t tick) const;
    // ±; means something where is_bounded().
    [[nodiscard]] std::int64_t error_ns(std::uint64_t tick) const;

private:
    AxisMap map_;
    std::vector<WallJump> jumps_;
    WallClock newest_;
    std::int64_t contradiction_ns_ = 0;
    bool is_bounded_ = false;
};

}  // namespace sla::time
