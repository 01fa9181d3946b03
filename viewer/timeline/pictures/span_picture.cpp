#include "viewer/timeline/pictures/span_picture.h"

#include <algorithm>
#include <cmath>

namespace sla::timeline {

namespace {

constexpr std::size_t kExactSpans = 4;

void add_bars(const store::LaneSpans& spans, const Viewport& view, std::uint64_t now, LanePicture& out) {
    const auto widest_hidden = static_cast<std::uint64_t>(std::ceil(kBarPixels * view.ticks_per_pixel()));
    const TickRange visible = view.visible();
    spans.visit_overlapping(visible.first, visible.last + 1, widest_hidden, [&](std::uint64_t id, const store::Span& span) {
        add_bar(id, span, view, now, out);
        return true;
    });
}

bool is_bar(const store::Span& span, double ticks_per_pixel) {
    if (span.state == store::SpanState::kOpen) return true;
    return span.end_tick - span.begin_tick >= static_cast<std::uint64_t>(std::ceil(kBarPixels * ticks_per_pixel));
}

// One sliver a row for the narrow ones among spans [first, last) of one column. All rows are found while few spans share
// the column; of many the first and last few give the rows, and the count gives the rest.
void add_slivers(const store::LaneSpans& spans, const Viewport& view, std::uint64_t first, std::uint64_t last, float x,
                 LanePicture& out) {
    const std::size_t begin = out.slivers.size();
    const auto look = [&](std::uint64_t id) {
        const store::Span span = spans[id];
        if (is_bar(span, view.ticks_per_pixel())) return;
        const auto same_row = [&](const SpanSliver& sliver) { return sliver.row == span.row; };
        const auto found =
            std::find_if(out.slivers.begin() + static_cast<std::ptrdiff_t>(begin), out.slivers.end(), same_row);
        if (found != out.slivers.end()) {
            ++found->count;
        } else {
            out.slivers.push_back({x, span.row, 1, id, span.thread, span.begin_index, span.begin_tick, span.end_tick});
        }
    };
    for (std::uint64_t id = first; id < last && id < first + kExactSpans; ++id) look(id);
    if (last - first > kExactSpans) {
        for (std::uint64_t id = std::max(first + kExactSpans, last - kExactSpans); id < last; ++id) look(id);
    }
    if (last - first > 2 * kExactSpans && out.slivers.size() > begin) out.slivers[begin].count = last - first;
}

}  // namespace

void picture_spans(const store::Lane& lane, const Viewport& view, std::uint64_t now, LanePicture& out) {
    const store::LaneSpans spans = lane.spans();
    add_bars(spans, view, now, out);
    const int width = static_cast<int>(std::ceil(view.width()));
    std::uint64_t id = spans.lower_bound(view.first_tick_from(0.0));
    const std::uint64_t end = spans.lower_bound(view.first_tick_from(width));  // what begins later may be in a page far away
    int x = 0;
    while (id < end) {
        x = std::max(x, static_cast<int>(std::min(std::floor(view.x_of(spans[id].begin_tick)), 1.0e9)));
        if (x >= width) return;
        const std::uint64_t last = spans.lower_bound(view.first_tick_from(x + 1), id);
        add_slivers(spans, view, id, last, static_cast<float>(x), out);
        id = std::max(last, id + 1);
        ++x;
    }
}

}  // namespace sla::timeline
