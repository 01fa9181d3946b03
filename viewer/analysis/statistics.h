// Statistics over intervals, exact: every width is looked at, none is sampled.
//
//   p50 p90 p99 p999   nearest rank: the smallest width that at least that share of all widths does not exceed
//   mode               widths are sorted into bins 1/64 of their size wide (at least one tick); the fullest bin's mean is
//   the mode, the
//                      lowest bin's when several are fullest
//   stddev             of all widths (divided by n)
//   overhead           what one stamp costs, as the agent measured it; 0: not known. It is NOT subtracted from anything
// Units: picoseconds.
#pragma once

#include "viewer/analysis/intervals.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::analysis {

struct Statistics {
    std::uint64_t count = 0;  // intervals; when 0, the times below are not there
    std::uint64_t lost = 0;   // of a channel: events lost; of spans and pairs: intervals not counted because of a loss
    std::uint64_t culled = 0;
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
};

// One line of `sla stats`.
struct StatisticsRow {
    std::string channel;
    std::string pair;  // "": of the channel's events; "begin:end": of its spans; else "A:B"
    Statistics numbers;
};

// Sorts the widths.
Statistics statistics_of(Intervals& intervals, const store::Session& session);

// For every lane of the selection its intervals, and those of its spans when it has any.
std::vector<StatisticsRow> channel_statistics(const store::Session& session, const Selection& selection);
// "A:B" with globs on both sides; kInvalidInput without a colon, kNotFound when a side matches nothing.
Result<std::vector<StatisticsRow>> pair_statistics(const store::Session& session, const std::string& pair,
                                                   const Selection& range);

// Widths (sorted) in `bins` bins of equal ratio from the least to the greatest; for pictures with a logarithmic axis.
struct HistogramBin {
    std::uint64_t from_ticks = 0;
    std::uint64_t until_ticks = 0;  // exclusive
    std::uint64_t count = 0;
};
std::vector<HistogramBin> log_histogram(const std::vector<std::uint64_t>& sorted_widths, std::size_t bins);

}  // namespace sla::analysis
