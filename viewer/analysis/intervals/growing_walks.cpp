#include "viewer/analysis/intervals/growing_walks.h"

namespace sla::analysis {

GrowingSpanWalk::GrowingSpanWalk(const store::Lane& lane, std::uint64_t row) : lane_(&lane), row_(row), id_(0) {
    if (row == 0 || lane.empty()) return;
    move_to(lane, row);
    if (lane.gaps().empty() || row >= lane.size()) return;
    const auto& gaps = lane.gaps();
    for (std::size_t i = lane.first_gap_touching(tick_from(lane, row)); i < gaps.size() && gaps[i].index < row; ++i)
        losses_.push_back({gaps[i].index, gaps[i].until_tick, lane.thread(gaps[i].index)});
}

void GrowingSpanWalk::note_losses(std::uint64_t end) {
    const auto [first, last] = gaps_among(*lane_, row_, end);
    for (std::size_t i = first; i < last; ++i) {
        const store::Gap& gap = lane_->gaps()[i];
        if (gap.has_end()) losses_.push_back({gap.index, gap.until_tick, lane_->thread(gap.index)});
    }
}

void GrowingSpanWalk::forget_losses() {
    if (losses_.empty()) return;
    const std::uint64_t tick = lane_->tick(row_ - 1);
    std::erase_if(losses_, [=](const Loss& loss) { return loss.until_tick <= tick; });
}

void GrowingSpanWalk::move_to(const store::Lane& lane, std::uint64_t row) {
    lane_ = &lane;
    row_ = row;
    const store::LaneSpans spans = lane.spans();
    for (Open& one : open_) {
        std::uint64_t id = spans.lower_bound(one.begin_tick);
        while (id < spans.size() && spans[id].begin_tick == one.begin_tick && spans[id].thread != one.thread) ++id;
        const bool is_there = id < spans.size() && spans[id].begin_tick == one.begin_tick;
        one.id = is_there ? id : kGone;
        one.is_lossy = one.is_lossy || !is_there;
    }
    id_ = spans.lower_bound(tick_from(lane, row));
    while (id_ < spans.size() && spans[id_].begin_index < row) ++id_;
    while (id_ > 0 && spans[id_ - 1].begin_index >= row) --id_;
}

}  // namespace sla::analysis
