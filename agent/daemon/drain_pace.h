// DrainPace: how long the draining thread sleeps between two looks at all rings. A program never wakes the agent.
//
//   nothing came                      twice as long as before, up to 10 ms
//   rings fill fast                   0.2 ms
//   else, from 1 ms on                longer the more rings there are, and the less there was in those that had something: a
//                                     look at a ring and a small batch of its channel cost what tens of events do
//
// The machine's own events come in large buffers, and each waking costs as much as a thousand of them on a virtual machine, so
// those alone are waited for a little longer.
#pragma once

#include "agent/daemon/pipeline/pipeline.h"

#include <algorithm>
#include <chrono>

namespace sla::daemon {

class DrainPace {
public:
    using Time = std::chrono::microseconds;
    static constexpr Time kShortest{1000};
    static constexpr Time kLongest{10'000};
    static constexpr Time kHurried{200};
    static constexpr Time kOfSource{4000};
    static constexpr Time kOfSmallPieces{5000};       // at most, however little there was in each ring
    static constexpr double kFillingFast = 0.1;       // of a ring, since the agent last looked
    static constexpr std::size_t kRingsAtOnce = 500;  // more of them: a millisecond more for each so many
    static constexpr std::size_t kManyRings = 100;    // with something in them
    static constexpr std::size_t kWorthALook = 256;   // slots of a ring

    // One step; several may come before the sleep.
    void note(const Pipeline::Step& step) {
        rings_ = step.rings;
        fullest_ = std::max(fullest_, step.fullness);
        taken_ += step.taken;
        busy_rings_ = std::max(busy_rings_, step.busy_rings);
        is_any_left_ |= step.left_rings > 0;
        of_source_ |= step.taken_from_source > 0;
    }
    // From the steps since the last sleep.
    [[nodiscard]] Time next_sleep() {
        sleep_ = wanted();
        fullest_ = 0;
        taken_ = busy_rings_ = 0;
        of_source_ = is_any_left_ = false;
        return sleep_;
    }

private:
    static Time scaled(Time time, double by) {
        const double scaled = static_cast<double>(time.count()) * by;
        return Time(static_cast<Time::rep>(std::min(scaled, static_cast<double>(kLongest.count()))));
    }
    [[nodiscard]] Time wanted() const {
        if (fullest_ > kFillingFast) return kHurried;
        if (taken_ == 0 && !is_any_left_) return std::min(sleep_ * 2, of_source_ ? kOfSource : kLongest);
        Time wanted = kShortest * (1 + rings_ / kRingsAtOnce);
        if (busy_rings_ > kManyRings && taken_ < kWorthALook * busy_rings_) {
            const double longer =
                static_cast<double>(kWorthALook * busy_rings_) / static_cast<double>(std::max<std::size_t>(taken_, 1));
            wanted = std::max(wanted, std::min(scaled(std::max(sleep_, kShortest), longer), kOfSmallPieces));
        }
        // Rings that fill this fast are not to be half full the next time.
        if (fullest_ > 0) wanted = std::min(wanted, std::max(kShortest, scaled(sleep_, kFillingFast / 2 / fullest_)));
        return std::min(wanted, kLongest);
    }

    std::size_t rings_ = 0;
    std::size_t taken_ = 0;
    std::size_t busy_rings_ = 0;
    double fullest_ = 0;
    bool of_source_ = false;
    bool is_any_left_ = false;
    Time sleep_ = kShortest;
};

}  // namespace sla::daemon
