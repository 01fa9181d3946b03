// Rows of runs that take turns, merged a block at a time: one piece after the other would cost a look at all fronts for
// every row or two.
//
//   key     │ tick - base │ run │   one comparison says who is first; at equal ticks the older run
//   block   keys of each run, an end mark behind ─► merged two and two ─► the rows, gathered from the runs' columns
//
// 1 ns a row and doubling of the runs, 2 ns for the columns (tests/bench/drain_bench).
#pragma once

#include "agent/drain/channel.h"
#include "proto/wire/event.h"

#include <cstddef>
#include <cstdint>

namespace sla::drain {

struct MergedBlock {
    std::size_t rows = 0;
    std::size_t pieces = 0;  // of rows of one run
};

// Moves rows with a tick <= watermark to the end of `out`, the next in order, at most `space`. None: that is no work for
// blocks (one run alone, space for hardly more than a row of each, all with the same tick, ticks too far apart for a key).
MergedBlock merge_block(std::uint64_t watermark, std::size_t space, const DrainedChannel& channel, wire::EventBatch& out);

}  // namespace sla::drain
