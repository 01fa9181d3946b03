// What the writers and readers of all formats have in common.
#pragma once

#include "proto/base/result.h"
#include "viewer/analysis/event_walk.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::formats {

// A writer counts rows, a reader bytes of its file (0 of all: not known).
using analysis::Progress;

struct ExportReport {
    std::uint64_t events = 0;           // written, loss rows included
    std::vector<std::string> left_out;  // what the format has no place for, a sentence each
};

// What a reader could not take over, a sentence each.
using Notes = std::vector<std::string>;

// Of a trace whose first time is far from 0 times count from there on. What it says of the time of day: 0, nothing, when it is
// none since 1970 but since a machine's start.
inline std::int64_t realtime_of_first(__int128 first_ps) {
    constexpr std::int64_t kIn2001 = 1'000'000'000'000'000'000;
    const __int128 ns = first_ps / 1000;
    return ns > kIn2001 && ns < INT64_MAX ? static_cast<std::int64_t>(ns) : 0;
}
inline std::string first_time_note(__int128 first_ps) {
    return "times count from the first event; it lay at " + std::to_string(static_cast<double>(first_ps) / 1e12) + " s";
}

// The stream broke (bad()): what was read of it is not all there is.
inline Error read_failed(int errno_value) {
    return system_error("it cannot be read to its end", errno_value);
}

}  // namespace sla::formats
