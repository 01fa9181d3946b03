#include "proto/time/host_axis.h"

#include "proto/time/picoseconds.h"

#include <algorithm>
#include <array>

namespace sla::time {
namespace {

constexpr std::size_t kMaxSteps = 4096;

std::array<std::uint64_t, 3> places(std::uint64_t first_tick, std::uint64_t last_tick) {
    return {first_tick, first_tick + (last_tick - first_tick) / 2, last_tick};
}

// Neighbours become one, with the greater error, until there are few enough.
void thin_out(std::vector<HostErrors::Step>& steps) {
    while (steps.size() > kMaxSteps) {
        std::vector<HostErrors::Step> fewer;
        for (std::size_t i = 0; i < steps.size(); i += 2) {
            fewer.push_back(steps[i]);
            if (i + 1 < steps.size()) fewer.back().error_ps = std::max(steps[i].error_ps, steps[i + 1].error_ps);
        }
        steps = std::move(fewer);
    }
}

}  // namespace

std::optional<HostAxis> HostAxis::by_pings(const std::vector<PeerReading>& readings, const ClockMap& clock,
                                           const ClockMap& reference) {
    std::vector<AxisAnchor> anchors;
    for (const PeerReading& reading : readings) {
        // The reference's time is rounded to a nanosecond.
        anchors.push_back(
            {reading.tick, floor_ns(reference.to_ps(reading.peer_tick)), std::max<std::int64_t>(reading.error_ns, 0) + 1});
    }
    HostAxis axis;
    axis.map_ = AxisMap::fit(std::move(anchors), clock);
    if (axis.map_.empty() || __builtin_mul_overflow(axis.map_.base_ns(), kPicosecondsPerNanosecond, &axis.shift_ps_))
        return std::nullopt;
    axis.reference_ = reference;
    axis.stamp_error_ps_ = clock.delta_error_ps(0, Stamps::kTwoThreads);
    return axis;
}

std::optional<HostAxis> HostAxis::by_wall_clocks(const WallAxis& wall, const ClockMap& clock, const WallAxis& reference_wall,
                                                 const ClockMap& reference) {
    if (wall.empty() || reference_wall.empty()) return std::nullopt;
    HostAxis axis;
    std::int64_t shift_ns = 0;
    if (__builtin_sub_overflow(wall.map().base_ns(), reference_wall.map().base_ns(), &shift_ns) ||
        __builtin_mul_overflow(shift_ns, kPicosecondsPerNanosecond, &axis.shift_ps_)) {
        return std::nullopt;
    }
    axis.way_ = Way::kWallClocks;
    axis.map_ = wall.map();
    axis.reference_map_ = reference_wall.map();
    axis.reference_ = reference;
    axis.stamp_error_ps_ = clock.delta_error_ps(0, Stamps::kTwoThreads);
    axis.is_bounded_ = wall.is_bounded() && reference_wall.is_bounded();
    return axis;
}

std::uint64_t HostAxis::to_reference(std::uint64_t tick) const {
    std::int64_t ps = 0;
    const std::int64_t own_ps = map_.to_ps(tick);
    if (__builtin_add_overflow(own_ps, shift_ps_, &ps)) ps = own_ps < 0 ? -kMaxPs : kMaxPs;
    return way_ == Way::kPings ? reference_.to_tick(ps) : reference_map_.to_tick(ps);
}

std::int64_t HostAxis::error_ps(std::uint64_t tick) const {
    auto error = static_cast<long double>(map_.error_ps(tick)) + static_cast<long double>(stamp_error_ps_);
    if (way_ == Way::kWallClocks) error += static_cast<long double>(reference_map_.error_ps(to_reference(tick)));
    const std::uint64_t edge = std::clamp(tick, map_.first_tick(), map_.last_tick());
    const bool is_outside = way_ == Way::kPings && edge != tick;  // no ping saw what the reference's counter did there
    if (is_outside) error += static_cast<long double>(reference_.breaks_between(to_reference(edge), to_reference(tick)));
    return saturated(error);
}

std::uint64_t HostAxis::from_reference(std::uint64_t tick) const {
    const std::int64_t ps = way_ == Way::kPings ? reference_.to_ps(tick) : reference_map_.to_ps(tick);
    std::int64_t own_ps = 0;
    if (__builtin_sub_overflow(ps, shift_ps_, &own_ps)) own_ps = ps < 0 ? -kMaxPs : kMaxPs;
    return map_.to_tick(own_ps);
}

std::vector<AxisJump> HostAxis::jumps() const {
    std::vector<AxisJump> jumps = map_.jumps();
    for (AxisJump& jump : jumps) {
        jump.from_tick = to_reference(jump.from_tick);
        jump.until_tick = to_reference(jump.until_tick);
    }
    jumps.insert(jumps.end(), reference_map_.jumps().begin(), reference_map_.jumps().end());
    std::sort(jumps.begin(), jumps.end(), [](const AxisJump& a, const AxisJump& b) { return a.from_tick < b.from_tick; });
    return jumps;
}

// Between two anchors of either map the error is the greater of lines that come from both: nowhere more than near its ends.
HostErrors HostAxis::errors(std::uint64_t first_tick, std::uint64_t last_tick) const {
    HostErrors out;
    out.is_bounded = is_bounded_;
    out.stretch_ppb = map_.stretch_ppb() + (way_ == Way::kWallClocks ? reference_map_.stretch_ppb() : 0);
    out.jumps = jumps();
    std::vector<std::uint64_t> edges = map_.anchor_ticks();
    for (const std::uint64_t tick : reference_map_.anchor_ticks()) edges.push_back(from_reference(tick));
    std::erase_if(edges, [&](std::uint64_t tick) { return tick <= first_tick || tick >= last_tick; });
    edges.push_back(first_tick);
    edges.push_back(last_tick);
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    for (std::size_t i = 0; i < edges.size(); ++i) {
        std::int64_t error = error_ps(edges[i]);
        const bool has_inside = i + 1 < edges.size() && edges[i + 1] - edges[i] > 1;
        if (has_inside) error = std::max({error, error_ps(edges[i] + 1), error_ps(edges[i + 1] - 1)});
        if (i + 1 < edges.size()) error = std::max(error, error_ps(edges[i + 1]));
        out.steps.push_back({to_reference(edges[i]), error});
    }
    thin_out(out.steps);
    return out;
}

const HostAxis& better_of(const HostAxis& one, const HostAxis& other, std::uint64_t first_tick, std::uint64_t last_tick) {
    if (one.is_bounded() != other.is_bounded()) return one.is_bounded() ? one : other;
    const std::uint64_t middle = places(first_tick, last_tick)[1];
    return one.error_ps(middle) <= other.error_ps(middle) ? one : other;
}

bool contradict(const HostAxis& one, const HostAxis& other, const ClockMap& reference, std::uint64_t first_tick,
                std::uint64_t last_tick) {
    if (!one.is_bounded() || !other.is_bounded()) return false;
    const auto around = places(first_tick, last_tick);
    return std::any_of(around.begin(), around.end(), [&](std::uint64_t tick) {
        const auto apart_ticks = static_cast<std::int64_t>(one.to_reference(tick) - other.to_reference(tick));
        const auto apart = static_cast<long double>(magnitude(reference.ticks_to_ps(apart_ticks)));
        return apart > static_cast<long double>(one.error_ps(tick)) + static_cast<long double>(other.error_ps(tick));
    });
}

}  // namespace sla::time
