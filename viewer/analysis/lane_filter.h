// LaneFilter: an EventFilter made ready for one lane: what its names decide is decided once, and a condition on values or
// kinds runs down the columns. 1 to 4 ns a row (tests/bench/export_bench), and nothing at all for a lane that cannot match,
// or for a page of which its sums say that no row does: it is not even read.
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
    // The first that may match as far as the lane's and its pages' sums tell; reads nothing.
    [[nodiscard]] std::uint64_t next_possible(std::uint64_t from, std::uint64_t until) const;

private:
    enum class Answer : std::uint8_t { kNever, kAlways, kInRange, kAskEach };
    // What can be said of part of the condition for every row of the lane, or of one page of it.
    Answer fold(std::size_t node, const store::Page* page) const;
    // Of the page with that row, if it is in one.
    void look_at_page(std::uint64_t index) const;
    void set_range(const EventFilter::Node& node);
    [[nodiscard]] std::uint64_t next_in_range(std::uint64_t from, std::uint64_t until) const;
    [[nodiscard]] std::uint64_t next_of_each(std::uint64_t from, std::uint64_t until) const;

    const EventFilter& filter_;
    const store::Session& session_;
    const store::Lane& lane_;
    Answer answer_;
    // Of the rows [page_first_, page_end_), those looked at last.
    mutable Answer page_answer_ = Answer::kAskEach;
    mutable std::uint64_t page_first_ = 0;
    mutable std::uint64_t page_end_ = 0;
    // kInRange: values between these match; none do when low is above high.
    std::int64_t signed_low_ = 1;
    std::int64_t signed_high_ = 0;
    std::uint64_t unsigned_low_ = 1;
    std::uint64_t unsigned_high_ = 0;
};

}  // namespace sla::analysis
