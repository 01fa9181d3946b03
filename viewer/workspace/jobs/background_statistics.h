// Statistics of a lane, counted beside the frames. Owner: the window's thread.
#pragma once

#include "proto/base/strong_id.h"
#include "viewer/analysis/intervals/statistics.h"
#include "viewer/timeline/tick_range.h"
#include "viewer/workspace/jobs/background_answer.h"
#include "viewer/workspace/jobs/statistics_options.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sla::workspace {

// What the statistics panel shows of a lane's spans; where it has none, of the times for which its level is high; else of its
// events.
enum class CountedThing : std::uint8_t { kEvents, kSpans, kHigh };
CountedThing counted_thing(const store::Lane& lane);
const char* name_of(CountedThing thing);

struct Counted {
    analysis::Statistics numbers;
    std::vector<analysis::HistogramBin> bins;
    std::uint64_t lost_events = 0;
    std::uint64_t events = 0;
    std::uint64_t least = 0;  // width, when there are any
    std::uint64_t greatest = 0;
    analysis::Overhead overhead;  // that is in every width
    // Of a level, in the mean, once there was a whole period.
    struct Cycle {
        std::int64_t low_ps = 0;
        std::int64_t period_ps = 0;
        double duty = 0;  // share of the time for which it is high
    };
    std::optional<Cycle> cycle;
};

struct StatisticsQuestion {
    ChannelId channel;
    timeline::TickRange range;
    StatisticsOptions statistics_options;
    std::uint64_t rows = store::kNever;  // rows_until() the range's end
    bool operator==(const StatisticsQuestion&) const = default;
    [[nodiscard]] std::vector<ChannelId> channels() const { return {channel}; }
    [[nodiscard]] bool is_near(const StatisticsQuestion& other) const {
        return channel == other.channel && statistics_options == other.statistics_options &&
               timeline::have_common(range, other.range);
    }
};

// On any thread; nothing: there is no such channel, or it was cancelled.
std::optional<Counted> count_widths(const store::Session& session, const StatisticsQuestion& question,
                                    const JobRunner::Control& control);

class BackgroundStatistics : public BackgroundAnswer<StatisticsQuestion, Counted> {
public:
    BackgroundStatistics() : BackgroundAnswer("counting widths", count_widths) {}
};

}  // namespace sla::workspace
