// Keeps setting the TSC against the kernel's clocks: often at first, then every ten seconds, so that the fit gets better the
// longer a capture runs. Owned by the draining thread.
#pragma once

#include "proto/time/clock_map.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sla::daemon {

class ClockWatch {
public:
    ClockWatch();

    // A new snapshot when one is due at this tick.
    std::optional<time::ClockSnapshot> due(std::uint64_t now);
    // One in any case: the last of a capture.
    time::ClockSnapshot take();

    [[nodiscard]] double ticks_per_second() const { return map_.ticks_per_second(); }
    [[nodiscard]] double error_ppb() const { return map_.slope_error_ppb(); }

private:
    std::uint32_t stamp_ticks_;
    double nominal_hz_;
    std::vector<time::ClockSnapshot> snapshots_;  // at most kKept: the first and the newest ones
    time::ClockMap map_;
    std::uint64_t next_ = 0;
    std::uint64_t interval_;
};

}  // namespace sla::daemon
