// A fleet as a source: opened by a job beside the window, all that is there by its summaries, and then followed.
//
//   opened   pages, rows in the cluster ┄┄┄┄┄┄┄┄┄┄┄├── rows in memory, as they are published ──►
//   anew     pages, rows in the cluster ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├── rows in memory ──►
//
// Where the rows in memory become many, a host begins another capture, or one comes that was not there, all is opened anew
// beside this one, which that then takes the place of (DataSource::take_longer): rows never change their places in a session.
#pragma once

#include "viewer/ingest/follow/fleet_following.h"
#include "viewer/workspace/source/data_source.h"
#include "viewer/workspace/source/reopening_pace.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace sla::workspace {

struct FleetPatience {
    std::chrono::seconds silence = ingest::FollowOptions::kSilence;  // of a host that holds others up no longer
    std::chrono::seconds reopening = ReopeningPace::kMin;
    // Of rows that came since it was opened: from half of it on it is opened anew, at the end of it nothing more is taken in.
    std::uint64_t followed_bytes = std::uint64_t{96} << 20;
};
std::unique_ptr<DataSource> make_fleet_source(const std::string& address, const FleetPatience& patience = {});

}  // namespace sla::workspace
