// Whether a live session still gets what was before: its time runs faster than the clock on the wall. Needs no comparison of
// clocks, so it is right for agents on other machines too.
#pragma once

#include "viewer/store/session.h"

#include <algorithm>
#include <cstdint>

namespace sla::workspace {

class CatchingUp {
public:
    // Once a frame; `seconds` since the last one.
    void refresh(const store::Session& session, double seconds) {
        age_ += seconds;
        if (age_ < kLook) return;
        const std::uint64_t reached = session.watermark();
        const auto gained = static_cast<double>(reached - std::min(reached, reached_)) / session.clock().ticks_per_second();
        now_ = reached_ > 0 && gained > kFaster * age_;
        reached_ = reached;
        age_ = 0;
    }
    [[nodiscard]] bool now() const { return now_; }

private:
    static constexpr double kLook = 0.5;    // seconds
    static constexpr double kFaster = 2.0;  // than the wall's: live data comes in bursts

    std::uint64_t reached_ = 0;
    double age_ = 0;
    bool now_ = false;
};

}  // namespace sla::workspace
