// What of a channel's history is no longer held: known exactly, though the events are gone.
#pragma once

#include <algorithm>
#include <cstdint>

namespace sla::retain {

// Some batches of one channel.
struct GivenUp {
    std::uint64_t batches = 0;
    std::uint64_t rows = 0;
    std::uint64_t offered = 0;     // events, plus the events that their gap rows stand for
    std::uint64_t first_tick = 0;  // of the oldest event; both mean nothing without a batch
    std::uint64_t last_tick = 0;   // of the newest one, or of a loss that lasted longer; of events alone in Held

    [[nodiscard]] bool any() const { return batches > 0; }
    void add(const GivenUp& other) {
        if (!other.any()) return;
        first_tick = any() ? std::min(first_tick, other.first_tick) : other.first_tick;
        last_tick = std::max(last_tick, other.last_tick);
        batches += other.batches;
        rows += other.rows;
        offered += other.offered;
    }
    // Some of it may lie within these ticks.
    [[nodiscard]] bool reaches(std::uint64_t from, std::uint64_t until) const {
        return any() && last_tick >= from && first_tick <= until;
    }
};

}  // namespace sla::retain
