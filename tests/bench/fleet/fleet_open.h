// A large capture in a cluster: how soon it is there to be looked at.
#pragma once

namespace sla::bench {

struct FleetOpen {
    double events = 100;  // millions
    int nodes = 1;
    int ranges = 20;
};

// Makes a file of so many events, publishes it to servers of its own, and opens both: the time until lanes can be drawn, a
// window's first picture, and until the rows of 1 ms anywhere are there.
int run_fleet_open(const FleetOpen& wanted);

}  // namespace sla::bench
