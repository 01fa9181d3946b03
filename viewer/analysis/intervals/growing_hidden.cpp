#include "viewer/analysis/intervals/growing_hidden.h"

#include "viewer/analysis/intervals/growing_walks.h"

#include <algorithm>
#include <utility>

namespace sla::analysis {

GrowingHidden::GrowingHidden(const store::Lane& lane, std::uint64_t row, Measure measure)
    : measure_(measure), row_(row), are_spans_(measure == Measure::kWidth) {
    if (row == 0 || lane.gaps().empty()) return;
    const std::uint64_t tick = tick_from(lane, row);
    each_loss_in(lane, tick, tick + 1, [&](const store::Gap& gap) {
        if (gap.index >= row) return;
        add(lane, gap, tick, gap.index + 1);
        orphans_.lose(lane.thread(gap.index), tick, gap);
    });
}

void GrowingHidden::go_on(const store::Lane& lane, std::uint64_t end) {
    if (end <= row_) return;
    for (Loss& loss : open_) find_end(loss, lane, row_, end);
    const auto [first, last] = gaps_among(lane, row_, end);
    if (measure_ == Measure::kWidth) orphans_.go_on(lane, row_, end, orphaned_);
    const std::uint64_t begin = std::exchange(row_, end);
    are_spans_ = measure_ == Measure::kWidth && (!lane.has_levels() || !lane.spans().empty());
    if (!is_kind_open(lane)) begin_tracking_early(lane, begin);
    for (std::size_t i = first; i < last; ++i) add(lane, lane.gaps()[i], 0, lane.gaps()[i].index + 1);
    if (measure_ == Measure::kPair) return;
    std::erase_if(open_, [this](const Loss& loss) {
        if (loss.is_over) settle(loss, loss.until);
        return loss.is_over;
    });
}

void GrowingHidden::go_on_ends(const StartsWalk& ends, std::uint64_t end) {
    if (open_.empty()) return;
    StartsWalk starts = ends;
    starts.extend(end);
    for (; !starts.over() && !open_.empty(); starts.step()) {
        if (starts.is_gap() || !starts.is_sure()) continue;
        const std::uint64_t tick = starts.event().tick;
        std::erase_if(open_, [&](const Loss& loss) {
            if (loss.until <= tick) settle(loss, tick);
            return loss.until <= tick;
        });
    }
}

Hidden GrowingHidden::found(std::uint64_t known) const {
    Hidden hidden = hidden_;
    std::uint64_t first = first_endless_;
    for (const Loss& loss : open_) first = std::min(first, loss.tick);
    hidden.longest = std::max(hidden.longest, known - std::min(known, first));
    if (are_spans_) hidden.join(spans_.with(orphaned_, orphans_.is_any_open(), known));
    return hidden;
}

bool GrowingHidden::is_kind_open(const store::Lane& lane) const {
    return measure_ == Measure::kWidth && !lane.has_levels() && lane.spans().empty();
}

// `row`: the first behind them that can be looked at.
void GrowingHidden::begin_tracking_early(const store::Lane& lane, std::uint64_t row) {
    for (const auto& [gap, thread] : early_) track(lane, gap, thread, row);
    if (are_early_too_many_ && lane.has_levels()) {
        hidden_.most = store::kNever;
        first_endless_ = std::min(first_endless_, early_.front().first.tick);
    }
    early_.clear();
    are_early_too_many_ = false;
}

// `from`: what began before that tick is none of them. `row`: the first behind it that can be looked at.
void GrowingHidden::add(const store::Lane& lane, const store::Gap& gap, std::uint64_t from, std::uint64_t row) {
    if (gap.lost == 0 && !gap.is_uncounted()) return;
    spans_.add(gap, from);
    const std::uint32_t thread = lane.thread(gap.index);
    if (!is_kind_open(lane)) return track(lane, gap, thread, row);
    are_early_too_many_ = early_.size() >= kMost;
    if (!are_early_too_many_) early_.emplace_back(gap, thread);
}

// Of levels and of pairs, until it is known how long what the loss hides can be; of times between events they are counted.
void GrowingHidden::track(const store::Lane& lane, const store::Gap& gap, std::uint32_t thread, std::uint64_t row) {
    if (measure_ == Measure::kWidth && !lane.has_levels()) return;
    add_lost(hidden_, gap);
    if (measure_ == Measure::kGap || first_endless_ != store::kNever) return;
    Loss loss{gap.tick, gap.has_end() ? gap.until_tick : store::kNever, gap.index + LossReach::kMostRows + 1, thread, false};
    find_end(loss, lane, row, row_);
    if (measure_ == Measure::kWidth && loss.is_over) return settle(loss, loss.until);
    open_.push_back(loss);
    if (open_.size() <= kMost) return;
    for (const Loss& one : open_) first_endless_ = std::min(first_endless_, one.tick);
    open_.clear();
}

// When its thread is heard of again, or too many others were; of levels, when one is said behind that.
void GrowingHidden::find_end(Loss& loss, const store::Lane& lane, std::uint64_t from, std::uint64_t end) const {
    const bool are_levels = measure_ == Measure::kWidth;
    const bool ends_itself = !are_levels && loss.until != store::kNever;
    for (std::uint64_t row = from; row < end && !loss.is_over && !ends_itself; ++row) {
        const store::Event event = lane[row];
        const bool is_heard_of = loss.thread == 0 || event.thread == loss.thread || row == loss.last_row;
        if (loss.until == store::kNever && is_heard_of) loss.until = event.tick;
        loss.is_over = event.tick >= loss.until && (!are_levels || event.code == SLA_CODE_LEVEL);
        if (loss.is_over) loss.until = event.tick;
    }
}

void GrowingHidden::settle(const Loss& loss, std::uint64_t tick) {
    hidden_.longest = std::max(hidden_.longest, tick - loss.tick);
}

}  // namespace sla::analysis
