#include "viewer/analysis/intervals/pair_starts.h"

#include <algorithm>

namespace sla::analysis {

namespace {

// The last tick of the range.
std::uint64_t last_of(const Selection& range) {
    return range.until == store::kNever ? store::kNever : std::max<std::uint64_t>(range.until, 1) - 1;
}

}  // namespace

PairStarts::PairStarts(const Selection& selection) : rows_(selection.lanes, selection.from, last_of(selection)) {
    Selection before;
    before.from = before.until = selection.from;
    for (std::size_t i = 0; i < selection.lanes.size(); ++i) {
        walks_.emplace_back(*selection.lanes[i], before);
        lossy_.push_back(static_cast<std::uint32_t>(i));
    }
    if (selection.from < selection.until) row_ = rows_.next();
}

bool PairStarts::fill(StartBlock& block) {
    block.starts.clear();
    block.losses.clear();
    while (row_ != nullptr && block.starts.size() < StartBlock::kLeastStarts) {
        const store::MergedRows::Row row = *row_;
        row_ = rows_.next();
        ++walked_;
        if (row_ == nullptr || row_->tick != row.tick) {
            take_tick({&row, 1}, block);
            continue;
        }
        alike_.assign(1, row);
        for (; row_ != nullptr && row_->tick == row.tick; row_ = rows_.next(), ++walked_) alike_.push_back(*row_);
        take_tick(alike_, block);
    }
    return !block.starts.empty() || row_ != nullptr;
}

void PairStarts::take_tick(std::span<const store::MergedRows::Row> rows, StartBlock& block) {
    const std::size_t first = block.starts.size();
    firsts_.clear();
    bool has_losses = !lossy_.empty();
    for (const store::MergedRows::Row& row : rows) {
        StartsWalk& walk = walks_[row.lane];
        if (!walk.look_at(row.index, {row.tick, row.value, row.thread, static_cast<std::uint8_t>(row.code)})) continue;
        const bool lasts = walk.losses_last_behind(row.tick);
        LaneStart start{row.tick, row.lane, row.thread, 0, 0};
        if (lasts) start.traits |= LaneStart::kLossy;
        if (!walk.is_sure()) start.traits |= LaneStart::kUnsure;
        if (walk.is_gap()) start.traits |= LaneStart::kGap;
        block.starts.push_back(start);
        if (has_losses && (firsts_.empty() || firsts_.back().first != row.lane)) firsts_.emplace_back(row.lane, lasts);
        if (walk.is_gap()) walk.pass_gap();
    }
    if (has_losses && block.starts.size() > first) {
        const std::uint32_t losses = lossy_lanes(rows.front().tick, block);
        for (std::size_t i = first; i < block.starts.size(); ++i) block.starts[i].losses = losses;
    }
    for (std::size_t i = first; i < block.starts.size(); ++i) {
        if (!block.starts[i].is(LaneStart::kGap)) continue;
        const auto at = std::lower_bound(lossy_.begin(), lossy_.end(), block.starts[i].lane);
        if (at == lossy_.end() || *at != block.starts[i].lane) lossy_.insert(at, block.starts[i].lane);
    }
}

// Those of which events may be missing behind the tick, before what comes at it but for the first start of each.
std::uint32_t PairStarts::lossy_lanes(std::uint64_t tick, StartBlock& block) {
    std::vector<std::uint32_t> lanes;
    for (const std::uint32_t lane : lossy_) {
        const auto known = std::find_if(firsts_.begin(), firsts_.end(), [&](const auto& one) { return one.first == lane; });
        if (known != firsts_.end() ? known->second : walks_[lane].losses_last_behind(tick)) lanes.push_back(lane);
    }
    std::erase_if(lossy_, [&](std::uint32_t lane) { return !walks_[lane].losses_last_behind(tick); });
    if (lanes.empty()) return 0;
    block.losses.push_back(std::move(lanes));
    return static_cast<std::uint32_t>(block.losses.size());
}

}  // namespace sla::analysis
