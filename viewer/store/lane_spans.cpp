#include "viewer/store/lane_spans.h"

#include "viewer/store/lane.h"

#include <algorithm>

namespace sla::store {

std::uint64_t LaneSpans::size() const {
    return lane_->tail().spans().end_id();
}

Span LaneSpans::operator[](std::uint64_t id) const {
    const PageTable* pages = lane_->pages();
    const SpanTable& newest = lane_->tail().spans();
    if (pages == nullptr || id >= newest.first_id()) return newest[id];
    if (const Run* hot = lane_->hot_page()) {  // one that has ended in its page is known there
        const SpanTable& spans = hot->spans();
        if (id >= spans.first_id() && id < spans.end_id() && spans[id].state != SpanState::kOpen) return spans[id];
    }
    if (const Span* crossing = pages->crossing_span(id)) return *crossing;
    const std::size_t page = pages->page_of_span(id);
    const SpanTable& spans = lane_->page_run(page).spans();
    if (id < spans.end_id()) return spans[id];
    const Page& unreadable = pages->pages()[page];
    Span span;
    span.begin_index = unreadable.first;
    span.end_index = unreadable.end() - 1;
    span.begin_tick = unreadable.first_tick;
    span.end_tick = unreadable.last_tick;
    span.state = SpanState::kCut;
    return span;
}

std::uint64_t LaneSpans::unmatched_ends() const {
    return lane_->tail().spans().unmatched_ends() + (lane_->pages() == nullptr ? 0 : lane_->pages()->loose_ends());
}

std::uint16_t LaneSpans::rows() const {
    return std::max(lane_->tail().spans().rows(),
                    lane_->pages() == nullptr ? std::uint16_t{0} : lane_->pages()->span_rows());
}

std::optional<std::uint64_t> LaneSpans::span_of_begin(std::uint64_t index) const {
    if (index >= lane_->tail().first_index()) return lane_->tail().spans().span_of_begin(index);
    return lane_->page_run(lane_->pages()->page_of(index)).spans().span_of_begin(index);
}

std::optional<std::uint64_t> LaneSpans::span_of_end(std::uint64_t index) const {
    if (index >= lane_->tail().first_index()) return lane_->tail().spans().span_of_end(index);
    return lane_->page_run(lane_->pages()->page_of(index)).spans().span_of_end(index);
}

std::uint64_t LaneSpans::lower_bound(std::uint64_t tick, std::uint64_t from) const {
    const PageTable* pages = lane_->pages();
    const Run* hot = lane_->hot_page();
    const SpanTable& near = hot == nullptr ? lane_->tail().spans() : hot->spans();
    if (from >= near.first_id() && from < near.end_id() && near[near.end_id() - 1].begin_tick >= tick) {
        return near.lower_bound(tick, from);
    }
    if (pages == nullptr || tick > pages->last_tick()) return lane_->tail().spans().lower_bound(tick);
    const std::size_t at = pages->page_at(tick);
    const Page& page = pages->pages()[at];
    if (page.first_tick >= tick || page.begins == 0) return page.first_span;
    return lane_->page_run(at).spans().lower_bound(tick);
}

void LaneSpans::visit_overlapping(std::uint64_t from, std::uint64_t until, std::uint64_t min_ticks,
                                  const Visit& visit) const {
    bool going = true;
    const PageTable* pages = lane_->pages();
    if (pages != nullptr) {
        pages->visit_crossing(from, until, min_ticks,
                              [&](const NumberedSpan& one) { return going = visit(one.id, one.span); });
        // The last page may hold spans that never end.
        const std::size_t last = pages->pages().size() - 1;
        for (std::size_t at = std::min(pages->page_at(from), last); going && at <= last; ++at) {
            const Page& page = pages->pages()[at];
            if (page.first_tick >= until) break;
            if (page.begins == 0 || (at != last && page.last_tick - page.first_tick < min_ticks)) continue;
            const SpanTable& spans = lane_->page_run(at).spans();
            spans.visit_overlapping(from, until, min_ticks, [&](std::uint64_t id) {
                if (spans[id].state == SpanState::kOpen && pages->crossing_span(id) != nullptr) return true;  // was visited
                return going = visit(id, spans[id]);
            });
        }
    }
    const SpanTable& newest = lane_->tail().spans();
    if (!going) return;
    newest.visit_overlapping(from, until, min_ticks, [&](std::uint64_t id) { return visit(id, newest[id]); });
}

}  // namespace sla::store
