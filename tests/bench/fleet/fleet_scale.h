// Many hosts in one fleet: real agents, light ones, and hosts that are only published for.
#pragma once

namespace sla::bench {

struct FleetScale {
    int agents = 100;
    int publishers = 1000;
    int nodes = 1;
};

// Starts them on servers of its own; how long questions about the whole take, and whether the answers are right.
int run_fleet_scale(const FleetScale& scale);

}  // namespace sla::bench
