// Intervals: what was counted in one interval after the other, from readings that grow. One owner.
//
// Each interval is scaled up by what its own readings say of sharing: estimates of all since the beginning may shrink.
#pragma once

#include "viewer/counters/reading.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sla::counters {

// In the order of the events; nothing: not known.
using EventReadings = std::vector<std::optional<Reading>>;
using EventCounts = std::vector<std::optional<std::uint64_t>>;

struct IntervalCounts {
    EventCounts counts;
    std::vector<std::size_t> estimates;  // which of them were scaled up
};

class Intervals {
public:
    explicit Intervals(EventReadings at_start) : before_(std::move(at_start)) {}

    // What came since the call before. What is not known falls into a later interval.
    IntervalCounts next(const EventReadings& now);

private:
    EventReadings before_;
};

}  // namespace sla::counters
