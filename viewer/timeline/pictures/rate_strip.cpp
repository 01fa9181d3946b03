#include "viewer/timeline/pictures/rate_strip.h"

#include <algorithm>
#include <cmath>

namespace sla::timeline {

namespace {

constexpr std::size_t kMaxPagesOfStrip = 4;

// Events before a tick: exact at the edges of pages.
double events_before(const store::Lane& lane, std::uint64_t tick) {
    const auto before_row = [&](std::uint64_t row) { return static_cast<double>(lane.events_in(0, row)); };
    const store::PageTable& pages = *lane.pages();
    const std::size_t at = pages.page_at(tick);
    if (at == pages.pages().size()) return before_row(lane.lower_bound(tick));
    const store::Page& page = pages.pages()[at];
    if (tick <= page.first_tick) return before_row(page.first);
    const double share =
        static_cast<double>(tick - page.first_tick) / static_cast<double>(page.last_tick - page.first_tick + 1);
    return before_row(page.first) + share * static_cast<double>(page.rows - page.gaps);
}

double events_between(const store::Lane& lane, std::uint64_t from, std::uint64_t until, bool is_rough) {
    if (until <= from) return 0;
    if (is_rough) return events_before(lane, until) - events_before(lane, from);
    return static_cast<double>(lane.summarize(from, until).events);
}

}  // namespace

void rate_strip(const store::Lane& lane, const Viewport& view, std::uint64_t now, double ticks_per_second, double step,
                RateStrip& out) {
    out.rates.clear();
    out.most = 0;
    out.step = std::max({step, 4.0 / view.ticks_per_pixel(), 1.0});
    const TickRange visible = view.visible();
    out.rough = !lane.is_here(visible.first, visible.last, kMaxPagesOfStrip);
    std::uint64_t from = view.first_tick_from(0.0);
    for (double x = 0; x < view.width() && from <= now; x += out.step) {
        const std::uint64_t until = view.first_tick_from(x + out.step);
        const std::uint64_t to_come = until > now + 1 ? std::min(until - (now + 1), from) : 0;
        const double events = events_between(lane, from - to_come, until - to_come, out.rough);
        const double seconds = std::max(static_cast<double>(until - from), 1.0) / ticks_per_second;
        out.rates.push_back(events / seconds);
        out.most = std::max(out.most, out.rates.back());
        from = until;
    }
}

}  // namespace sla::timeline
