// Intervals: the time between two events, collected for statistics or looked at one by one.
//
//   of a channel    from each event to the next one
//   of spans        from each begin to its end
//   of a pair A:B   from each start of A to the first start of B at or after it. A start is any event, but of spans the
//   begin and of
//                   levels the rise to high
//
// An interval within which either channel lost events is not counted as an interval, but in `lost_intervals`: nobody knows
// what lay in it. A loss lasts as long as it says, whatever rows come meanwhile (loss_reach.h): what begins before its end
// is lossy too, and a level's first rise behind it may be none. `unfinished` counts what was begun and had no end of its
// own: an A followed by another A, a span cut or still open. Units: ticks. Both ends lie in the selection's range.
#pragma once

#include "viewer/analysis/intervals/binned_widths.h"
#include "viewer/analysis/intervals/exact_widths.h"
#include "viewer/analysis/intervals/width_counts.h"
#include "viewer/analysis/selection.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>

namespace sla::analysis {

enum class IntervalState {
    kWhole,
    kLossy,       // events were lost inside
    kUnfinished,  // no end of its own; end_tick is as far as it is known to have lasted
};

struct Interval {
    std::uint64_t begin_tick = 0;
    std::uint64_t end_tick = 0;
    bool one_thread = true;  // both stamps are of the same thread
    IntervalState state = IntervalState::kWhole;

    [[nodiscard]] std::uint64_t width() const { return end_tick - begin_tick; }
};

// In order of begin for channels and spans, of end for pairs. `open_until`: what is open was so until then, at least.
using IntervalVisitor = std::function<void(const Interval&)>;
void each_channel_interval(const store::Lane& lane, const Selection& range, const IntervalVisitor& visit);
// Of a level: each high time. One that is not over lasts at least until then, as a span does.
void each_high(const store::Lane& lane, const Selection& range, const IntervalVisitor& visit, std::uint64_t open_until = 0);
void each_span(const store::Lane& lane, const Selection& range, const IntervalVisitor& visit, std::uint64_t open_until = 0);
void each_pair_interval(const store::Lane& a, const store::Lane& b, const Selection& range, const IntervalVisitor& visit,
                        std::uint64_t open_until = 0);

// What the pair of a row is called that is of a channel's spans.
inline constexpr const char* kSpanWidths = "begin:end";

// Of a lane's levels: how long it was high, how long low, and from rise to rise.
enum class LevelTime : std::uint8_t { kHigh, kLow, kPeriod };
inline constexpr std::size_t kLevelTimes = 3;
inline const char* level_time_name(std::size_t which) {
    constexpr std::array<const char*, kLevelTimes> kNames = {"high", "low", "period"};
    return kNames[which];
}

// The width of an empty section: what measuring adds to an interval whose ends are marked by one thread.
struct Overhead {
    std::optional<std::uint64_t> ticks;  // nothing: not known
    bool subtract = false;               // from every width between stamps of one thread, down to 0

    [[nodiscard]] std::uint64_t reduced(const Interval& interval) const {
        const std::uint64_t width = interval.width();
        return subtract && interval.one_thread ? width - std::min(width, ticks.value_or(0)) : width;
    }
};

// Else it counts there.
template <typename Counts>
bool is_whole(const Interval& interval, Counts& counts) {
    switch (interval.state) {
        case IntervalState::kLossy: ++counts.lost_intervals; return false;
        case IntervalState::kUnfinished: ++counts.unfinished; return false;
        case IntervalState::kWhole: break;
    }
    return true;
}

struct Intervals {
    // Every one; or all of them binned, when of some only sums are known (StatisticsOptions::from_sums). One of both is
    // empty.
    WidthCounts widths;
    BinnedWidths binned;
    std::uint64_t lost_intervals = 0;
    std::uint64_t lost_events = 0;  // by the gap rows of the channel (of both, for a pair) within the range
    std::uint64_t unfinished = 0;
    Overhead overhead;

    // Keeps its width, or counts it among the rest.
    void add(const Interval& interval) {
        if (is_whole(interval, *this)) widths.push_back(overhead.reduced(interval));
    }
    [[nodiscard]] std::uint64_t count() const { return widths.size() + binned.size(); }
    // Of the widths; not when there are none.
    [[nodiscard]] std::uint64_t least() const { return binned.empty() ? widths.front() : binned.front(); }
    [[nodiscard]] std::uint64_t greatest() const { return binned.empty() ? widths.back() : binned.back(); }
    [[nodiscard]] long double mean() const { return binned.empty() ? widths.mean() : binned.mean(); }
    // Between which two widths, both included, the one of that rank (1 to count()) lies.
    [[nodiscard]] WidthRange within(std::uint64_t rank) const {
        if (!binned.empty()) return binned.within(rank);
        const std::uint64_t width = widths.at_rank(rank);
        return {width, width};
    }
};

// The same of any number of intervals, which are shown in several passes.
struct ExactIntervals {
    ExactWidths widths;
    std::uint64_t lost_intervals = 0;  // of the pass
    std::uint64_t lost_events = 0;
    std::uint64_t unfinished = 0;  // of the pass
    Overhead overhead;
    std::array<std::uint64_t, 32> added = {};  // widths that are not in `widths` yet
    std::size_t filled = 0;                    // so many of them

    void begin_pass() {
        widths.begin_pass();
        lost_intervals = unfinished = 0;
    }
    void add(const Interval& interval) {
        if (!is_whole(interval, *this)) return;
        added[filled++] = overhead.reduced(interval);
        if (filled == added.size()) put();
    }
    // As of ExactWidths.
    bool end_pass() {
        put();
        return widths.end_pass();
    }
    // What was added so far is in `widths`.
    void put() { widths.add(std::span(added).first(std::exchange(filled, 0))); }
};

// What the lane's program measured; else what a stamp costs; 0: neither is known. From a marker of one lane to one of
// another, whose stamps may cost more: half of each.
std::uint64_t overhead_ticks(const store::Session& session, const store::Lane& lane);
std::uint64_t overhead_ticks(const store::Session& session, const store::Lane& a, const store::Lane& b);

Intervals pair_intervals(const store::Lane& a, const store::Lane& b, const Selection& range = {},
                         const Overhead& overhead = {});

}  // namespace sla::analysis
