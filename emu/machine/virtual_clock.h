// Time made of guest code: every byte of code run takes 2 ns, waiting jumps. The same guest sees the same time in every run.
#pragma once

#include "emu/bus/clock.h"

namespace sla::machine {

class VirtualClock final : public bus::Clock {
public:
    static constexpr bus::Nanoseconds kNanosecondsPerByte = 2;
    static constexpr std::uint64_t kMaxBytes = 1U << 20;  // so that a stop request is noticed soon

    [[nodiscard]] bus::Nanoseconds now() const override { return now_; }
    [[nodiscard]] bool repeatable() const override { return true; }
    [[nodiscard]] const bus::Nanoseconds* standing_time() const override { return &now_; }
    [[nodiscard]] std::uint64_t code_bytes_until(bus::Nanoseconds deadline) const override;
    void executed(std::uint64_t code_bytes) override;
    void wait_until(bus::Nanoseconds deadline) override;
    void set(bus::Nanoseconds now) override { now_ = now; }

private:
    bus::Nanoseconds now_ = 0;
};

}  // namespace sla::machine
