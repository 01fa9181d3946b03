// IntervalCheck: all intervals of a channel, of its spans or of a pair, held against one limit on times: every one of them,
// or only the longest or the shortest.
//
// An interval that is surely kept and no worse than the worst so far costs a comparison; the clock and its error are asked of
// the others alone. Sums of many intervals are taken when the same can be said of all of them: expect() receives all
// sums there will be, so that those with the worst interval are not among them, which is then reported with its place.
//
//   width  ◄── harmless ──┤── may be the worst ──┤── may break the bound ──►       (of `<`; of `>` the other way round)
#pragma once

#include "proto/capture/summary/interval_sums.h"
#include "proto/time/clock_map.h"
#include "viewer/analysis/intervals/intervals.h"
#include "viewer/analysis/limits/judge.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sla::analysis {

// A time with its error, and where it begins.
struct Measured {
    double ps = 0;
    double error = 0;
    std::uint64_t begin_tick = 0;
};
Measured measured(const time::ClockMap& clock, const Interval& interval);
// The most that the error of an interval so long may be, wherever it lies: a span is of one thread (store/rows/span_table.h), the ends
// of others may have been stamped by two.
double greatest_error(const time::ClockMap& clock, std::uint64_t width, Measure measure);

// Of one interval held against a limit on every one. Nothing of one without an end: of that only can be said that it lasted
// too long already.
std::optional<Verdict> verdict_of(const Interval& interval, const Measured& measured, const Limit& limit);

// What a finding has measured.
void point_at(Finding& finding, const Measured& measured);
// A finding about times, without a verdict yet; and when there are no intervals.
Finding time_finding(const Limit& limit, const std::string& channel);
Finding nothing_to_measure(Finding finding, std::uint64_t unfinished);

class IntervalCheck {
public:
    // `limit` outlives it; its share is kEvery, kMin or kMax.
    IntervalCheck(const time::ClockMap& clock, const Limit& limit, const std::string& channel);

    void take(const Interval& interval) {
        if (interval.state != IntervalState::kWhole || !is_harmless(interval.width())) return look_at(interval);
        ++finding_.checked;
    }
    // A time between events that losses may have parted, or that is not there at all: no longer than that.
    void take_possible(const Interval& interval);
    // A whole interval so wide is surely kept, and no worse than the worst so far.
    [[nodiscard]] bool is_harmless(std::uint64_t width) const {
        return harmless_until_ && rank_of(width) <= *harmless_until_;
    }

    void expect(const WidthSums& sums);
    [[nodiscard]] bool can_take(const WidthSums& sums) const;
    void take(const WidthSums& sums) { finding_.checked += sums.count; }

    [[nodiscard]] Finding result() const;

    // ---- of intervals that come while one watches ----
    // How many broke the limit for good, whatever comes: of the longest and the shortest each that was worse than all before.
    [[nodiscard]] std::uint64_t breaks() const { return breaks_; }
    // One that may be open still breaks it for good.
    [[nodiscard]] bool is_broken_by(const Interval& interval) const;
    // The clock is known better.
    void set_clock(const time::ClockMap& clock);
    [[nodiscard]] const time::ClockMap& clock() const { return clock_; }
    void set_channel(const std::string& channel) { finding_.channel = channel; }

private:
    // Which widths are the worse ones.
    enum class Worse { kLonger, kShorter, kNeither };
    [[nodiscard]] static Worse worse_of(const Limit& limit);
    // The worse the greater.
    [[nodiscard]] std::uint64_t rank_of(std::uint64_t width) const { return worse_ == Worse::kShorter ? ~width : width; }
    [[nodiscard]] std::uint64_t worst_rank(const WidthSums& sums) const {
        return rank_of(worse_ == Worse::kShorter ? sums.min : sums.max);
    }
    [[nodiscard]] bool is_surely_kept(std::uint64_t rank) const;
    [[nodiscard]] std::optional<std::uint64_t> find_kept_until() const;
    void look_at(const Interval& interval);
    void point_at(const Measured& measured, std::uint64_t width);
    void find_harmless();
    // Another one that is worse than all before can only make it worse.
    [[nodiscard]] bool is_lasting() const;
    [[nodiscard]] bool is_decided_by_unfinished() const;
    [[nodiscard]] Finding every_result() const;
    [[nodiscard]] Finding extreme_result() const;

    time::ClockMap clock_;
    const Limit& limit_;
    Worse worse_;
    std::optional<std::uint64_t> kept_until_;      // ranks up to it are surely kept
    std::optional<std::uint64_t> worst_;           // rank of the worst so far
    std::optional<std::uint64_t> harmless_until_;  // both
    std::uint64_t expected_ = 0;                   // rank of the worst in sums to come
    Finding finding_;
    std::optional<Measured> longest_unfinished_;
    double longest_lossy_ = 0;  // what the longest with a loss in it may have lasted
    std::uint64_t undecided_ = 0;
    std::uint64_t unfinished_ = 0;
    std::uint64_t breaks_ = 0;
    std::uint64_t open_breaks_ = 0;  // those of every single one that have no end of their own
};

}  // namespace sla::analysis
