// PairStarts: what pairs are made of (intervals.h), of many lanes in one walk over their rows: starts and losses in order of
// time, some thousand at once.
//
//   rows of lane 0   s    e s  e          a start of a lane is any event, but of spans the begin and of levels the rise
//   rows of lane 1     s      G    s
//   StartBlock       s s    s G    s
//
// Cost: 20 to 30 ns a row (tests/bench/stats_bench). Owner: the session's thread. Private to the room.
#pragma once

#include "viewer/analysis/intervals/pair_walk.h"
#include "viewer/analysis/selection.h"
#include "viewer/store/merged_rows.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sla::analysis {

struct LaneStart {
    enum Trait : std::uint32_t {
        kGap = 1,     // no start: events were lost
        kUnsure = 2,  // StartsWalk::is_sure() of it is false
        kLossy = 4,   // events behind it may be missing
    };
    std::uint64_t tick = 0;
    std::uint32_t lane = 0;  // place in the selection
    std::uint32_t thread = 0;
    std::uint32_t traits = 0;
    std::uint32_t losses = 0;  // 0, or the place behind that of the lanes in StartBlock::losses

    [[nodiscard]] bool is(Trait trait) const { return (traits & trait) != 0; }
    // None of what is rare.
    [[nodiscard]] bool is_plain() const { return (traits | losses) == 0; }
};

// All of a tick are in one block, lane by lane.
struct StartBlock {
    static constexpr std::size_t kLeastStarts = 1 << 16;

    std::vector<LaneStart> starts;
    std::vector<std::vector<std::uint32_t>> losses;  // lanes of which events may be missing from some tick on
};

class PairStarts {
public:
    // The selection outlives it; its filter does not count.
    PairStarts(const Selection& selection);

    // False: at the end.
    bool fill(StartBlock& block);
    [[nodiscard]] std::uint64_t rows_walked() const { return walked_; }

private:
    void take_tick(std::span<const store::MergedRows::Row> rows, StartBlock& block);
    [[nodiscard]] std::uint32_t lossy_lanes(std::uint64_t tick, StartBlock& block);

    store::MergedRows rows_;
    const store::MergedRows::Row* row_ = nullptr;
    std::uint64_t walked_ = 0;
    std::vector<StartsWalk> walks_;  // by lane, which know its level and losses
    std::vector<store::MergedRows::Row> alike_;
    std::vector<std::uint32_t> lossy_;  // lanes whose losses may last, rising
    // Of those of one tick: whether losses last behind its first start.
    std::vector<std::pair<std::uint32_t, bool>> firsts_;
};

}  // namespace sla::analysis
