// LaneFilter: an EventFilter made ready for one lane: what its names decide is decided once, and a condition on values or
// kinds runs down the columns. 1 to 4 ns a row (tests/bench/export_bench), and nothing at all for a lane that cannot match.
#pragma once

#include "viewer/analysis/event_filter.h"

#include <cstdint>
#include <limits>

namespace sla::analysis {

class LaneFilter {
public:
    // All three outlive it.
    LaneFilter(const EventFilter& filter, const store::Session& session, const store::Lane& lane);

    // The first row of [from, until) that matches; until when none does.
    [[nodiscard]] std::uint64_t next(std::uint64_t from, std::uint64_t until) const;

private:
    enum class Answer : std::uint8_t { kNever, kAlways, kInRange, kAskEach };
    // What can be said of part of the condition for every row of the lane.
    Answer fold(std::size_t node) const;
    void set_range(const EventFilter::Node& node);
    [[nodiscard]] std::uint64_t next_in_range(std::uint64_t from, std::uint64_t until) const;

    const EventFilter& filter_;
    const store::Session& session_;
    const store::Lane& lane_;
    Answer answer_;
    // kInRange: values between these match; none do when low is above high.
    std::int64_t signed_low_ = 1;
    std::int64_t signed_high_ = 0;
    std::uint64_t unsigned_low_ = 1;
    std::uint64_t unsigned_high_ = 0;
};

}  // namespace sla::analysis
