#include "viewer/counters/intervals.h"

namespace sla::counters {

IntervalCounts Intervals::next(const EventReadings& now) {
    IntervalCounts out;
    out.counts.resize(now.size());
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (!now[i]) continue;
        if (before_[i]) {
            const Reading grown = *now[i] - *before_[i];
            out.counts[i] = grown.value();
            if (!out.counts[i]) continue;
            if (grown.is_estimate()) out.estimates.push_back(i);
        }
        before_[i] = now[i];
    }
    return out;
}

}  // namespace sla::counters
