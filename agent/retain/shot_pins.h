// The windows of shots that must not be given up, and what became of them.
//
//   shots, oldest first   [────] [──────]      [───]
//                             [───]
//   intervals             [───────]────]       [───]      merged and disjoint: one binary search an evicted batch
//
// One owner at a time (Retention, under its lock).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace sla::retain {

struct Interval {
    std::uint64_t first = 0;
    std::uint64_t last = 0;  // both included
};

class ShotPins {
public:
    // `is_whole`: nothing of the window has been given up before.
    void add(std::uint32_t trigger, Interval window, bool is_whole);

    [[nodiscard]] bool any() const { return !shots_.empty(); }
    [[nodiscard]] std::size_t size() const { return shots_.size(); }
    // Some window needs a batch that begins at `first` and tells what holds until before `until`.
    [[nodiscard]] bool reach(std::uint64_t first, std::uint64_t until) const;

    // Gives up the oldest window; of the last one left an eighth of it, from its beginning. What no longer counts. Only when
    // there is any.
    Interval shrink();

    // Shots of this trigger whose window is not held whole, gone ones included.
    [[nodiscard]] std::uint64_t lacking(std::uint32_t trigger) const;

private:
    struct Shot {
        std::uint32_t trigger;
        Interval window;
        std::uint64_t eighth;
        bool is_whole;
    };
    void merge();

    std::deque<Shot> shots_;
    std::vector<Interval> intervals_;
    std::map<std::uint32_t, std::uint64_t> lacking_;  // by trigger
};

}  // namespace sla::retain
