#include "viewer/formats/thread_tracks.h"

#include "viewer/analysis/event_walk.h"

#include <algorithm>

namespace sla::formats {

namespace {

std::uint64_t end_of(const store::Session& session, const analysis::Selection& selection) {
    const auto last = analysis::last_final_tick(session, selection);
    if (!last) return 0;
    return *last == store::kNever ? selection.until : std::min(selection.until, *last + 1);
}

}  // namespace

ThreadTracks::ThreadTracks(const store::Session& session, const analysis::Selection& selection)
    : session_(session), until_(end_of(session, selection)), has_filter_(selection.filter.has_value()) {}

std::optional<std::size_t> ThreadTracks::row_of(const store::RowRef& place, const store::Event& event) {
    if (has_filter_) return std::nullopt;
    if (event.kind() == wire::Kind::kBegin) return begin(place, event);
    if (event.kind() == wire::Kind::kEnd) return end(place, event);
    return std::nullopt;
}

std::optional<std::size_t> ThreadTracks::begin(const store::RowRef& place, const store::Event& event) {
    const store::Thread* thread = session_.thread(ThreadId{event.thread});
    if (thread == nullptr || thread->tid == 0) return std::nullopt;
    const store::LaneSpans spans = place.lane->spans();
    const auto id = spans.span_of_begin(place.index);
    if (!id) return std::nullopt;
    const store::Span span = spans[*id];
    if (span.state != store::SpanState::kClosed || span.end_tick >= until_) return std::nullopt;
    std::vector<Row>& rows = rows_[event.thread];
    // Of two ends at one tick the lower channel's is the first in the file, and must be the inner one's.
    const auto nests = [&](const Row& row) {
        if (row.empty() || row.back().lane == place.lane) return true;
        const Open& around = row.back();
        if (span.end_tick != around.end_tick) return span.end_tick < around.end_tick;
        return place.lane->channel().id < around.lane->channel().id;
    };
    auto row = std::find_if(rows.begin(), rows.end(), nests);
    if (row == rows.end()) {
        if (rows.size() == kMaxRows) return std::nullopt;
        row = rows.emplace(rows.end());
    }
    row->push_back({place.lane, place.index, span.end_tick});
    return static_cast<std::size_t>(row - rows.begin());
}

std::optional<std::size_t> ThreadTracks::end(const store::RowRef& place, const store::Event& event) {
    const auto rows = rows_.find(event.thread);
    if (rows == rows_.end()) return std::nullopt;
    const store::LaneSpans spans = place.lane->spans();
    const auto id = spans.span_of_end(place.index);
    if (!id) return std::nullopt;
    const std::uint64_t begin_index = spans[*id].begin_index;
    for (std::size_t i = 0; i < rows->second.size(); ++i) {
        Row& row = rows->second[i];
        const auto is_its = [&](const Open& open) { return open.lane == place.lane && open.begin_index == begin_index; };
        const auto at = std::find_if(row.rbegin(), row.rend(), is_its);
        if (at == row.rend()) continue;
        row.erase(std::next(at).base());
        return i;
    }
    return std::nullopt;  // it began on the lane's track, or before what is exported
}

}  // namespace sla::formats
