// Real time (CLOCK_MONOTONIC) since the clock was made. Waiting sleeps until the deadline or the stop signal. It never goes back, whether
// time was read or is that of a tick.
#pragma once

#include "emu/bus/clock.h"
#include "emu/machine/stop_signal.h"
#include "emu/machine/tick_time.h"

namespace sla::machine {

class HostClock final : public bus::Clock {
public:
    explicit HostClock(const StopSignal& stop);

    [[nodiscard]] bus::Nanoseconds now() const override;
    [[nodiscard]] bool repeatable() const override { return false; }
    [[nodiscard]] std::uint64_t code_bytes_until(bus::Nanoseconds deadline) const override;
    void executed(std::uint64_t) override {}
    void wait_until(bus::Nanoseconds deadline) override;
    void set(bus::Nanoseconds now) override;

private:
    const StopSignal& stop_;
    bus::Nanoseconds start_;
    mutable TickTime ticks_;
    mutable bus::Nanoseconds latest_ = 0;
};

}  // namespace sla::machine
