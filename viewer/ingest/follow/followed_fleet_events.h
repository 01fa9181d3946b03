// FollowedEvents of a fleet. What came since it was opened is held in memory; before that is much, and when there is more than
// can be put behind what is there, it is opened anew, by what the cluster says then. Private to the room.
#pragma once

#include "viewer/ingest/follow/followed_events.h"

#include <memory>
#include <string>

namespace sla::ingest {

Result<std::unique_ptr<FollowedEvents>> follow_fleet(const std::string& address, const FollowedEventsOptions& options);

}  // namespace sla::ingest
