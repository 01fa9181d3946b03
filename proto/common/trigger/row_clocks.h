// The clocks by which an engine's channels are stamped: how far each is known, and until when the trigger looks away by it.
#pragma once

#include "proto/common/trigger/known_times.h"
#include "proto/common/trigger/row.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sla::trigger {

class RowClocks {
public:
    using Number = std::uint32_t;
    static constexpr Number kMachine = 0;

    // One channel more is stamped by it, or one less.
    Number join(TimeSource source);
    void leave(Number clock);
    void learn(const KnownTimes& times);
    // By this time until this tick, which is `now` there; by each other one for as long, from where it is known to be.
    void look_away(std::uint64_t until, TimeSource by, std::uint64_t now);

    // Some channel is not stamped by the machine's clock.
    [[nodiscard]] bool any_own() const { return own_ > 0; }
    // The one by which all channels are stamped; the machine's when they are several.
    [[nodiscard]] Number only() const;
    [[nodiscard]] TimeSource source(Number clock) const { return clocks_[clock].source; }
    [[nodiscard]] std::uint64_t known(Number clock) const { return clocks_[clock].known; }
    [[nodiscard]] bool is_over(Number clock) const { return clocks_[clock].is_over; }
    [[nodiscard]] std::uint64_t blind_until(Number clock) const { return clocks_[clock].blind_until; }

private:
    struct Clock {
        TimeSource source;
        std::uint64_t known = 0;
        bool is_over = false;
        std::uint64_t blind_until = 0;
        std::size_t channels = 0;
    };
    std::vector<Clock> clocks_ = std::vector<Clock>(1);  // of those without channels the places are used again
    std::size_t own_ = 0;                                // that have channels
};

}  // namespace sla::trigger
