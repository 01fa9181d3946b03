// Keeps setting the clock that stamps against the kernel's clocks: often at first, then every ten seconds, so that the fit
// gets better the longer a capture runs; and keeps the verdict on it. Owned by the draining thread, but for on_skew.
#pragma once

#include "agent/drain/step_clock.h"
#include "proto/common/clock/clock_health.h"
#include "proto/time/clock_map.h"
#include "proto/time/ptp_clock.h"

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sla::daemon {

class ClockWatch {
public:
    // What asks the kernel for its wall clock's error, and what reads a PTP clock beside it.
    using ReadWall = std::function<time::WallClock()>;
    explicit ClockWatch(ReadWall read_wall = time::WallReader());

    // A new snapshot when one is due at this tick.
    std::optional<time::ClockSnapshot> due(std::uint64_t now);
    // One in any case: the last of a capture.
    time::ClockSnapshot take();

    // This thread looked at the clock.
    void on_reading(std::uint64_t now) { health_.on_reading(now); }
    // The cores were compared; from any thread.
    void on_skew(const time::CoreSkew& skew);
    [[nodiscard]] const time::ClockHealth& health();
    // For draining: how far stamps may be ahead of this moment, by what is known of the cores.
    [[nodiscard]] drain::StepClock step_at(std::uint64_t now);
    // What to report to readers, when the verdict changed; at most every ten seconds.
    std::optional<std::string> news(std::uint64_t now);

    [[nodiscard]] double ticks_per_second() const { return map_.ticks_per_second(); }
    [[nodiscard]] double error_ppb() const { return map_.slope_error_ppb(); }

private:
    ReadWall read_wall_;
    std::uint32_t stamp_ticks_;
    double nominal_hz_;
    std::vector<time::ClockSnapshot> snapshots_;  // at most kKept: the first and the newest ones
    time::ClockMap map_;
    std::uint64_t next_ = 0;
    std::uint64_t interval_;
    time::HealthWatch health_;
    std::string reported_problem_;
    std::uint64_t reported_at_ = 0;

    std::mutex skew_mutex_;
    std::optional<time::CoreSkew> skew_reported_;  // under skew_mutex_
};

}  // namespace sla::daemon
