// What is known of the clock that stamps, in words: the same wherever the window says it.
#pragma once

#include "viewer/store/session.h"

#include <optional>
#include <string>

namespace sla::timeline {

struct ClockWords {
    std::string stamps;    // "TSC", "CLOCK_MONOTONIC_RAW"; "" where it is not known which clock it is, or none was read
    std::string rate;      // "2.700 000 GHz"; where nobody measured it "ticks of 1 ns"
    std::string known_to;  // "±0.12 ppb", never "±0"; "" where nobody measured it
};

// Nothing: neither a reading of the clock nor anything of an agent is there.
std::optional<ClockWords> clock_words(const store::Session& session);

}  // namespace sla::timeline
