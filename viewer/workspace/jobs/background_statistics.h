// Statistics of rows that stay in the file. Owner: the window's thread.
#pragma once

#include "proto/base/strong_id.h"
#include "viewer/analysis/intervals/statistics.h"
#include "viewer/timeline/tick_range.h"
#include "viewer/workspace/jobs/background_answer.h"
#include "viewer/workspace/jobs/statistics_options.h"

#include <cstdint>
#include <vector>

namespace sla::workspace {

// What the statistics panel shows of a lane's spans, or of its events when it has none.
struct Counted {
    analysis::Statistics numbers;
    std::vector<analysis::HistogramBin> bins;
    std::uint64_t lost_events = 0;
    std::uint64_t events = 0;
    std::uint64_t least = 0;  // width, when there are any
    std::uint64_t greatest = 0;
};
// Drops the culled widths.
Counted counted(analysis::Intervals& intervals, const analysis::StampTimes& times, const StatisticsOptions& counting,
                std::uint64_t events);

struct StatisticsQuestion {
    ChannelId channel;
    timeline::TickRange range;
    StatisticsOptions statistics_options;
    bool operator==(const StatisticsQuestion&) const = default;
};

class BackgroundStatistics : public BackgroundAnswer<StatisticsQuestion, Counted> {
public:
    BackgroundStatistics();
};

}  // namespace sla::workspace
