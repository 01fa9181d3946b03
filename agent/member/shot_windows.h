// Windows of the fleet's shots on this host: pinned in the retention, and, once they are over, what there is of them.
//
//   keep(entry)   pins the window, a Shot into our stream ─┐
//   open(entry)   our own shot's, which is pinned already ─┴─► "filling" ── close ──► "kept", or "lacking" and why
#pragma once

#include "agent/member/own_clock.h"
#include "agent/member/shot_place.h"
#include "agent/retain/retention.h"
#include "proto/fleet/registry.h"
#include "proto/fleet/talk.h"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace sla::member {

// Ticks of this host's clock, of a length of time.
std::int64_t own_ns(std::uint64_t ticks, const time::ClockMap& clock);

class ShotWindows {
public:
    // Nothing from before `start_tick` was ever here.
    ShotWindows(std::uint64_t start_tick, retain::Retention& retention, OwnClock& clock)
        : start_tick_(start_tick), retention_(retention), clock_(clock) {}

    // Each gives the entry as it is now.
    fleet::ShotEntry keep(fleet::ShotEntry entry, const fleet::FleetShot& shot, const ShotPlace& place);
    fleet::ShotEntry open(fleet::ShotEntry entry);
    // Those that are over, or all, leave for `out`.
    void close(std::uint64_t now_tick, bool all, std::vector<fleet::ShotEntry>& out);

private:
    [[nodiscard]] std::string lack_of(const fleet::ShotEntry& entry, std::uint64_t now_tick);

    const std::uint64_t start_tick_;
    retain::Retention& retention_;
    OwnClock& clock_;
    std::deque<fleet::ShotEntry> open_;
};

}  // namespace sla::member
