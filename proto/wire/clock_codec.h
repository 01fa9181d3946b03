// Readings of clocks as messages, and back.
#pragma once

#include "proto/time/clock_map.h"
#include "proto/time/host_errors.h"
#include "proto/wire/capture.pb.h"

namespace sla::wire {

void fill_clock(const time::ClockSnapshot& snapshot, Clock& out);
time::ClockSnapshot snapshot_from(const Clock& in);

void fill_wall(const time::WallClock& wall, WallClock& out);
// What makes no sense is as if it had not been said.
time::WallClock wall_from(const WallClock& in);

void fill_errors(const time::HostErrors& errors, Host& out);
// Steps and jumps that are out of order are left out, so that what is left may bound less, never more.
time::HostErrors errors_from(const Host& in);

}  // namespace sla::wire
