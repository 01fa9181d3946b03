// LaneChecks: all interval checks of one lane, walked along its rows together, and over whole pages by their sums where these
// say that nothing in them matters (chunk_walk.h). Private to the room.
#pragma once

#include "viewer/analysis/intervals/interval_walks.h"
#include "viewer/analysis/limits/interval_check.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sla::analysis {

class LaneChecks {
public:
    // `counted`: from where events count as neighbours.
    LaneChecks(const store::Lane& lane, const Selection& range, const Selection& counted, std::uint64_t open_until)
        : lane_(&lane), channel_(lane, counted), spans_(lane, range, open_until) {}

    [[nodiscard]] const ChannelWalk& channel() const { return channel_; }

    // They outlive it.
    void add_gaps(IntervalCheck& check) {
        if (gaps_.empty()) channel_.follow_threads();
        gaps_.push_back(&check);
    }
    void add_widths(IntervalCheck& check) { widths_.push_back(&check); }

    // Of every page that may be passed, before anything is walked.
    void expect(const IntervalSums& sums) {
        for (IntervalCheck* check : gaps_) check->expect(sums.widths);
        for (IntervalCheck* check : widths_) check->expect(sums.spans);
    }
    void go_on(std::uint64_t row, std::uint64_t span) {
        if (!gaps_.empty()) {
            if (!channel_.knows_thread() && channel_.at() < std::min(row, lane_->size()) && matters_next())
                channel_.look_up_thread();
            channel_.go_on(row, [this](const Interval& interval) { take(gaps_, interval); });
        }
        if (!widths_.empty()) spans_.go_on(span, [this](const Interval& interval) { take(widths_, interval); });
    }
    void pass(const store::Page& page, const IntervalSums& sums) {
        if (!gaps_.empty() && may_pass_rows(page, sums)) {
            channel_.pass(page, sums, [this](const Interval& interval) { take(gaps_, interval); });
            take(gaps_, sums.widths);
        }
        if (!widths_.empty() && sums.cut == 0 && can_take(widths_, sums.spans) && spans_.can_pass(page, sums)) {
            spans_.pass(page, [this](const Interval& interval) { take(widths_, interval); });
            take(widths_, sums.spans);
        }
    }

private:
    using Checks = std::vector<IntervalCheck*>;
    template <typename What>
    static void take(const Checks& checks, const What& what) {
        for (IntervalCheck* check : checks) check->take(what);
    }
    static bool can_take(const Checks& checks, const WidthSums& sums) {
        return std::all_of(checks.begin(), checks.end(), [&](const IntervalCheck* check) { return check->can_take(sums); });
    }
    [[nodiscard]] bool are_harmless(std::uint64_t width) const {
        return std::all_of(gaps_.begin(), gaps_.end(), [=](const IntervalCheck* one) { return one->is_harmless(width); });
    }
    // The interval that leads into the page is of two stamps of which one is not known; it may not matter who made it.
    [[nodiscard]] bool may_pass_rows(const store::Page& page, const IntervalSums& sums) const {
        if (sums.lossy > 0 || !can_take(gaps_, sums.widths) || !channel_.can_pass(page, sums)) return false;
        if (!channel_.has_begun() || sums.events == 0) return true;
        return !channel_.is_lossy() && !sums.gap_before && are_harmless(sums.first_tick - channel_.last_tick());
    }
    // The same of the interval that leads to the next row.
    [[nodiscard]] bool matters_next() const {
        const store::Event next = (*lane_)[channel_.at()];
        return next.code == SLA_CODE_GAP || channel_.is_lossy() || !are_harmless(next.tick - channel_.last_tick());
    }

    const store::Lane* lane_;
    ChannelWalk channel_;
    SpanWalk spans_;
    Checks gaps_;
    Checks widths_;
};

}  // namespace sla::analysis
