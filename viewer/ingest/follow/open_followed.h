// What a fleet's address means, opened so that it can be followed.
#pragma once

#include "viewer/ingest/file_source.h"
#include "viewer/ingest/follow/fleet_following.h"

#include <functional>
#include <string>

namespace sla::ingest {

struct FollowedFleet {
    std::string name;
    FileSource source;        // all that is whole now
    FollowOptions follow;     // what comes
    bool is_running = false;  // of some host no end was reported
};

// Waits for the servers; `options.progress` stops that.
Result<FollowedFleet> open_followed(const std::string& address, const FileOptions& options);

}  // namespace sla::ingest
