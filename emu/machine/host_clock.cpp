#include "emu/machine/host_clock.h"

#include "proto/time/tick_clock.h"

#include <poll.h>
#include <sys/prctl.h>

#include <algorithm>
#include <ctime>

namespace sla::machine {

namespace {

constexpr bus::Nanoseconds kSecond = 1'000'000'000;
// Below this a sleep ends later than the deadline more often than not.
constexpr bus::Nanoseconds kShortestSleep = 20'000;
// A look at the clock costs about 30 ns; a guest runs 4096 bytes of code in a few microseconds.
constexpr bus::Nanoseconds kMinBytes = 128;
constexpr bus::Nanoseconds kMaxBytes = 4096;

bus::Nanoseconds monotonic() {
    timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * kSecond + time.tv_nsec;
}

TickTime::Reading read_both() {
    const std::uint64_t before = time::read_tsc();
    const bus::Nanoseconds now = monotonic();
    const std::uint64_t width = time::read_tsc() - before;
    return {before + width / 2, now, width};
}

}  // namespace

HostClock::HostClock(const StopSignal& stop) : stop_(stop), start_(monotonic()), ticks_(read_both) {
    ::prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL);  // the default adds 50 us to every sleep
}

bus::Nanoseconds HostClock::now() const {
    const bus::Nanoseconds time = held() == 0 ? monotonic() : ticks_.at(held());
    return latest_ = std::max(latest_, time - start_);
}

std::uint64_t HostClock::code_bytes_until(bus::Nanoseconds deadline) const {
    return static_cast<std::uint64_t>(std::clamp(deadline - now(), kMinBytes, kMaxBytes));
}

void HostClock::wait_until(bus::Nanoseconds deadline) {
    const bus::Nanoseconds left = deadline - now();
    if (left < kShortestSleep) return;
    const timespec timeout{left / kSecond, left % kSecond};
    pollfd wake{stop_.descriptor(), POLLIN, 0};
    ::ppoll(&wake, 1, &timeout, nullptr);
}

void HostClock::set(bus::Nanoseconds now) {
    start_ = monotonic() - now;
    latest_ = now;
}

}  // namespace sla::machine
