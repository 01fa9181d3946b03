// From CLOCK_MONOTONIC_RAW, which perf events are stamped with, to ticks of the stamp clock. One owner thread.
#pragma once

#include "proto/time/clock_map.h"

#include <cstdint>
#include <vector>

namespace sla::linux {

class RawClock {
public:
    // Takes two readings some 50 ms apart.
    RawClock();

    // Another reading, when the newest is a second old.
    void refresh(std::uint64_t now_tick);
    [[nodiscard]] std::uint64_t tick_of(std::uint64_t raw_ns) const;
    [[nodiscard]] double ticks_per_second() const { return map_.ticks_per_second(); }
    // How far off a tick near the newest reading can be.
    [[nodiscard]] std::uint64_t error_ticks() const;

private:
    void fit();
    std::vector<time::ClockSnapshot> readings_;  // the first, some between, the newest
    time::ClockMap map_;
};

}  // namespace sla::linux
