// StatisticsFollower: statistics of one stretch of time after the other of a session that grows, by the code of
// channel_statistics and pair_statistics: each stretch has the numbers that those have of its range, and rows that were walked
// over are not needed again.
//
//   go_on() ... go_on(), take_rows()    go_on() ... take_rows()
//   ├──── one stretch ──────────────┤   ├──── the next ────────►
//
// Memory: of each lane what a stretch of it takes (WidthCounts), whatever came before. One owner, one thread.
#pragma once

#include "viewer/analysis/followed_lanes.h"
#include "viewer/analysis/intervals/statistics.h"

#include <memory>
#include <string>
#include <vector>

namespace sla::analysis {

// Which lanes and pairs; both may come later.
struct StatisticsWanted {
    std::vector<std::string> channels;  // globs; none: all, or none where only pairs are wanted
    std::vector<std::string> pairs;     // "A:B", globs on both sides
    bool subtract_overhead = false;
    bool cull = false;
};

class StatisticsFollower {
public:
    explicit StatisticsFollower(const StatisticsWanted& wanted);
    ~StatisticsFollower();
    StatisticsFollower(const StatisticsFollower&) = delete;
    StatisticsFollower& operator=(const StatisticsFollower&) = delete;

    // All rows of a step, none of which lies behind the stretch.
    void go_on(const FinalRows& rows);
    // The stretch [from, until) is over: what has begun in it and not ended is unfinished. Without lanes of programs that have
    // ended before it.
    std::vector<StatisticsRow> take_rows(const store::Session& session, std::uint64_t from, std::uint64_t until);

private:
    class State;
    std::unique_ptr<State> state_;
};

}  // namespace sla::analysis
