#include "emu/machine/paced_clock.h"

#include <poll.h>

#include <chrono>

namespace sla::machine {

namespace {

constexpr bus::Nanoseconds kMaxAhead = 2'000'000;
constexpr bus::Nanoseconds kMillisecond = 1'000'000;

bus::Nanoseconds host_now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

PacedClock::PacedClock(const StopSignal& stop, double speed) : stop_(stop), speed_(speed), start_(host_now()) {}

void PacedClock::executed(std::uint64_t code_bytes) {
    clock_.executed(code_bytes);
    hold_back();
}

void PacedClock::wait_until(bus::Nanoseconds deadline) {
    clock_.wait_until(deadline);
    hold_back();
}

// Whoever wants something need not wait for it.
void PacedClock::hold_back() const {
    for (;;) {
        const auto allowed = static_cast<bus::Nanoseconds>(static_cast<double>(host_now() - start_) * speed_);
        const bus::Nanoseconds ahead = clock_.now() - allowed;
        if (ahead <= kMaxAhead || stop_.requested() || stop_.attention()) return;
        const double milliseconds = static_cast<double>(ahead) / speed_ / static_cast<double>(kMillisecond);
        pollfd wake{stop_.descriptor(), POLLIN, 0};
        ::poll(&wake, 1, milliseconds > 100 ? 100 : static_cast<int>(milliseconds));
    }
}

void PacedClock::stand_still(bool stands) {
    if (stands) {
        stood_ = host_now();
    } else {
        start_ += host_now() - stood_;
    }
}

void PacedClock::set(bus::Nanoseconds now) {
    clock_.set(now);
    stood_ = host_now();
    start_ = stood_ - static_cast<bus::Nanoseconds>(static_cast<double>(now) / speed_);
}

}  // namespace sla::machine
