// Ticks for events of a machine by a virtual clock: the guest's time, from the moment at which somebody first listened. Two rows are as
// far apart as the guest's time says, to some parts of a million, whatever that took here. Events of one instant are a tick apart, so
// that they keep their order; whoever writes one takes its tick here, so they rise over all channels.
//
//   take() ── ready? ── yes ──► next()      ready: begun, and nobody waits
//                    └─ no ───► what waits is shown, the guest's present found; then next()
//
// One thread, the machine's.
#pragma once

#include "emu/bus/clock.h"

#include <sla/marker.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace sla::tap {

class GuestTime {
public:
    // Who has events of this instant that nobody needs yet, since more of them may follow at once.
    class Waiting {
    public:
        // Others are to follow first: now.
        virtual void show_what_waits() = 0;

    protected:
        ~Waiting() = default;
    };

    // Once in a program, before its first marker. The clock, a standing one, outlives it.
    explicit GuestTime(const bus::Clock& clock);

    // The tick of the first of so many events of this instant, at least one, that somebody listens to; the others follow. The library
    // stamps with the last one what it loses.
    [[nodiscard]] std::uint64_t take(std::size_t events) {
        if (!is_ready_ && !make_ready()) return sla_now();
        const std::uint64_t first = next(events);
        tell_library();
        return first;
    }

    // The same for who writes ten million a second, each with its tick: next() while it is ready. The library does not know of these
    // ticks.
    [[nodiscard]] bool is_ready() const { return is_ready_; }
    [[nodiscard]] std::uint64_t next(std::size_t events) {
        const std::uint64_t first = std::max(start_tick_ + passed(*now_), last_tick_ + 1);
        last_tick_ = first + events - 1;
        return first;
    }
    // What it stamps with, before it is to stamp.
    void tell_library() const { sla_own_clock(last_tick_); }

    // It is shown before the next event of anybody, unless it goes on before: then nobody had any. At most one waits.
    void wait(Waiting& waiting) {
        waiting_ = &waiting;
        is_ready_ = false;
    }
    // False: it was shown.
    [[nodiscard]] bool go_on() {
        is_ready_ = begun_;
        return std::exchange(waiting_, nullptr) != nullptr;
    }

    // The clock was set: rows go on from where they are.
    void clock_was_set();

private:
    // False: nobody listens.
    bool make_ready();
    // The guest's present is the machine's when somebody listens for the first time.
    bool begin();
    [[nodiscard]] std::uint64_t passed(bus::Nanoseconds time) const {
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<double>(time) * ticks_per_nanosecond_));
    }

    const bus::Nanoseconds* now_;
    bool is_ready_ = false;
    bool begun_ = false;
    Waiting* waiting_ = nullptr;
    double ticks_per_nanosecond_ = 1;
    std::uint64_t start_tick_ = 0;
    std::uint64_t last_tick_ = 0;
};

}  // namespace sla::tap
