// Whether a live session shows what was before: its time runs faster than the clock on the wall, or more comes than it takes
// in. Needs no comparison of clocks, so it is right for agents on other machines too.
#pragma once

#include "viewer/store/session.h"

#include <algorithm>
#include <cstdint>

namespace sla::workspace {

class CatchingUp {
public:
    // Once a frame; `seconds` since the last one, `held_back` as SourceStatus has it.
    void refresh(const store::Session& session, double seconds, double held_back) {
        age_ += seconds;
        if (age_ < kLook) return;
        const std::uint64_t reached = session.watermark();
        const auto gained = static_cast<double>(reached - std::min(reached, reached_)) / session.clock().ticks_per_second();
        is_held_back_ = held_back - held_back_ > kHeldShare * age_;
        now_ = is_held_back_ || (reached_ > 0 && gained > kFaster * age_);
        reached_ = reached;
        held_back_ = held_back;
        age_ = 0;
    }
    [[nodiscard]] bool now() const { return now_; }
    // More comes than can be taken in.
    [[nodiscard]] bool is_held_back() const { return is_held_back_; }

private:
    static constexpr double kLook = 0.5;    // seconds
    static constexpr double kFaster = 2.0;  // than the wall's: live data comes in bursts
    static constexpr double kHeldShare =
        0.5;  // of the time: a burst that fills the queue holds the reading back for moments

    std::uint64_t reached_ = 0;
    double held_back_ = 0;
    double age_ = 0;
    bool now_ = false;
    bool is_held_back_ = false;
};

}  // namespace sla::workspace
