// What many runs of one thing counted, in a few numbers.
//
//   n        how often it was counted, before any culling
//   culled   of these, left out of the numbers that follow as outliers, by the rule of viewer/analysis/intervals/statistics.h: more than
//            p75 + 3 * (p75 - p25), where that distance counts as 1/64 of p75 and as 2 at least. Interrupts and cold caches
//            only ever add, so nothing is culled below
//   median   nearest rank: the smallest number that at least half of them do not exceed
//   spread   standard deviation (divided by the number of those kept)
#pragma once

#include <cstdint>
#include <map>

namespace sla::counters {

// How often each number came.
using Counts = std::map<std::uint64_t, std::uint64_t>;

struct Summary {
    std::uint64_t n = 0;
    std::uint64_t culled = 0;
    double min = 0;
    double mean = 0;
    double median = 0;
    double max = 0;
    double spread = 0;
};

Summary summary_of(const Counts& counts);

}  // namespace sla::counters
