#include "viewer/timeline/idle.h"

#include <algorithm>

namespace sla::timeline {

namespace {

constexpr std::uint64_t kCells = 4096;
constexpr std::uint64_t kMinCells = kCells / 20;
constexpr std::uint64_t kSpareCells = kCells / 100;  // kept at each end, so that what is there does not touch the break

struct Grid {
    TickRange range;
    std::uint64_t step = 1;

    [[nodiscard]] std::uint64_t cells() const { return range.length() / step + 1; }
    [[nodiscard]] std::uint64_t begin(std::uint64_t cell) const { return range.first + cell * step; }
};

void mark_busy(const DrawnLane& drawn, const Grid& grid, std::vector<bool>& busy) {
    const store::Lane& lane = *drawn.lane;
    for (std::uint64_t cell = 0; cell < busy.size(); ++cell) {
        if (busy[cell]) continue;
        const std::uint64_t from = earlier(grid.begin(cell), drawn.offset_ticks);
        const std::uint64_t until = earlier(grid.begin(cell + 1), drawn.offset_ticks);
        busy[cell] = lane.most_before(until) > lane.least_before(from);
    }
    const auto mark = [&](std::uint64_t first, std::uint64_t last) {  // as the lane knows them
        const auto cell_of = [&](std::uint64_t tick) {
            const auto drawn_at = static_cast<std::int64_t>(tick) + drawn.offset_ticks;
            const std::int64_t in = std::max<std::int64_t>(drawn_at - static_cast<std::int64_t>(grid.range.first), 0);
            return std::min<std::uint64_t>(static_cast<std::uint64_t>(in) / grid.step, busy.size() - 1);
        };
        for (std::uint64_t cell = cell_of(first); cell <= cell_of(last); ++cell) busy[cell] = true;
    };
    const std::uint64_t from = earlier(grid.range.first, drawn.offset_ticks);
    const std::uint64_t until = earlier(grid.range.last, drawn.offset_ticks);
    for (const store::Gap& gap : lane.gaps()) {  // a loss may have hidden events until its end
        if (gap.until_tick >= from && gap.tick <= until) mark(gap.tick, gap.until_tick);
    }
    // What is under way is not idle, but for what is under way all the time. Shorter spans hold no idle interval anyway.
    lane.spans().visit_overlapping(from, until + 1, kMinCells * grid.step, [&](std::uint64_t, const store::Span& span) {
        const bool all_the_time = span.begin_tick <= from && span.end_tick >= until;
        if (span.end_tick != store::kNever && !all_the_time) mark(span.begin_tick, span.end_tick);
        return true;
    });
}

}  // namespace

std::vector<TickRange> idle_intervals(std::span<const DrawnLane> lanes, TickRange range) {
    const Grid grid{range, std::max<std::uint64_t>(range.length() / kCells, 1)};
    std::vector<bool> busy(grid.cells());
    for (const DrawnLane& lane : lanes) mark_busy(lane, grid, busy);
    std::vector<TickRange> idle;
    for (std::uint64_t cell = 0; cell < busy.size();) {
        std::uint64_t end = cell;
        while (end < busy.size() && !busy[end]) ++end;
        if (end - cell >= std::max(kMinCells, 2 * kSpareCells + 1)) {
            idle.push_back({grid.begin(cell + kSpareCells), grid.begin(end - kSpareCells)});
        }
        cell = end + 1;
    }
    return idle;
}

}  // namespace sla::timeline
