// What summaries need to know of one batch, without its rows: made once where its columns are at hand (BatchSummarizer), taken by
// every LaneSummarizer whose channel it is of (add), wherever their chunks begin and end.
//
//   rows    b e b e b e │ E │ b b e e b e b e b e │ B │ b e b e       b, e: begins and ends that belong together
//           closed run    │      closed run         │    closed run    E: of an earlier batch; B: of a later one; or a loss row
//                      row apart                row apart
//
// A closed run leaves what is open as it found it. Its sums are of nothing open; what is open there comes on top.
#pragma once

#include "proto/capture/summary/interval_summer.h"
#include "proto/capture/summary/lane_summary.h"
#include "proto/capture/summary/state_row.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sla::capture {

struct ClosedRun {
    std::uint32_t cells = 0;       // so many more of the batch's
    std::uint32_t rows_apart = 0;  // so many more of them follow it
    bool knows_level = false;      // the batch gave it before; else it is what it was before the batch
    IntervalSums sums;
    SingleBins singles;  // of the sums' widths
};

struct BatchSummary {
    std::vector<ClosedRun> runs;
    std::vector<LaneSummary> cells;  // as of nothing open and no level known, kCellRows at most each
    std::vector<StateRow> rows_apart;
    std::uint32_t deepest = 0;  // of the cells

    // What it takes in memory, itself included.
    [[nodiscard]] std::size_t bytes() const {
        std::size_t sum = sizeof *this + runs.capacity() * sizeof(ClosedRun) + cells.capacity() * sizeof(LaneSummary) +
                          rows_apart.capacity() * sizeof(StateRow);
        for (const ClosedRun& run : runs)
            sum += (run.sums.widths.bins.capacity() + run.sums.spans.bins.capacity()) * sizeof(WidthBin) +
                   (run.singles.widths.capacity() + run.singles.spans.capacity()) * sizeof(std::uint16_t);
        return sum;
    }
};

}  // namespace sla::capture
