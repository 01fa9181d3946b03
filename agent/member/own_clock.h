// What is known of this machine's clock, for those who deal with other hosts: the same snapshots that readers of the stream
// get, fitted anew when there is a newer one. add() is the draining thread's and costs it a lock and a copy; view() is Member's.
#pragma once

#include "proto/time/clock_map.h"
#include "proto/time/wall_axis.h"

#include <memory>
#include <mutex>
#include <vector>

namespace sla::member {

class OwnClock {
public:
    struct View {
        time::ClockMap map;
        time::WallAxis wall;
    };
    // Before there are two snapshots the rate is `nominal_hz`.
    explicit OwnClock(double nominal_hz) : nominal_hz_(nominal_hz) {}

    void add(const time::ClockSnapshot& snapshot);
    std::shared_ptr<const View> view();

    static constexpr std::size_t kKept = 256;  // the first one, and the newest

private:
    const double nominal_hz_;
    std::mutex mutex_;
    std::vector<time::ClockSnapshot> snapshots_;  // under mutex_, as all below
    bool is_new_ = true;
    std::shared_ptr<const View> view_;
};

}  // namespace sla::member
