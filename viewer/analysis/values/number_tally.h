// NumberTally: what one pass over a lane's numbers tells of them in bounded memory: all but the numbers at some ranks, and of
// these the bounds between which the next pass has to look (RankSearch).
//
//   whole numbers from -65536 to 65535   counted, 1 MiB, when the sample is full for the first time, half of it are such, and
//                                        there is room (TallyRoom)
//   all others                           a sample
//
// Cost: a ns for what is counted; 8 ns another whole number, 12 ns a real one. One owner.
#pragma once

#include "viewer/analysis/values/exact_sums.h"
#include "viewer/analysis/values/rank_search.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sla::analysis {

// What the tallies of one pass share.
struct TallyRoom {
    std::size_t keys_each = 0;      // in a sample
    std::size_t counted_lanes = 0;  // that may still begin to count
};

class NumberTally {
public:
    static constexpr std::uint64_t kCountedEachSide = 65536;

    explicit NumberTally(TallyRoom& room) : room_(&room), sample_(room.keys_each) {}

    // Of an event whose code has a value.
    void add(std::uint8_t code, std::uint64_t value);
    // Nothing is added any more.
    void end();

    // The rest after end().
    [[nodiscard]] std::uint64_t size() const { return sums_.count(); }
    [[nodiscard]] std::uint64_t not_numbers() const { return not_numbers_; }
    [[nodiscard]] const ExactSums& sums() const { return sums_; }
    // Not when empty.
    [[nodiscard]] NumberKey least() const { return least_; }
    [[nodiscard]] NumberKey greatest() const { return greatest_ ^ 1; }
    // The number at that rank (1 to size()); nothing: search_for() finds it.
    [[nodiscard]] std::optional<NumberKey> at_rank(std::uint64_t rank) const;
    [[nodiscard]] RankSearch search_for(std::uint64_t rank) const;
    // Some whole number is 0, which is told then of -0, too.
    [[nodiscard]] bool has_zero() const { return has_zero_; }

private:
    [[nodiscard]] bool is_counted(std::int64_t number) const {
        return static_cast<std::uint64_t>(number) + kCountedEachSide < counts_.size();
    }
    void keep(NumberKey key);
    void start_counting();

    TallyRoom* room_;
    KeySample sample_;
    std::vector<std::uint64_t> counts_;  // of -65536 to 65535; empty: none is counted
    ExactSums sums_;                     // until end() without what is counted
    NumberKey least_ = ~NumberKey{0};
    NumberKey greatest_ = 0;  // with the last bit the other way: the whole one of equal numbers
    std::uint64_t not_numbers_ = 0;
    bool has_zero_ = false;
    std::vector<WeightedKey> sorted_;  // from end() on
};

}  // namespace sla::analysis
