// GapTable: every gap row of a lane, in order, with the sums that questions about them need. What was lost is told apart
// from what was only not kept (LossCause::kNotKept), which is rare: a row or two for each reader. Owner: the lane's.
//
// Of those that were forgotten the sums stay: lost(), count(), and sum() of a range with all of them in it.
#pragma once

#include "proto/wire/event.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace sla::store {

// One loss row.
struct Gap {
    std::uint64_t index = 0;
    std::uint64_t tick = 0;
    std::uint64_t until_tick = 0;  // losses lie in [tick, until_tick]; never below tick; `tick`: nobody knows until when
    std::uint64_t lost = 0;
    std::uint64_t lost_before = 0;  // sum over all earlier gaps of the lane, what was not kept too
    wire::LossCause cause = wire::LossCause::kNone;

    [[nodiscard]] bool has_end() const { return until_tick > tick; }
    [[nodiscard]] bool is_not_kept() const { return cause == wire::LossCause::kNotKept; }
    // Something is missing, and nobody knows how many.
    [[nodiscard]] bool is_uncounted() const { return lost == 0 && cause != wire::LossCause::kLeftOut; }
};

class GapTable {
public:
    // `gap.lost_before` is set here. Of more than can be missing (kMostMissing in all) nobody knows how many: a number that a
    // broken program or file made up would wrap the sums.
    void add(Gap gap);
    static constexpr std::uint64_t kMostMissing = std::uint64_t{1} << 56;

    // The oldest ones, of rows before that one, that have nothing to do with what happened behind that tick.
    void forget(std::uint64_t row, std::uint64_t tick);

    [[nodiscard]] const std::deque<Gap>& all() const { return gaps_; }
    // With those that were forgotten.
    [[nodiscard]] std::uint64_t count() const { return forgotten_ + gaps_.size(); }
    // Without what was only not kept.
    [[nodiscard]] std::uint64_t lost() const { return missing_ - not_kept(); }
    [[nodiscard]] std::uint64_t not_kept() const { return lost(wire::LossCause::kNotKept); }
    // Loss rows that do not know how many.
    [[nodiscard]] std::uint64_t uncounted() const { return uncounted_; }
    [[nodiscard]] std::uint64_t lost(wire::LossCause cause) const { return by_cause_[static_cast<std::size_t>(cause)]; }
    // Null when the row is no gap.
    [[nodiscard]] const Gap* at(std::uint64_t index) const;
    // First gap whose until_tick could reach `tick`, as a position in all().
    [[nodiscard]] std::size_t first_touching(std::uint64_t tick) const;
    struct Missing {
        std::uint64_t lost = 0;
        std::uint64_t not_kept = 0;
        bool are_losses_counted = true;  // no loss row does not know how many
        bool is_all_counted = true;      // nor does one of what was not kept
        bool is_left_out = false;        // some were left out on purpose, and nobody counted them
    };
    // By those with a tick in [from, until).
    [[nodiscard]] Missing missing_between(std::uint64_t from, std::uint64_t until) const;
    struct Sum {
        std::uint64_t gaps = 0;
        std::uint64_t lost = 0;  // and not kept
    };
    // Of the rows [first, last).
    [[nodiscard]] Sum sum(std::uint64_t first, std::uint64_t last) const;
    // The first gap behind that position in all() of the other sort: of what was not kept, or of what was lost.
    [[nodiscard]] std::size_t end_of_sort(std::size_t position) const;

private:
    std::deque<Gap> gaps_;
    std::deque<std::uint64_t> reach_;  // latest until_tick of the gaps so far
    std::array<std::uint64_t, static_cast<std::size_t>(wire::kLastLossCause) + 1> by_cause_{};
    std::vector<std::size_t> not_kept_;  // positions
    std::uint64_t missing_ = 0;
    std::uint64_t uncounted_ = 0;
    std::uint64_t left_out_ = 0;
    std::uint64_t forgotten_ = 0;
    std::uint64_t forgotten_before_ = 0;  // rows of these
};

}  // namespace sla::store
