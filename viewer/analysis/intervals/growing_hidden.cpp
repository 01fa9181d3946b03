#include "viewer/analysis/intervals/growing_hidden.h"

#include "viewer/analysis/intervals/growing_walks.h"

#include <algorithm>
#include <utility>

namespace sla::analysis {

GrowingHidden::GrowingHidden(const store::Lane& lane, std::uint64_t row, Measure measure) : measure_(measure), row_(row) {
    if (row == 0 || lane.gaps().empty()) return;
    const std::uint64_t tick = tick_from(lane, row);
    each_loss_in(lane, tick, tick + 1, [&](const store::Gap& gap) {
        if (gap.index >= row) return;
        add(lane, gap, lane.thread(gap.index), gap.index + 1);
        orphans_.lose(lane.thread(gap.index), tick);
    });
}

void GrowingHidden::go_on(const store::Lane& lane, std::uint64_t end) {
    if (end <= row_) return;
    for (Loss& loss : open_) find_end(loss, lane, row_, end);
    const auto [first, last] = gaps_among(lane, row_, end);
    if (is_of_spans(lane)) orphans_.go_on(lane, row_, end, hidden_);
    const std::uint64_t begin = std::exchange(row_, end);
    if (is_kind_known(lane)) {
        for (const auto& [gap, thread] : std::exchange(early_, {})) add(lane, gap, thread, begin);
    }
    for (std::size_t i = first; i < last; ++i)
        add(lane, lane.gaps()[i], lane.thread(lane.gaps()[i].index), lane.gaps()[i].index + 1);
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

Hidden GrowingHidden::found() const {
    Hidden hidden = hidden_;
    if (!open_.empty()) hidden.longest = store::kNever;
    return hidden;
}

bool GrowingHidden::is_of_spans(const store::Lane& lane) const {
    return measure_ == Measure::kWidth && !lane.has_levels();
}

bool GrowingHidden::is_kind_known(const store::Lane& lane) const {
    return !is_of_spans(lane) || !lane.spans().empty();
}

// `row`: the first behind it that can be looked at.
void GrowingHidden::add(const store::Lane& lane, const store::Gap& gap, std::uint32_t thread, std::uint64_t row) {
    if (!is_kind_known(lane)) {
        if (early_.size() < kMost) {
            early_.emplace_back(gap, thread);
        } else {
            hidden_ = {store::kNever, store::kNever};
        }
        return;
    }
    // A span is a begin and an end; one of both alone leaves the other.
    const std::uint64_t lost = is_of_spans(lane) ? gap.lost / 2 : gap.lost;
    if (lost == 0 && !gap.is_uncounted()) return;
    add_lost(hidden_, gap, lost);
    if (measure_ == Measure::kGap || hidden_.longest == store::kNever) return;
    Loss loss{gap.tick, gap.has_end() ? gap.until_tick : store::kNever, gap.index + LossReach::kMostRows + 1, thread,
              gap.has_end() && is_of_spans(lane)};
    find_end(loss, lane, row, row_);
    if (measure_ == Measure::kWidth && loss.is_over) return settle(loss, loss.until);
    open_.push_back(loss);
    if (open_.size() <= kMost) return;
    hidden_.longest = store::kNever;
    open_.clear();
}

// When its thread is heard of again, or too many others were; of levels, when one is said behind that.
void GrowingHidden::find_end(Loss& loss, const store::Lane& lane, std::uint64_t from, std::uint64_t end) const {
    const bool are_levels = measure_ == Measure::kWidth && lane.has_levels();
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
