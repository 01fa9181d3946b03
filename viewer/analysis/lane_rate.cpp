#include "viewer/analysis/lane_rate.h"

#include <algorithm>

namespace sla::analysis {

std::optional<KnownExtent> recorded_part(const store::Lane& lane) {
    if (lane.empty()) return std::nullopt;
    KnownExtent part{lane.first_tick(), lane.last_tick()};
    std::uint64_t rows = 0;
    for (const store::Gap& gap : lane.gaps()) {
        if (gap.index != rows) break;
        part.from = gap.until_tick;
        ++rows;
    }
    if (rows == lane.size()) return std::nullopt;
    return part;
}

std::optional<double> rate_of(const store::Lane& lane, const Selection& range, std::uint64_t events,
                              double ticks_per_second) {
    const auto part = recorded_part(lane);
    if (!part || events == 0) return std::nullopt;
    const std::uint64_t from = std::max(part->from, range.from);
    const std::uint64_t until = std::min(part->until, range.until);
    if (until <= from) return std::nullopt;
    const std::uint64_t counted = range.from <= part->from ? events - 1 : events;
    return static_cast<double>(counted) * ticks_per_second / static_cast<double>(until - from);
}

}  // namespace sla::analysis
