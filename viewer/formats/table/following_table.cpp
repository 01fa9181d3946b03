#include "viewer/formats/table/following_table.h"

#include "viewer/analysis/event_walk.h"

#include <algorithm>

namespace sla::formats {

namespace {

// Rows before the range that were not there when its lanes were walked over last.
analysis::Selection late_rows(const analysis::FollowedLanes& followed, const analysis::Selection& range) {
    analysis::Selection late;
    late.from = late.until = range.from;
    late.filter = range.filter;
    for (const store::Lane* lane : range.lanes) {
        const analysis::FollowedLane* one = followed.find(*lane);
        if (one == nullptr || one->row == one->end || lane->tick(one->row) >= range.from) continue;
        late.from = std::min(late.from, lane->tick(one->row));
        late.lanes.push_back(lane);
    }
    return late;
}

}  // namespace

void FollowingTable::begin(const store::Session& session, const analysis::Selection& selection) {
    if (rows_ == nullptr) {
        rows_ = is_for_people_ ? make_people_rows(session, selection, nullptr, Widths::kOfAnything)
                               : make_table_rows(session, selection, format_, nullptr, Widths::kOfAnything);
        rows_->begin(buffer_);
    }
    rows_->refresh(session);
}

// What came late is walked over by itself: others may have very many rows since.
Result<void> FollowingTable::write(const analysis::FinalRows& rows, const std::vector<const store::Lane*>& lanes,
                                   const std::optional<analysis::EventFilter>& filter) {
    lanes_.take(rows);
    analysis::Selection range;
    range.from = rows.from;
    range.until = rows.until;
    analysis::Selection selection = analysis::with_lanes(range, lanes);
    selection.filter = filter;
    begin(rows.session, selection);
    if (analysis::Selection late = late_rows(lanes_, selection); !late.lanes.empty()) {
        if (auto written = write_rows(rows.session, late); !written.ok()) return written;
    }
    auto written = write_rows(rows.session, selection);
    lanes_.pass();
    return written.ok() ? flush() : written;
}

Result<void> FollowingTable::write_rows(const store::Session& session, const analysis::Selection& selection) {
    const analysis::Progress no_progress;
    analysis::EventWalk walk(session, selection, no_progress);
    while (!output_.is_closed()) {
        const auto place = walk.next();
        if (!place) break;
        const analysis::FollowedLane* lane = lanes_.find(*place->lane);
        if (lane == nullptr || place->index < lane->row) continue;
        rows_->write(*place, walk.event(), buffer_);
        if (buffer_.size() < Output::kPiece) continue;
        if (auto flushed = flush(); !flushed.ok()) return flushed;
    }
    return {};
}

Result<void> FollowingTable::flush() {
    if (buffer_.size() == 0) return {};
    auto written = output_.write(buffer_.view());
    buffer_.clear();
    return written;
}

Result<void> FollowingTable::finish() {
    if (rows_ != nullptr) rows_->end(buffer_);
    return output_.finish(buffer_.view());
}

}  // namespace sla::formats
