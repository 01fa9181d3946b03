#include "viewer/analysis/intervals/channel_passes.h"

#include "viewer/analysis/chunk_walk.h"
#include "viewer/analysis/intervals/interval_walks.h"
#include "viewer/analysis/intervals/level_walk.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace sla::analysis {

namespace {

// A channel that is not over, and what is known of it so far.
struct ChannelWidths {
    std::size_t lane = 0;  // place in the selection
    ExactIntervals of_channel;
    ExactIntervals of_spans;
    std::vector<ExactIntervals> of_levels;  // by LevelTime; none: it has no levels
    std::uint64_t unreadable = 0;

    // what(ExactIntervals&) for each.
    template <typename Do>
    void each(Do what) {
        what(of_channel);
        what(of_spans);
        for (ExactIntervals& intervals : of_levels) what(intervals);
    }
    [[nodiscard]] std::size_t bytes() {
        std::size_t bytes = 0;
        each([&](const ExactIntervals& intervals) { bytes += intervals.widths.bytes(); });
        return bytes;
    }
};

// One pass over one of them.
struct ChannelWalker {
    ChannelWalker(ChannelWidths& widths, const store::Lane& lane, const Selection& range, const Selection& counted)
        : of(&widths), channel(lane, counted), spans(lane, range) {
        of->each([](ExactIntervals& intervals) { intervals.begin_pass(); });
        if (!of->of_levels.empty()) levels.emplace(lane, counted);
    }
    void go_on(std::uint64_t row, std::uint64_t span) {
        channel.go_on(row, Collect{of->of_channel});
        spans.go_on(span, Collect{of->of_spans});
        if (!levels) return;
        levels->go_on(channel.at(), CollectLevels{of->of_levels});
    }
    void pass(const store::Page& /*page*/, const IntervalSums& /*sums*/) {}

    ChannelWidths* of;
    ChannelWalk channel;
    SpanWalk spans;
    std::optional<LevelWalk> levels;
};

class ChannelPasses {
public:
    ChannelPasses(const store::Session& session, const Selection& selection, const StatisticsOptions& options,
                  const WidthRoom& room)
        : session_(session), selection_(selection), options_(options), room_(room), done_(selection.lanes.size()) {}

    std::vector<StatisticsRow> run() {
        const std::size_t lanes = selection_.lanes.size();
        const std::size_t at_once = std::max<std::size_t>(room_.bytes / (kinds_of_widths_ * ExactWidths().bytes()), 1);
        for (std::size_t first = 0; first < lanes && !stopped_; first += at_once) {
            for (std::size_t lane = first; lane < std::min(first + at_once, lanes); ++lane) left_.push_back(fresh(lane));
            while (!left_.empty()) pass();
        }
        std::vector<StatisticsRow> rows;
        for (const LaneStatistics& of : done_) rows.insert(rows.end(), of.begin(), of.end());
        return rows;
    }

private:
    using LaneStatistics = std::vector<StatisticsRow>;

    [[nodiscard]] ChannelWidths fresh(std::size_t place) const {
        const store::Lane& lane = *selection_.lanes[place];
        const ExactWidths widths(room_.kept / (kinds_of_widths_ * selection_.lanes.size()), options_.cull);
        const Overhead overhead{overhead_ticks(session_, lane), options_.subtract_overhead};
        const std::uint64_t lost = lost_in(lane, selection_);
        const ExactIntervals fresh_ones{.widths = widths, .lost_events = lost, .overhead = overhead};
        return {place, fresh_ones, fresh_ones, std::vector<ExactIntervals>(lane.has_levels() ? kLevelTimes : 0, fresh_ones),
                0};
    }
    static std::size_t kinds_of_widths(const Selection& selection) {
        const auto has_levels = [](const store::Lane* lane) { return lane->has_levels(); };
        return 2 + (std::ranges::any_of(selection.lanes, has_levels) ? kLevelTimes : 0);
    }
    void pass();
    void walk(std::size_t count);
    void tell(const ChannelWidths& widths);

    const store::Session& session_;
    const Selection& selection_;
    const StatisticsOptions& options_;
    const WidthRoom& room_;
    const std::size_t kinds_of_widths_ = kinds_of_widths(selection_);  // of a lane, at most
    std::vector<LaneStatistics> done_;                                 // by lane
    std::vector<ChannelWidths> left_;
    double share_ = 0;  // of 1, each pass half of what is left: nobody knows how many there will be
    bool stopped_ = false;
};

// Over as many as there is room for; those that are over then leave.
void ChannelPasses::pass() {
    std::size_t count = 0;
    for (std::size_t bytes = 0; count < left_.size(); ++count) {
        bytes += left_[count].bytes();
        if (count > 0 && bytes > room_.bytes) break;
    }
    walk(count);
    std::vector<ChannelWidths> rest;
    for (std::size_t i = 0; i < left_.size(); ++i) {
        ChannelWidths& one = left_[i];
        if (i < count) {
            bool again = false;
            one.each([&](ExactIntervals& intervals) { again |= intervals.end_pass(); });
            if (!again || stopped_) tell(one);
            if (!again) continue;
        }
        if (!stopped_) rest.push_back(std::move(one));
    }
    left_ = std::move(rest);
}

void ChannelPasses::walk(std::size_t count) {
    std::vector<const store::Lane*> lanes;
    for (std::size_t i = 0; i < count; ++i) lanes.push_back(selection_.lanes[left_[i].lane]);
    const Selection some = with_lanes(selection_, lanes);
    const ChunkPlan plan(session_, some, false);
    const Selection counted = from_begin(session_, some);
    std::vector<ChannelWalker> walkers;
    walkers.reserve(count);
    for (std::size_t i = 0; i < count; ++i) walkers.emplace_back(left_[i], *lanes[i], some, counted);
    const double part = (1 - share_) / 2;
    walk_chunks(plan, walkers, [&](double share) {
        stopped_ = options_.progress && !options_.progress(share_ + part * share);
        return !stopped_;
    });
    share_ += part;
    for (ChannelWalker& walker : walkers) walker.of->unreadable = walker.channel.unreadable();
}

void ChannelPasses::tell(const ChannelWidths& widths) {
    const store::Lane& lane = *selection_.lanes[widths.lane];
    const std::string& name = lane.channel().name;
    LaneStatistics& rows = done_[widths.lane];
    Statistics numbers = statistics_of(widths.of_channel, stamp_times(session_));
    numbers.lost = widths.of_channel.lost_events + widths.unreadable;
    rows.push_back({name, "", numbers, &lane});
    if (!lane.spans().empty()) {
        rows.push_back({name, kSpanWidths, statistics_of(widths.of_spans, stamp_times(session_)), &lane});
    }
    for (std::size_t i = 0; i < widths.of_levels.size(); ++i)
        rows.push_back({name, level_time_name(i), statistics_of(widths.of_levels[i], stamp_times(session_)), &lane});
}

}  // namespace

std::vector<StatisticsRow> statistics_of_rows(const store::Session& session, const Selection& selection,
                                              const StatisticsOptions& options, const WidthRoom& room) {
    return ChannelPasses(session, selection, options, room).run();
}

}  // namespace sla::analysis
