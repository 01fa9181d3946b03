// What the error of a time between two ticks is made of, for people; it adds up to ClockMap::error_between.
#pragma once

#include "proto/time/clock_map.h"

#include <cstdint>
#include <string>

namespace sla::timeline {

// Picoseconds, each ±.
struct ErrorParts {
    std::int64_t granularity = 0;  // one tick at each end
    std::int64_t stamp = 0;        // what taking a stamp costs
    std::int64_t skew = 0;         // the counters of two cores are apart
    std::int64_t rate = 0;         // the clock's rate is known to so much, over this distance
    std::int64_t residual = 0;     // the clock's readings lie off their line
    std::int64_t breaks = 0;       // the counter jumped in between
    std::int64_t hosts = 0;        // stamps of other hosts were moved here

    [[nodiscard]] std::int64_t sum() const { return granularity + stamp + skew + rate + residual + breaks + hosts; }
};

ErrorParts error_parts(const time::ClockMap& clock, std::uint64_t from_tick, std::uint64_t to_tick, time::Stamps stamps);

// A line for each part that there is, the total last.
std::string words_of(const ErrorParts& parts);

}  // namespace sla::timeline
