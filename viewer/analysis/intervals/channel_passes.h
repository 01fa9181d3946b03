// Statistics of channels and spans from their rows, all exact, in bounded memory: what is too much to be kept is walked over
// once more (ExactWidths), some thousand channels at a time. Private to the room.
#pragma once

#include "viewer/analysis/intervals/statistics.h"

#include <cstddef>
#include <vector>

namespace sla::analysis {

struct WidthRoom {
    std::size_t kept = std::size_t{8} << 20;     // widths of all channels, 8 bytes each, that save a second walk
    std::size_t bytes = std::size_t{256} << 20;  // of a pass
};

std::vector<StatisticsRow> statistics_of_rows(const store::Session& session, const Selection& selection,
                                              const StatisticsOptions& options, const WidthRoom& room = {});

}  // namespace sla::analysis
