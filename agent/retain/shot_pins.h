// The windows of shots that must not be given up, and what became of them.
//
//   shots, oldest first   [────] [──────]      [───]
//                             [───]
//   intervals             [───────]────]       [───]      merged and disjoint: one binary search an evicted batch
//
// A shot that goes changes the interval that it was in alone, and costs as many windows as it takes to cover its own.
// One owner at a time (Retention, under its lock).
#pragma once

#include "proto/base/strong_id.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace sla::retain {

struct Interval {
    std::uint64_t first = 0;
    std::uint64_t last = 0;  // both included
    SourceId time{};         // the source that makes up the time that they are of; none: the machine's clock
};

class ShotPins {
public:
    // `is_whole`: nothing of the window has been given up before.
    void add(std::uint32_t trigger, Interval window, bool is_whole);

    [[nodiscard]] bool any() const { return !shots_.empty(); }
    [[nodiscard]] std::size_t size() const { return shots_.size(); }
    // Some window needs a batch that begins at `first` and says what holds until before `until`.
    [[nodiscard]] bool reach(std::uint64_t first, std::uint64_t until) const;

    // Gives up the oldest window; of the last one left an eighth of it, from its beginning. From when until when nothing needs
    // what was in it any more; none: other windows need all of it. Only when there is any.
    std::optional<Interval> shrink();

    // The window of that shot, as it was added, ends at `last` already. From when until when nothing needs what was in it any
    // more; none: other windows need all of it, or it is not protected any more.
    std::optional<Interval> cut(std::uint32_t trigger, const Interval& window, std::uint64_t last);

    // Some shot is not protected any more, but was held whole until now.
    [[nodiscard]] bool any_loose() const { return !loose_.empty(); }
    // A batch with events within it was given up.
    void give_up(const Interval& events);

    // Shots of this trigger whose window is not held whole, gone ones included.
    [[nodiscard]] std::uint64_t lacking(std::uint32_t trigger) const;

private:
    static constexpr std::size_t kMaxLoose = 64;  // of older ones it is taken for granted that something went
    struct Shot {
        std::uint32_t trigger;
        Interval window;
        std::uint64_t eighth;
        bool is_protected_whole;
    };
    struct Loose {
        std::uint32_t trigger;
        Interval window;
    };
    void take_in(Interval window);
    std::optional<Interval> let_go(const Interval& gone);
    [[nodiscard]] std::vector<Interval> uncovered(const Interval& part, std::uint64_t from) const;

    std::deque<Shot> shots_;
    std::multiset<std::pair<std::uint64_t, std::uint64_t>> windows_;  // first and last of all of them
    std::deque<Loose> loose_;
    std::vector<Interval> intervals_;
    std::map<std::uint32_t, std::uint64_t> lacking_;  // by trigger
};

}  // namespace sla::retain
