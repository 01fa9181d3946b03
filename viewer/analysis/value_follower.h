// ValueFollower: value_statistics of one stretch of time after the other of a session that grows (statistics_follower.h).
// One owner, one thread.
#pragma once

#include "viewer/analysis/followed_lanes.h"
#include "viewer/analysis/value_statistics.h"

#include <deque>
#include <string>
#include <vector>

namespace sla::analysis {

class ValueFollower {
public:
    // Globs; none: all lanes.
    explicit ValueFollower(std::vector<std::string> channels) : channels_(std::move(channels)) {}

    // All rows of a step, none of which lies behind the stretch.
    void go_on(const FinalRows& rows);
    // The stretch is over.
    std::vector<ValueStatisticsRow> take_rows();

private:
    struct Counted {
        const FollowedLane* of;
        ValueCounts values;
        std::uint64_t lost = 0;
    };
    std::vector<std::string> channels_;
    FollowedLanes followed_;
    std::deque<Counted> lanes_;
};

}  // namespace sla::analysis
