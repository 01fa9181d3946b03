#include "viewer/timeline/pictures/minimap_counts.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace sla::timeline {

namespace {

constexpr double kStepsAPixel = 4;
constexpr double kFewestStepsAPixel = 2;
constexpr double kMostStepsAPixel = 8;
constexpr double kLongPage = 16;  // pixels

}  // namespace

bool needs_rows(const store::Page& page, double ticks_per_pixel) {
    const auto pixels = static_cast<double>(page.last_tick - page.first_tick) / ticks_per_pixel;
    // Its first and its last pixel have an event each.
    return pixels > kLongPage || (pixels > 1 && static_cast<double>(page.longest_pause) > ticks_per_pixel);
}

MinimapCounts::MinimapCounts(const Viewport& strip)
    : origin_(strip.first_tick_from(0.0)),
      step_(static_cast<std::uint64_t>(std::max(1.0, std::floor(strip.ticks_per_pixel() / kStepsAPixel)))),
      most_steps_(static_cast<std::uint64_t>(std::ceil(strip.width() * kMostStepsAPixel))) {}

bool MinimapCounts::count(const store::Session& session, const std::function<bool()>& go_on) {
    first_tick_ = session.first_tick();
    make_space(session.last_tick());
    std::vector<Uncertain> uncertain;
    for (const store::Lane* lane : session.lanes()) {
        if (!go_on()) return false;
        add_lane(*lane, uncertain);
    }
    std::sort(uncertain.begin(), uncertain.end(), [](const Uncertain& a, const Uncertain& b) {
        return std::tuple(a.chunk, a.lane->channel().id) < std::tuple(b.chunk, b.lane->channel().id);
    });
    for (std::size_t begin = 0, end = 0; begin < uncertain.size(); begin = end) {
        while (end < uncertain.size() && uncertain[end].chunk == uncertain[begin].chunk) ++end;
        if (!go_on()) return false;
        add_chunk(session, std::span(uncertain).subspan(begin, end - begin));
    }
    return true;
}

MinimapCounts::Counted MinimapCounts::of(ChannelId lane) const {
    const auto found = lanes_.find(lane);
    return found == lanes_.end() ? Counted() : found->second;
}

bool MinimapCounts::fit(const store::Session& session, const Viewport& strip) const {
    if (first_tick_ != session.first_tick()) return false;  // older rows have come since
    return step_ == 1 || static_cast<double>(step_) * kFewestStepsAPixel <= strip.ticks_per_pixel();
}

std::size_t MinimapCounts::step_of(std::uint64_t tick) const {
    return tick < origin_ ? 0 : std::min<std::size_t>((tick - origin_) / step_, events_.size() - 1);
}

void MinimapCounts::make_space(std::uint64_t last_tick) {
    const std::uint64_t length = std::max(last_tick, origin_) - origin_;
    while (length / step_ >= most_steps_) {
        step_ *= 2;
        for (std::size_t i = 1; i < events_.size(); ++i) {
            const std::uint64_t events = std::exchange(events_[i], 0);
            events_[i / 2] += events;
        }
    }
    events_.resize(length / step_ + 1);
}

void MinimapCounts::add_lane(const store::Lane& lane, std::vector<Uncertain>& uncertain) {
    Counted& counted = lanes_[lane.channel().id];
    if (const store::PageTable* const pages = lane.pages()) {
        for (std::size_t at = pages->page_of(counted.rows); at < pages->pages().size(); ++at) {
            const store::Page page = pages->pages()[at];
            if (needs_rows(page, kStepsAPixel * static_cast<double>(step_))) {
                uncertain.push_back({&lane, at, page.chunk, counted.rows});
            } else {
                add_evenly(std::max(page.first_tick, counted.last_tick), page.last_tick,
                           page.end() - std::max(page.first, counted.rows));
            }
        }
    }
    for (std::uint64_t row = std::max(counted.rows, lane.tail().first_index()); row < lane.size();) {
        const auto ticks = lane.ticks_from(row);
        add_rows(ticks, events_);
        row += ticks.size();
    }
    counted = {lane.size(), lane.last_tick()};
}

// A part of each page at a time; where rows can only be had page by page, so.
void MinimapCounts::add_chunk(const store::Session& session, std::span<const Uncertain> pages) {
    std::vector<ChannelId> channels;
    for (const Uncertain& page : pages) channels.push_back(page.lane->channel().id);
    std::vector<std::uint64_t> events(events_.size());
    const auto add = [&](ChannelId channel, std::uint64_t first, const store::Columns& rows) {
        const auto at = std::lower_bound(channels.begin(), channels.end(), channel) - channels.begin();
        const std::uint64_t from = std::max(first, pages[static_cast<std::size_t>(at)].from);
        if (from >= first + rows.rows) return;
        add_rows({rows.ticks + (from - first), rows.rows - (from - first)}, events);
    };
    store::PageSource* const source = session.page_source();
    if (source != nullptr && source->visit_rows(pages.front().chunk, channels, add)) {
        for (std::size_t i = 0; i < events.size(); ++i) events_[i] += events[i];
        return;
    }
    for (const Uncertain& page : pages) add_page(page);
}

void MinimapCounts::add_page(const Uncertain& page) {
    const store::Page whole = page.lane->pages()->pages()[page.page];
    for (std::uint64_t row = std::max(page.from, whole.first), end = whole.end(); row < end;) {
        const auto ticks = page.lane->ticks_from(row);
        const auto rows = std::min<std::uint64_t>(ticks.size(), end - row);
        add_rows(ticks.first(rows), events_);
        row += rows;
    }
    page.lane->let_go_page();
}

void MinimapCounts::add_evenly(std::uint64_t first_tick, std::uint64_t last_tick, std::uint64_t rows) {
    const std::size_t first = step_of(first_tick);
    const std::size_t steps = step_of(last_tick) - first + 1;
    for (std::size_t i = 0; i < steps; ++i) events_[first + i] += rows * (i + 1) / steps - rows * i / steps;
}

void MinimapCounts::add_rows(std::span<const std::uint64_t> ticks, std::vector<std::uint64_t>& to) const {
    for (auto at = ticks.begin(); at != ticks.end();) {
        const std::size_t step = step_of(*at);
        const std::uint64_t begin = origin_ + step * step_;
        const bool is_last = step + 1 == to.size() || step_ > store::kNever - begin;
        const std::uint64_t until = is_last ? store::kNever : begin + step_;
        const auto end = std::find_if(at + 1, ticks.end(), [until](std::uint64_t tick) { return tick >= until; });
        to[step] += static_cast<std::uint64_t>(end - at);
        at = end;
    }
}

}  // namespace sla::timeline
