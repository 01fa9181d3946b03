#include "viewer/timeline/rate_strip.h"

#include <algorithm>
#include <cmath>

namespace sla::timeline {

void rate_strip(const store::Lane& lane, const Viewport& view, std::uint64_t now, double ticks_per_second, double step,
                RateStrip& out) {
    out.rates.clear();
    out.most = 0;
    out.step = std::max({step, 4.0 / view.ticks_per_pixel(), 1.0});
    std::uint64_t from = view.first_tick_from(0.0);
    for (double x = 0; x < view.width() && from <= now; x += out.step) {
        const std::uint64_t until = view.first_tick_from(x + out.step);
        std::uint64_t events = 0;
        if (until > from) {
            const store::Summary summary = lane.summarize(from, until);
            events = summary.events;
        }
        const double seconds = std::max(static_cast<double>(until - from), 1.0) / ticks_per_second;
        out.rates.push_back(static_cast<double>(events) / seconds);
        out.most = std::max(out.most, out.rates.back());
        from = until;
    }
}

}  // namespace sla::timeline
