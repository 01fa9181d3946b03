#include "proto/common/trigger/row_clocks.h"

#include <algorithm>

namespace sla::trigger {

RowClocks::Number RowClocks::join(TimeSource source) {
    auto at = clocks_.begin();
    if (source != kMachineTime) {
        at = std::find_if(clocks_.begin() + 1, clocks_.end(),
                          [&](const Clock& clock) { return clock.channels > 0 && clock.source == source; });
        if (at == clocks_.end())
            at = std::find_if(clocks_.begin() + 1, clocks_.end(), [](const Clock& clock) { return clock.channels == 0; });
        if (at == clocks_.end()) at = clocks_.insert(at, Clock{});
        if (at->channels == 0) {
            *at = {.source = source};
            own_++;
        }
    }
    at->channels++;
    return static_cast<Number>(at - clocks_.begin());
}

void RowClocks::leave(Number clock) {
    if (--clocks_[clock].channels == 0 && clock != kMachine) own_--;
}

void RowClocks::learn(const KnownTimes& times) {
    clocks_[kMachine].known = std::max(clocks_[kMachine].known, times.by_machine());
    if (!any_own()) return;
    for (Clock& clock : clocks_) {
        if (clock.source == kMachineTime) continue;
        clock.known = std::max(clock.known, times.of(clock.source));
        clock.is_over = times.is_over(clock.source);
    }
}

void RowClocks::look_away(std::uint64_t until, TimeSource by, std::uint64_t now) {
    for (Clock& clock : clocks_)
        clock.blind_until = clock.source == by || until == kNever ? until : later(clock.known, distance(now, until));
}

RowClocks::Number RowClocks::only() const {
    if (own_ != 1 || clocks_[kMachine].channels > 0) return kMachine;
    const auto at = std::find_if(clocks_.begin() + 1, clocks_.end(), [](const Clock& clock) { return clock.channels > 0; });
    return static_cast<Number>(at - clocks_.begin());
}

}  // namespace sla::trigger
