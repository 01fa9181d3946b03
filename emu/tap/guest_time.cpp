#include "emu/tap/guest_time.h"

#include "proto/base/check.h"

#include <ctime>

namespace sla::tap {

namespace {

std::int64_t machine_nanoseconds() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

struct Reading {
    std::uint64_t tick = 0;
    std::int64_t nanoseconds = 0;
};

// The narrowest of some pairs of ticks around a reading of the clock.
Reading read_both() {
    Reading best;
    std::uint64_t narrowest = ~std::uint64_t{0};
    for (int round = 0; round < 64; ++round) {
        const std::uint64_t before = sla_machine_now();
        const std::int64_t nanoseconds = machine_nanoseconds();
        const std::uint64_t width = sla_machine_now() - before;
        if (width >= narrowest) continue;
        narrowest = width;
        best = {before + width / 2, nanoseconds};
    }
    return best;
}

// Over 30 ms, to some parts of a million.
double measure_ticks_per_nanosecond() {
    constexpr timespec kSpan{0, 30'000'000};
    const Reading first = read_both();
    ::nanosleep(&kSpan, nullptr);
    const Reading last = read_both();
    return static_cast<double>(last.tick - first.tick) / static_cast<double>(last.nanoseconds - first.nanoseconds);
}

}  // namespace

GuestTime::GuestTime(const bus::Clock& clock) : now_(clock.standing_time()) {
    SLA_CHECK(now_ != nullptr);
    sla_own_clock(sla_machine_now());
}

bool GuestTime::make_ready() {
    if (Waiting* waiting = waiting_; go_on()) waiting->show_what_waits();
    is_ready_ = begun_ || begin();
    return is_ready_;
}

bool GuestTime::begin() {
    if (sla_attach() == 0) return false;
    begun_ = true;
    ticks_per_nanosecond_ = measure_ticks_per_nanosecond();
    const std::uint64_t now = sla_machine_now();
    start_tick_ = now - std::min(now, passed(*now_));
    return true;
}

void GuestTime::clock_was_set() {
    if (!begun_) return;
    start_tick_ = last_tick_ - passed(*now_);  // may wrap, and back
}

}  // namespace sla::tap
