// ShownRate: what people were shown of a clock that is still being learned. Every fit that was shown says of its rate how far
// it may be off; later fits stay within what all of those said, so that a time that was shown moves by no more than the error
// that was shown with it:
//
//   shown        ├──────────────●──────────────┤
//   shown             ├──────────────●─────────┤
//   fitted next  ×┄┄┄┄●───────┤                     moved to the nearest rate that all allow; its error covers the way
//
// Where a jump of the counter was found since, or time counts from elsewhere, what was shown no longer binds. Value type.
#pragma once

#include "proto/time/clock_map.h"

#include <cstddef>
#include <cstdint>

namespace sla::time {

class ShownRate {
public:
    // People see this now.
    void note(const ClockMap& clock);
    // The same clock within what was shown.
    void limit(ClockMap& clock) const;

private:
    [[nodiscard]] bool binds(const ClockMap& clock) const;

    bool any_ = false;
    std::uint64_t origin_ = 0;
    std::size_t breaks_ = 0;
    unsigned __int128 least_ = 0;  // picoseconds per tick, 64.64
    unsigned __int128 greatest_ = 0;
};

}  // namespace sla::time
