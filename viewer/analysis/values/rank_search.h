// RankSearch: the number at one rank among any number of them, exact, in a few passes over all of them: each pass knows from
// the one before between which two numbers it lies, counts those below and keeps those between, or a sample of them, of which
// the next pass's two bounds come.
//
//   pass 1   min ■ ■ ■ ■ ■ ■ ■ max       a sample of all (NumberTally)
//   pass 2            from ■■■■ to       all between: it is one of them; else a sample ...
//
// Of a million in the sample 1 of 200 lies between the bounds of a median: two passes are enough for hundreds of millions.
// A rank outside of the bounds, which a sample allows, costs another pass; what is sure shrinks with each, so there is an end.
//
// Cost: a ns a number and pass.
// Value type.
#pragma once

#include "viewer/analysis/values/key_sample.h"

#include <cstdint>
#include <optional>
#include <span>

namespace sla::analysis {

// Some numbers of a sample's, or so many equal ones.
struct WeightedKey {
    NumberKey key = 0;
    double weight = 1;
    bool is_sampled = false;  // it stands for others
};

struct KeyBounds {
    NumberKey from = 0;
    NumberKey to = 0;
};
// Two numbers between which the rank (from 1) lies most likely, of keys that are sorted.
KeyBounds likely_bounds(std::span<const WeightedKey> keys, double rank, const KeyBounds& within);

class RankSearch {
public:
    // `all`: the least and the greatest number; `bounds` lie within; both of value_of().
    RankSearch(std::uint64_t rank, const KeyBounds& bounds, const KeyBounds& all) : rank_(rank), sure_(all) {
        go_to(bounds);
    }

    // Before a pass: how many keys it may keep.
    void begin(std::size_t most);
    // Every number of the pass.
    void add(NumberKey key) {
        const std::uint64_t begin = begin_of(key);
        below_ += begin < begin_of(bounds_.from) ? 1 : 0;
        if (begin - begin_of(bounds_.from) <= width_) add_near(key);
    }
    // After it: the number, when it is known; of equal ones a whole number when there is any.
    std::optional<NumberKey> end();

private:
    // Its first 64 bits, which nearly always say on which side of the bounds it lies.
    [[nodiscard]] static constexpr std::uint64_t begin_of(NumberKey key) { return static_cast<std::uint64_t>(key >> 15); }
    void go_to(const KeyBounds& bounds);
    void add_near(NumberKey key);
    [[nodiscard]] NumberKey found_between(std::uint64_t rank);
    [[nodiscard]] KeyBounds bounds_between(std::uint64_t rank);

    struct Equal {
        std::uint64_t count = 0;
        bool has_whole = false;
        void add(NumberKey key) {
            ++count;
            has_whole = has_whole || is_whole(key);
        }
        [[nodiscard]] NumberKey of(NumberKey value) const { return has_whole ? value & ~NumberKey{1} : value; }
    };

    std::uint64_t rank_;
    KeyBounds sure_;           // it lies within, whatever a sample says
    KeyBounds bounds_;         // of this pass
    std::uint64_t width_ = 0;  // of begin_of() the bounds
    std::uint64_t below_ = 0;
    Equal from_;
    Equal to_;  // nothing where both bounds are one
    KeySample between_{0};
};

}  // namespace sla::analysis
