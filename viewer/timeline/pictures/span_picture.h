// The bars of a lane with spans, one row for each that must stand beside another.
#pragma once

#include "viewer/timeline/pictures/lane_picture.h"

#include <algorithm>

namespace sla::timeline {

// Narrower ones are slivers.
inline constexpr double kBarPixels = 2.0;

inline void add_bar(std::uint64_t id, const store::Span& span, const Viewport& view, std::uint64_t now, LanePicture& out) {
    const std::uint64_t end = span.state == store::SpanState::kOpen ? std::max(now, span.begin_tick) : span.end_tick;
    SpanBar bar;
    bar.x0 = static_cast<float>(std::max(view.x_of(span.begin_tick), -16.0));
    bar.x1 = static_cast<float>(std::min(view.x_of(end), view.width() + 16.0));
    bar.row = span.row;
    bar.span = id;
    bar.state = span.state;
    bar.begin_index = span.begin_index;
    bar.begin_tick = span.begin_tick;
    bar.end_tick = span.end_tick;
    bar.thread = span.thread;
    out.bars.push_back(bar);
}

void picture_spans(const store::Lane& lane, const Viewport& view, std::uint64_t now, LanePicture& out);

}  // namespace sla::timeline
