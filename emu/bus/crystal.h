// A quartz crystal, or what is divided from one: so many ticks in so much time, exactly. A real one is off by some parts of a
// million, and stands somewhere within a tick when the power comes on.
#pragma once

#include "emu/bus/clock.h"

#include <cstdint>

namespace sla::bus {

class Crystal {
public:
    using Tick = std::int64_t;

    constexpr Crystal(std::int64_t ticks, Nanoseconds in) : ticks_(ticks), in_(in) {}

    // How much too fast it is, and how many thousandths of a tick were over at time 0.
    constexpr void set_error(std::int64_t parts_per_million, std::int64_t thousandths) {
        constexpr std::int64_t kMillion = 1'000'000;
        ticks_ *= kMillion + parts_per_million;
        in_ *= kMillion;
        before_ = in_ / 1000 * thousandths;
    }

    // The last tick that began at or before a time, and the time at which a tick begins.
    [[nodiscard]] constexpr Tick ticks_at(Nanoseconds time) const {
        return static_cast<Tick>((time * ticks_ + before_) / in_);
    }
    [[nodiscard]] constexpr Nanoseconds time_of(Tick tick) const {
        return static_cast<Nanoseconds>((tick * in_ - before_ + ticks_ - 1) / ticks_);
    }

private:
    __int128 ticks_;
    __int128 in_;  // nanoseconds
    __int128 before_ = 0;
};

}  // namespace sla::bus
