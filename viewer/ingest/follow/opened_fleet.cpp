#include "viewer/ingest/follow/opened_fleet.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sla::ingest {

OpenedFleet::OpenedFleet(FollowedFleet fleet, const std::function<bool()>& goes_on) : source(std::move(fleet.source)) {
    while (source.step(applier, kTakenAtOnce) && goes_on()) {
    }
    watermark_then = session.watermark();
    for (std::size_t i = 0; i < fleet.follow.hosts.size(); ++i) {
        const MergedPart* const part = fleet.follow.parts == nullptr ? nullptr : &fleet.follow.parts->parts()[i];
        const FollowedHost& host = fleet.follow.hosts[i];
        captures[part == nullptr ? 0 : part->translation.host()] = host.run.host + "/" + host.run.capture;
        if (host.run.ended_ns != 0) continue;
        reached = std::min(reached, part == nullptr ? host.complete_until : part->translation.tick(host.complete_until));
    }
    if (!fleet.is_running) return;
    source.go_on(applier);
    follower = std::make_unique<FleetFollower>(std::move(fleet.follow));
}

OpenedFleet::~OpenedFleet() {
    follower.reset();
    session.hold(nullptr);
}

std::uint64_t OpenedFleet::final_tick() const {
    if (session.ended()) return store::kNever;
    return session.watermark() > watermark_then ? session.watermark() : reached;
}

std::string OpenedFleet::name_of(const store::Lane& lane) const {
    const store::Source* source_of = session.source_of(lane);
    const auto capture = captures.find(session.host_id_of(lane));
    return fmt::format("{}\n{}\n{}\n{}", capture == captures.end() ? "" : capture->second,
                       source_of == nullptr ? "" : source_of->name, source_of == nullptr ? 0 : source_of->pid,
                       lane.channel().name);
}

}  // namespace sla::ingest
