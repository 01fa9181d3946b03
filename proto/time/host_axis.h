// HostAxis: the ticks of one host as ticks of another, with a bound of the error. Two ways lead there:
//
//   by pings       anchors between the two counters, each one exchange between the agents
//   by wall clocks ticks to UTC by the one host, UTC to ticks by the other: the errors of both add up
//
// Value type; no I/O.
#pragma once

#include "proto/time/axis_map.h"
#include "proto/time/host_errors.h"
#include "proto/time/wall_axis.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sla::time {

// At the same instant one counter stood at `tick` and another host's at `peer_tick`, give or take error_ns.
struct PeerReading {
    std::uint64_t tick = 0;
    std::uint64_t peer_tick = 0;
    std::int64_t error_ns = 0;
};

class HostAxis {
public:
    enum class Way { kPings, kWallClocks };

    // Readings between the host that is moved (`tick`) and the reference (`peer_tick`); nothing without any.
    static std::optional<HostAxis> by_pings(const std::vector<PeerReading>& readings, const ClockMap& clock,
                                            const ClockMap& reference);
    // Nothing when one of them has no reading of its wall clock, or when they lie more than 106 days apart.
    static std::optional<HostAxis> by_wall_clocks(const WallAxis& wall, const ClockMap& clock,
                                                  const WallAxis& reference_wall, const ClockMap& reference);

    [[nodiscard]] Way way() const { return way_; }
    // No: the errors hold what was measured only.
    [[nodiscard]] bool is_bounded() const { return is_bounded_; }
    // Never goes back where its argument does not.
    [[nodiscard]] std::uint64_t to_reference(std::uint64_t tick) const;
    // ± of that; with what stamping costs on the host that is moved.
    [[nodiscard]] std::int64_t error_ps(std::uint64_t tick) const;
    // What to keep of it for stamps from `first_tick` to `last_tick` of the moved host, coarser where it were too much.
    [[nodiscard]] HostErrors errors(std::uint64_t first_tick, std::uint64_t last_tick) const;

private:
    [[nodiscard]] std::uint64_t from_reference(std::uint64_t tick) const;
    [[nodiscard]] std::vector<AxisJump> jumps() const;  // by the reference's ticks

    AxisMap map_;                // to the reference's picoseconds, or to UTC
    AxisMap reference_map_;      // by wall clocks: of the reference, to UTC
    ClockMap reference_;         // its clock
    std::int64_t shift_ps_ = 0;  // between the two maps' axes
    std::int64_t stamp_error_ps_ = 0;
    Way way_ = Way::kPings;
    bool is_bounded_ = true;
};

// The one with the smaller error in the middle of these ticks; one that is bounded before one that is not.
const HostAxis& better_of(const HostAxis& one, const HostAxis& other, std::uint64_t first_tick, std::uint64_t last_tick);
// The two contradict each other somewhere at the edges or in the middle: a clock says less of its error than there is.
bool contradict(const HostAxis& one, const HostAxis& other, const ClockMap& reference, std::uint64_t first_tick,
                std::uint64_t last_tick);

}  // namespace sla::time
