// Statistics of rows that stay in the file: counted on a thread of its own in a session of its own, so that no frame waits.
// Owner: the window's thread.
#pragma once

#include "proto/base/strong_id.h"
#include "viewer/analysis/intervals.h"
#include "viewer/timeline/viewport.h"
#include "viewer/ui/feed.h"

#include <atomic>
#include <cstdint>
#include <future>
#include <optional>

namespace sla::ui {

class FarStatistics {
public:
    struct Wanted {
        ChannelId channel;
        timeline::TickRange range;
        bool operator==(const Wanted&) const = default;
    };
    struct Found {
        analysis::Intervals intervals;  // of the channel's spans when it has any, else of its events
        std::uint64_t events = 0;
    };

    FarStatistics() = default;
    ~FarStatistics() { stop_ = true; }
    FarStatistics(const FarStatistics&) = delete;
    FarStatistics& operator=(const FarStatistics&) = delete;

    // Null until it is counted: ask again. Counting begins when the same was asked twice, so that a range that moves costs
    // nothing, and stops when something else is asked.
    const Found* ask(const Feed::Fill& another, const Wanted& wanted);

private:
    std::optional<Found> count(const Feed::Fill& another, const Wanted& wanted) const;

    std::optional<Wanted> asked_;
    std::optional<Found> found_;
    Wanted found_of_;
    std::atomic<bool> stop_ = false;
    Wanted running_of_;
    std::future<std::optional<Found>> running_;  // last: its end is waited for before all else goes
};

}  // namespace sla::ui
