// StatisticsFollower: statistics of one stretch of time after the other of a session that grows, by the code of
// channel_statistics and pair_statistics. Each interval counts in the stretch in which it ends, wherever it began, so that all
// stretches together have the intervals that those find in the whole. Rows that were walked over are not needed again.
//
//   go_on() ... go_on(), take_rows()    go_on() ... take_last_rows()
//   ├──── one stretch ──────────────┤   ├──── the next ────────►
//                         A ──────────────────► B   counts there
//
// Memory: of each lane what a stretch of it takes (WidthCounts) and what is open, whatever came before. One owner, one thread.
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
    // The stretch is over. Without lanes of programs that have ended before it; what one leaves open when it ends is
    // unfinished.
    std::vector<StatisticsRow> take_rows(const store::Session& session);
    // No other comes: what has begun and not ended is unfinished.
    std::vector<StatisticsRow> take_last_rows(const store::Session& session);

private:
    class State;
    std::unique_ptr<State> state_;
};

}  // namespace sla::analysis
