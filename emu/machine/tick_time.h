// The host's clock at ticks of the TSC that were read just now, for a third of what reading it takes: from a reading of both that is less
// than a millisecond old, and how long ticks were lately.
//
//   base ───────── 27 ms or more ───────── read both ── less than 1 ms ──► tick
//
// A counter whose ticks are not of one length is not relied on: then, and at first, each tick asked for has a reading of its own.
#pragma once

#include "emu/bus/clock.h"

#include <cstdint>
#include <functional>

namespace sla::machine {

class TickTime {
public:
    struct Reading {
        std::uint64_t tick = 0;
        bus::Nanoseconds time = 0;
        std::uint64_t width = 0;  // in ticks: how long it took
    };

    explicit TickTime(std::function<Reading()> read) : read_(std::move(read)) {}

    [[nodiscard]] bus::Nanoseconds at(std::uint64_t tick) {
        const std::uint64_t past = tick - last_.tick;
        return past < reach_ ? last_.time + nanoseconds(past) : look(tick);
    }

private:
    [[nodiscard]] bus::Nanoseconds nanoseconds(std::uint64_t ticks) const {
        return static_cast<bus::Nanoseconds>(ticks * scaled_length_ >> kScale);
    }
    bus::Nanoseconds look(std::uint64_t tick);
    void measure();

    static constexpr unsigned kScale = 32;

    std::function<Reading()> read_;
    Reading last_;
    Reading base_;                     // since when ticks are measured; of tick 0: never
    std::uint64_t reach_ = 0;          // so far from the last reading ticks are relied on
    double length_ = 0;                // of a tick, in nanoseconds
    std::uint64_t scaled_length_ = 0;  // the same, for a multiplication that takes a third of one in floating point
    bool is_steady_ = false;
};

}  // namespace sla::machine
