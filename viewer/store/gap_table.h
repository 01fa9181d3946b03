// GapTable: every loss row of a lane, in order, with the sums that questions about losses need. Owner: the lane's.
#pragma once

#include "proto/wire/event.h"

#include <array>
#include <cstdint>
#include <deque>

namespace sla::store {

// One loss row.
struct Gap {
    std::uint64_t index = 0;
    std::uint64_t tick = 0;
    std::uint64_t until_tick = 0;  // losses lie in [tick, until_tick]; never below tick; `tick`: nobody knows until when
    std::uint64_t lost = 0;
    std::uint64_t lost_before = 0;  // sum over all earlier gaps of the lane
    wire::LossCause cause = wire::LossCause::kNone;

    [[nodiscard]] bool has_end() const { return until_tick > tick; }
    // Something was lost, and nobody knows how many.
    [[nodiscard]] bool is_uncounted() const { return lost == 0 && cause != wire::LossCause::kLeftOut; }
};

class GapTable {
public:
    // `gap.lost_before` is set here.
    void add(Gap gap);

    [[nodiscard]] const std::deque<Gap>& all() const { return gaps_; }
    [[nodiscard]] std::uint64_t lost() const { return lost_; }
    // Loss rows that do not know how many.
    [[nodiscard]] std::uint64_t uncounted() const { return uncounted_; }
    [[nodiscard]] std::uint64_t lost(wire::LossCause cause) const { return by_cause_[static_cast<std::size_t>(cause)]; }
    // Null when the row is no gap.
    [[nodiscard]] const Gap* at(std::uint64_t index) const;
    // First gap whose until_tick could reach `tick`, as a position in all().
    [[nodiscard]] std::size_t first_touching(std::uint64_t tick) const;
    // By those with a tick in [from, until).
    [[nodiscard]] std::uint64_t lost_between(std::uint64_t from, std::uint64_t until) const;
    [[nodiscard]] bool has_uncounted(std::uint64_t from, std::uint64_t until) const;
    struct Sum {
        std::uint64_t gaps = 0;
        std::uint64_t lost = 0;
    };
    // Of the rows [first, last).
    [[nodiscard]] Sum sum(std::uint64_t first, std::uint64_t last) const;

private:
    std::deque<Gap> gaps_;
    std::deque<std::uint64_t> reach_;  // latest until_tick of the gaps so far
    std::array<std::uint64_t, static_cast<std::size_t>(wire::kLastLossCause) + 1> by_cause_{};
    std::uint64_t lost_ = 0;
    std::uint64_t uncounted_ = 0;
};

}  // namespace sla::store
