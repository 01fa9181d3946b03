// Statistics over intervals: every width counts, none is sampled, none is left out unless asked for. All numbers are exact,
// with one exception: of a capture that is not held in memory the file's sums may be asked instead of its rows
// (StatisticsOptions::from_sums); mode and percentiles then are within quantile_error_ppm, and all others still exact.
//
//   p50 p90 p99 p999   nearest rank: the smallest width that at least that share of all widths does not exceed
//   mode               widths are sorted into bins 1/64 of their size wide (at least one tick); the fullest bin's mean is
//                      the mode, the lowest bin's when several are fullest
//   stddev             of all widths (divided by n)
//   overhead           the width of an empty section, as the program measured it (else what a stamp costs); 0: not known.
//                      Subtracted only when asked for; `subtracted` then says so
//   culled             widths left out of all numbers because they were outliers; only when asked for. The rule: wider than
//                      p75 + 3 * (p75 - p25), where that distance counts as 1/64 of p75 and as two ticks at least.
//                      Interrupts and cold caches only ever lengthen a reading, so nothing is culled below
// Units: picoseconds.
#pragma once

#include "viewer/analysis/intervals/intervals.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sla::analysis {

struct Statistics {
    std::uint64_t count = 0;  // intervals; when 0, the times below are not there
    std::uint64_t lost = 0;   // of a channel: events lost; of spans and pairs: intervals not counted because of a loss
    std::uint64_t culled = 0;
    std::uint64_t unfinished = 0;  // begun, and never ended on its own
    std::int64_t min_ps = 0;
    std::int64_t mode_ps = 0;
    std::int64_t p50_ps = 0;
    std::int64_t mean_ps = 0;
    std::int64_t p90_ps = 0;
    std::int64_t p99_ps = 0;
    std::int64_t p999_ps = 0;
    std::int64_t max_ps = 0;
    std::int64_t stddev_ps = 0;
    std::int64_t overhead_ps = 0;
    std::int64_t subtracted_ps = 0;        // of it, from every width between stamps of one thread
    std::uint32_t quantile_error_ppm = 0;  // mode and percentiles may be off by this share of themselves; 0: they are exact
};

struct StatisticsOptions {
    bool subtract_overhead = false;
    bool cull = false;
    // Receives 0..1 from page to page; false stops, and what is done so far is the answer.
    std::function<bool(double)> progress = {};
    // Pages that lie in the selection as a whole are not read when the file has sums of them: 100 M events take some 50 ms,
    // instead of seconds. Overhead and outliers only come out of the rows, which are read when they are asked for.
    bool from_sums = false;
    // Of lane_intervals(): ChannelWalk::follow_threads(), for who must not take a time between events for one that may be two.
    bool follows_threads = false;
};

// One line of `sla stats`.
struct StatisticsRow {
    std::string channel;
    std::string pair;  // "": of the channel's events; kSpanWidths: of its spans; a level_time_name(); else "A:B"
    Statistics numbers;
    const store::Lane* lane = nullptr;  // the channel's, as long as its session lives
    const store::Lane* end = nullptr;   // of a pair that of B
};

// What turns ticks into times: values, for who counts beside the session's thread.
struct StampTimes {
    time::ClockMap clock;
    std::uint64_t stamp_ticks = 0;  // what one stamp costs
};
inline StampTimes stamp_times(const store::Session& session) {
    return {session.clock(), session.stamp_ticks()};
}

// Drops the culled widths.
Statistics statistics_of(Intervals& intervals, const StampTimes& times, bool cull = false);
inline Statistics statistics_of(Intervals& intervals, const store::Session& session, bool cull = false) {
    return statistics_of(intervals, stamp_times(session), cull);
}

// After their last pass.
Statistics statistics_of(const ExactIntervals& intervals, const StampTimes& times);

// The intervals of one lane, those of its spans, and those of its levels by LevelTime, where it has any.
struct LaneIntervals {
    const store::Lane* lane = nullptr;
    Intervals of_channel;
    Intervals of_spans;
    std::vector<Intervals> of_levels = {};
};
// Of every lane of the selection; all lanes of a chunk of the file one after the other, so that each is read once.
std::vector<LaneIntervals> lane_intervals(const store::Session& session, const Selection& selection,
                                          const StatisticsOptions& options = {});
// The same in numbers: a row for the channel, one for its spans and one for each LevelTime when it has any. Drops the culled widths.
std::vector<StatisticsRow> statistics_of(std::vector<LaneIntervals>& lanes, const store::Session& session,
                                         bool cull = false);

// For every lane of the selection its intervals, and those of its spans and levels when it has any.
std::vector<StatisticsRow> channel_statistics(const store::Session& session, const Selection& selection,
                                              const StatisticsOptions& options = {});
// It names a pair: "A:B".
Result<void> check_pair(const std::string& pair);
// "A:B" with globs on both sides; kInvalidInput without a colon and of more than 65,536 pairs, kNotFound when a side matches
// nothing. All pairs together, in memory that grows with their number and not with that of their rows; every core helps.
Result<std::vector<StatisticsRow>> pair_statistics(const store::Session& session, const std::string& pair,
                                                   const Selection& range, const StatisticsOptions& options = {});

// Of equal ratio, for pictures with a logarithmic axis, or of equal width.
enum class Bins : std::uint8_t { kLogarithmic, kEven };

// Widths in bins from the least to the greatest.
struct HistogramBin {
    std::uint64_t from_ticks = 0;
    std::uint64_t until_ticks = 0;  // exclusive
    std::uint64_t count = 0;
};
// What is known by its bin only counts where the bin's middle lies.
std::vector<HistogramBin> histogram(const Intervals& intervals, std::size_t bins, Bins kind = Bins::kLogarithmic);

}  // namespace sla::analysis
