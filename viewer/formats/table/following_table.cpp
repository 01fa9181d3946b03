#include "viewer/formats/table/following_table.h"

#include "viewer/analysis/event_walk.h"

namespace sla::formats {

Result<void> FollowingTable::write(const store::Session& session, const analysis::Selection& selection, const Given& given) {
    if (rows_ == nullptr) {
        rows_ = is_for_people_ ? make_people_rows(session, selection, nullptr, Widths::kOfAnything)
                               : make_table_rows(session, selection, format_, nullptr, Widths::kOfAnything);
        rows_->begin(buffer_);
    }
    rows_->refresh(session);
    const analysis::Progress no_progress;
    analysis::EventWalk walk(session, selection, no_progress);
    while (!output_.is_closed()) {
        const auto place = walk.next();
        if (!place) break;
        if (place->index < given(*place->lane)) continue;
        rows_->write(*place, walk.event(), buffer_);
        if (buffer_.size() < Output::kPiece) continue;
        if (auto flushed = flush(); !flushed.ok()) return flushed;
    }
    return flush();
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
