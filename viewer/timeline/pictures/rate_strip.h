// Events a second over time: the strip that older tools show as an oscilloscope's trace. For any lane.
// Costs pixel columns times log(events).
#pragma once

#include "viewer/store/lane.h"
#include "viewer/timeline/viewport.h"

#include <vector>

namespace sla::timeline {

struct RateStrip {
    double step = 1;  // pixels between values
    // Events a second in each step from the left edge on; gap rows do not count. Of the step in which `now` lies, the rate over as
    // long a time that ends there.
    std::vector<double> rates;
    double most = 0;
    bool rough = false;  // of rows that stay in a file and are not here: shared out evenly within each page
};

// Replaces `out`. Never waits for a file. Steps are at least `step` pixels and at least four ticks wide; none lies beyond
// `now`.
void rate_strip(const store::Lane& lane, const Viewport& view, std::uint64_t now, double ticks_per_second, double step,
                RateStrip& out);

}  // namespace sla::timeline
