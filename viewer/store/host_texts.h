// What people must know of the clocks of the hosts whose stamps a session holds. Nothing is said that no host reported.
#pragma once

#include "viewer/store/session.h"

#include <string>
#include <vector>

namespace sla::store {

// Of a host whose stamps were moved onto the session's clock: "'there' was placed by both wall clocks, within ± 3 ms".
std::string placing_text(const Host& host);
// Why times of this host cannot be compared with others'; empty: they can, or nothing was said. Null: the origin's host.
std::string clock_problem(const Session& session, const Host* host);
// A line for each host that was moved, and for each whose wall clock nothing bounds;
// of many hosts for the 20 that were placed worst.
std::vector<std::string> clock_remarks(const Session& session);

}  // namespace sla::store
