// Statistics of rows that stay in the file: counted on a thread of its own in a session of its own, so that no frame waits.
// Owner: the window's thread.
#pragma once

#include "proto/base/strong_id.h"
#include "viewer/analysis/statistics.h"
#include "viewer/timeline/tick_range.h"
#include "viewer/workspace/data_source.h"
#include "viewer/workspace/statistics_options.h"

#include <atomic>
#include <cstdint>
#include <future>
#include <optional>
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
Counted counted(analysis::Intervals& intervals, const store::Session& session, const StatisticsOptions& counting,
                std::uint64_t events);

class BackgroundStatistics {
public:
    struct Wanted {
        ChannelId channel;
        timeline::TickRange range;
        StatisticsOptions statistics_options;
        bool operator==(const Wanted&) const = default;
    };

    BackgroundStatistics() = default;
    ~BackgroundStatistics() { stop_ = true; }
    BackgroundStatistics(const BackgroundStatistics&) = delete;
    BackgroundStatistics& operator=(const BackgroundStatistics&) = delete;

    // Null until it is counted: ask again. Counting begins when the same was asked twice, so that a range that moves costs
    // nothing, and stops when something else is asked.
    const Counted* ask(const DataSource::Loader& loader, const Wanted& wanted);

private:
    std::optional<Counted> count(const DataSource::Loader& loader, const Wanted& wanted) const;

    std::optional<Wanted> asked_;
    std::optional<Counted> found_;
    Wanted found_of_;
    std::atomic<bool> stop_ = false;
    Wanted running_of_;
    std::future<std::optional<Counted>> running_;  // last: its end is waited for before all else goes
};

}  // namespace sla::workspace
