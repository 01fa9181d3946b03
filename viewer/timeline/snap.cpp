#include "viewer/timeline/snap.h"

#include <cmath>

namespace sla::timeline {

std::optional<Edge> nearest_edge(const store::Lane& lane, const Viewport& view, double x, double reach) {
    const std::uint64_t here = view.tick_at(x);
    if (!lane.is_here(here, here)) return std::nullopt;
    const std::uint64_t after = lane.lower_bound(here);
    std::optional<Edge> best;
    double best_distance = reach;
    const auto consider = [&](std::uint64_t index) {
        const std::uint64_t tick = lane.tick(index);
        const double distance = std::abs(view.x_of(tick) - x);
        if (distance > best_distance) return;
        best_distance = distance;
        best = Edge{&lane, index, tick};
    };
    if (after < lane.size()) consider(after);
    if (after > 0) consider(after - 1);
    return best;
}

std::optional<Edge> edge_after(const store::Lane& lane, std::uint64_t tick) {
    const std::uint64_t index = lane.upper_bound(tick);
    if (index >= lane.size()) return std::nullopt;
    return Edge{&lane, index, lane.tick(index)};
}

std::optional<Edge> edge_before(const store::Lane& lane, std::uint64_t tick) {
    const std::uint64_t index = lane.lower_bound(tick);
    if (index == 0) return std::nullopt;
    return Edge{&lane, index - 1, lane.tick(index - 1)};
}

std::optional<TickRange> interval_around(const store::Lane& lane, std::uint64_t tick) {
    std::uint64_t after = lane.upper_bound(tick);
    if (after == 0 || after >= lane.size()) return std::nullopt;
    std::uint64_t before = after - 1;
    // A level that was reported again did not change. Further than this nobody sees: rows may have to be fetched.
    constexpr int kMaxReported = 256;
    const auto is_same = [&](std::uint64_t a, std::uint64_t b) {
        const store::Event one = lane[a];
        const store::Event other = lane[b];
        return one.code == SLA_CODE_LEVEL && other.code == SLA_CODE_LEVEL && (one.value != 0) == (other.value != 0);
    };
    for (int i = 0; i < kMaxReported && before > 0 && is_same(before - 1, before); ++i) --before;
    for (int i = 0; i < kMaxReported && after + 1 < lane.size() && is_same(after - 1, after); ++i) ++after;
    return TickRange{lane.tick(before), lane.tick(after)};
}

}  // namespace sla::timeline
