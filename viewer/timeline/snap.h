// The edge nearest to a pixel: any event of the lane under the pointer.
#pragma once

#include "viewer/store/lane.h"
#include "viewer/timeline/viewport.h"

#include <cstdint>
#include <optional>

namespace sla::timeline {

inline constexpr double kSnapPixels = 6.0;

struct Edge {
    const store::Lane* lane = nullptr;
    std::uint64_t index = 0;
    std::uint64_t tick = 0;
};

// The event of this lane nearest to pixel x, at most `reach` pixels away. Does not wait for rows that are not here: nothing
// then, and they are fetched.
std::optional<Edge> nearest_edge(const store::Lane& lane, const Viewport& view, double x, double reach);
// The lane's first edge after / last edge before that tick.
std::optional<Edge> edge_after(const store::Lane& lane, std::uint64_t tick);
std::optional<Edge> edge_before(const store::Lane& lane, std::uint64_t tick);
// The events on both sides of a tick, as a range to zoom to; nothing when either is missing.
std::optional<TickRange> interval_around(const store::Lane& lane, std::uint64_t tick);

}  // namespace sla::timeline
