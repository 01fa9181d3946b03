#include "viewer/timeline/pictures/lane_picture.h"

#include "viewer/timeline/pictures/level_picture.h"
#include "viewer/timeline/pictures/rough_picture.h"
#include "viewer/timeline/pictures/span_picture.h"
#include "viewer/timeline/pictures/value_picture.h"

#include <algorithm>

namespace sla::timeline {

namespace {

// Up to so many events of a column are looked at one by one; beyond that the column is simply dense.
constexpr std::uint64_t kExactRows = 32;
// So many pages of a lane in view are few enough to be held for all lanes in view.
constexpr std::size_t kMaxPages = 4;
constexpr double kMergeGapPixels = 3.0;

bool is_instant(const store::Lane& lane, std::uint64_t index) {
    switch (lane[index].kind()) {
        case wire::Kind::kTick:
        case wire::Kind::kText: return true;
        case wire::Kind::kEnd: return !lane.spans().span_of_end(index).has_value();
        default: return false;
    }
}

bool is_text(const store::Lane& lane, std::uint64_t index) {
    return lane[index].kind() == wire::Kind::kText || (is_instant(lane, index) && !lane.channel().format.empty());
}

void add_instants(const store::Lane& lane, const Viewport& view, const Column& column, LanePicture& out) {
    TickMark mark{static_cast<float>(view.x_of(lane.tick(column.first))), column.first, 0};
    TextFlag flag{0, 0, 0};
    if (column.last - column.first > kExactRows) {
        mark.count = lane.events_in(column.first, column.last);
    } else {
        for (std::uint64_t i = column.first; i < column.last; ++i) {
            if (!is_instant(lane, i)) continue;
            if (mark.count++ == 0) {
                mark.index = i;
                mark.x = static_cast<float>(view.x_of(lane.tick(i)));
            }
            if (!is_text(lane, i)) continue;
            if (flag.count++ == 0) flag = {static_cast<float>(view.x_of(lane.tick(i))), i, 1};
        }
    }
    if (mark.count > 0) out.ticks.push_back(mark);
    if (flag.count > 0) out.texts.push_back(flag);
}

// An exact picture waits for no page.
bool is_here(const store::Lane& lane, const Viewport& view) {
    const TickRange visible = view.visible();
    if (!lane.is_here(visible.first, visible.last, kMaxPages)) return false;
    const std::uint64_t first = lane.lower_bound(view.first_tick_from(0.0));
    return lane.are_rows_here(first - std::min(first, kValueLookBack), first);
}

}  // namespace

void picture_losses(const store::Lane& lane, const Viewport& view, LanePicture& out) {
    out.gaps.clear();
    const auto& gaps = lane.gaps();
    const TickRange visible = view.visible();
    std::size_t at = lane.first_gap_touching(visible.first);
    while (at < gaps.size() && gaps[at].tick <= visible.last) {
        GapBand band;
        band.not_kept = gaps[at].is_not_kept();
        const double x0 = view.x_of(gaps[at].tick);
        band.index = gaps[at].index;
        const std::size_t begin = at;
        std::size_t end_of_sort = lane.end_of_gap_sort(at++);
        double reach = view.x_of(gaps[begin].until_tick);
        // Whatever begins before the band's end is part of it. Each turn leaps over all gaps up to there.
        for (;;) {
            const std::uint64_t beyond = view.first_tick_from(reach + kMergeGapPixels);
            const auto next = std::partition_point(gaps.begin() + static_cast<std::ptrdiff_t>(at), gaps.end(),
                                                   [&](const store::Gap& gap) { return gap.tick < beyond; });
            const auto end = static_cast<std::size_t>(next - gaps.begin());
            if (end == at) break;
            if (at == end_of_sort) {
                if (reach - x0 >= kMergeGapPixels) break;
                band.not_kept = false;
                end_of_sort = lane.end_of_gap_sort(at);
            }
            at = std::min(end, end_of_sort);
            reach = std::max(reach, view.x_of(gaps[at - 1].until_tick));
        }
        band.x0 = static_cast<float>(x0);
        band.x1 = static_cast<float>(reach);
        band.gaps = at - begin;
        band.lost = gaps[at - 1].lost_before + gaps[at - 1].lost - gaps[begin].lost_before;
        out.gaps.push_back(band);
    }
}

bool is_counted(const store::Lane& lane, const GapBand& band) {
    if (lane.uncounted_losses() == 0) return true;
    const auto& gaps = lane.gaps();
    const auto first = std::ranges::lower_bound(gaps, band.index, {}, &store::Gap::index);
    const auto count = std::min(static_cast<std::ptrdiff_t>(band.gaps), gaps.end() - first);
    return std::none_of(first, first + count,
                        [](const store::Gap& gap) { return gap.is_uncounted() && !gap.is_not_kept(); });
}

void LanePicture::clear() {
    ticks.clear();
    levels.clear();
    busy_levels.clear();
    bars.clear();
    slivers.clear();
    values.clear();
    value_min = 0;
    value_max = 0;
    has_above = false;
    has_below = false;
    texts.clear();
    gaps.clear();
    rough = false;
}

void picture_lane(const store::Lane& lane, const Viewport& view, std::uint64_t now, LanePicture& out) {
    if (is_here(lane, view)) return picture_lane_exactly(lane, view, now, out);
    out.clear();
    out.rough = true;
    picture_losses(lane, view, out);
    picture_roughly(lane, view, now, out);
}

void picture_lane_exactly(const store::Lane& lane, const Viewport& view, std::uint64_t now, LanePicture& out) {
    out.clear();
    if (lane.empty()) return;
    picture_losses(lane, view, out);
    if (lane.has_levels()) picture_levels(lane, view, now, out);
    if (lane.has(wire::Kind::kValue)) picture_values(lane, view, out);
    if (!lane.spans().empty()) picture_spans(lane, view, now, out);
    const bool instants = lane.has(wire::Kind::kTick) || lane.has_texts() || lane.spans().unmatched_ends() > 0;
    if (!instants || lane.has_only(wire::Kind::kLevel) || lane.has_only(wire::Kind::kValue)) return;
    visit_columns(lane, view, [&](const Column& column) { add_instants(lane, view, column, out); });
}

}  // namespace sla::timeline
