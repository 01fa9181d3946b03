// Ticks for events of a machine by a virtual clock: the guest's time, from the moment at which somebody first listened. Two rows are as
// far apart as the guest's time says, to some parts of a million, whatever that took here. Events of one instant are a tick apart, so
// that they keep their order; whoever writes one takes its tick here, so they rise over all channels.
//
// One thread, the machine's.
#pragma once

#include "emu/bus/clock.h"

#include <sla/marker.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace sla::tap {

class GuestTime {
public:
    // Once in a program, before its first marker. The clock outlives it.
    explicit GuestTime(const bus::Clock& clock);

    // The tick of the first of so many events of this instant, at least one, that somebody listens to; the others follow. The library
    // stamps with the last one what it loses.
    [[nodiscard]] std::uint64_t take(std::size_t events) {
        if (!begun_ && !begin()) return sla_now();
        if (const bus::Nanoseconds now = clock_.now(); now != known_) {
            known_ = now;
            tick_ = start_tick_ + passed(now);
        }
        const std::uint64_t first = std::max(tick_, last_tick_ + 1);
        last_tick_ = first + events - 1;
        sla_own_clock(last_tick_);
        return first;
    }

    // The clock was set: rows go on from where they are.
    void clock_was_set();

private:
    // The guest's present is the machine's when somebody listens for the first time. False: nobody does.
    bool begin();
    [[nodiscard]] std::uint64_t passed(bus::Nanoseconds time) const {
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<double>(time) * ticks_per_nanosecond_));
    }

    const bus::Clock& clock_;
    bool begun_ = false;
    double ticks_per_nanosecond_ = 1;
    std::uint64_t start_tick_ = 0;
    bus::Nanoseconds known_ = std::numeric_limits<bus::Nanoseconds>::min();  // the instant that tick_ is of
    std::uint64_t tick_ = 0;
    std::uint64_t last_tick_ = 0;
};

}  // namespace sla::tap
