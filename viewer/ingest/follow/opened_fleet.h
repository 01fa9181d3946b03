// OpenedFleet: a fleet as it was when it was opened, and what came since. Private to the room.
#pragma once

#include "viewer/ingest/follow/fleet_follower.h"
#include "viewer/ingest/follow/open_followed.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace sla::ingest {

struct OpenedFleet {
    static constexpr std::chrono::milliseconds kTakenAtOnce{100};

    // Takes in what is there, as long as `goes_on` says so.
    OpenedFleet(FollowedFleet fleet, const std::function<bool()>& goes_on);
    ~OpenedFleet();
    OpenedFleet(const OpenedFleet&) = delete;
    OpenedFleet& operator=(const OpenedFleet&) = delete;

    [[nodiscard]] std::uint64_t final_tick() const;
    // What a lane is called wherever its capture is opened.
    [[nodiscard]] std::string name_of(const store::Lane& lane) const;

    store::Session session;
    FrameApplier applier{session};
    FileSource source;
    std::unique_ptr<FleetFollower> follower;        // null: all hosts had ended
    std::map<std::uint32_t, std::string> captures;  // by host
    std::uint64_t watermark_then = 0;               // when it was opened: of the host that was the furthest,
    std::uint64_t reached = store::kNever;          // and of that furthest behind
    std::uint64_t bytes = 0;                        // that came since
};

}  // namespace sla::ingest
