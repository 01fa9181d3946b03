// The edge nearest to a pixel: any event of any lane, the lane under the pointer first.
#pragma once

#include "viewer/store/lane.h"
#include "viewer/timeline/viewport.h"

#include <cstdint>
#include <optional>
#include <vector>

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
// The same over several lanes; one of `preferred` (may be null) wins over a nearer one of another lane.
std::optional<Edge> snap(const std::vector<const store::Lane*>& lanes, const store::Lane* preferred, const Viewport& view,
                         double x, double reach = kSnapPixels);
// The lane's first edge after / last edge before that tick.
std::optional<Edge> edge_after(const store::Lane& lane, std::uint64_t tick);
std::optional<Edge> edge_before(const store::Lane& lane, std::uint64_t tick);
// The events on both sides of a tick, as a range to zoom to; nothing when either is missing.
std::optional<TickRange> interval_around(const store::Lane& lane, std::uint64_t tick);

}  // namespace sla::timeline
