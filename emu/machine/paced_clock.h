// A virtual clock that real time holds back: it never runs ahead of `speed` times the host's clock by more than a few
// milliseconds, and time for which it stood still does not count. The guest sees the same times as without, so runs stay
// repeatable.
#pragma once

#include "emu/machine/stop_signal.h"
#include "emu/machine/virtual_clock.h"

namespace sla::machine {

class PacedClock final : public bus::Clock {
public:
    PacedClock(const StopSignal& stop, double speed);

    [[nodiscard]] bus::Nanoseconds now() const override { return clock_.now(); }
    [[nodiscard]] bool repeatable() const override { return true; }
    [[nodiscard]] const bus::Nanoseconds* standing_time() const override { return clock_.standing_time(); }
    [[nodiscard]] std::uint64_t code_bytes_until(bus::Nanoseconds deadline) const override {
        return clock_.code_bytes_until(deadline);
    }
    void executed(std::uint64_t code_bytes) override;
    void wait_until(bus::Nanoseconds deadline) override;
    void stand_still(bool stands) override;
    void set(bus::Nanoseconds now) override;

private:
    void hold_back() const;

    VirtualClock clock_;
    const StopSignal& stop_;
    double speed_;
    bus::Nanoseconds start_;      // by the host's clock
    bus::Nanoseconds stood_ = 0;  // likewise: since when it stands still
};

}  // namespace sla::machine
