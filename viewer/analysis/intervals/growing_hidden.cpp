#include "viewer/analysis/intervals/growing_hidden.h"

#include <algorithm>

namespace sla::analysis {

GrowingHidden::GrowingHidden(const store::Lane& lane, std::uint64_t row, bool is_of_pairs)
    : is_of_pairs_(is_of_pairs), row_(row) {
    if (row == 0 || lane.gaps().empty()) return;
    const std::uint64_t tick = row < lane.size() ? lane.tick(row) : lane.last_tick() + 1;
    const std::size_t far = gaps_among(lane, row - std::min(row, LossReach::kMostRows), row).first;
    for (std::size_t i = std::min(far, lane.first_gap_touching(tick)); i < lane.gaps().size(); ++i) {
        const store::Gap& gap = lane.gaps()[i];
        if (gap.index >= row) break;
        if (gap.has_end() ? gap.until_tick >= tick : end_of_loss(lane, gap) >= tick) add(lane, gap);
    }
}

void GrowingHidden::go_on(const store::Lane& lane, std::uint64_t end) {
    if (end <= row_) return;
    for (Loss& loss : open_) find_end(loss, lane, row_, end);
    const auto [first, last] = gaps_among(lane, row_, end);
    row_ = end;
    for (std::size_t i = first; i < last; ++i) add(lane, lane.gaps()[i]);
    if (is_of_pairs_) return;
    std::erase_if(open_, [this](const Loss& loss) {
        if (loss.until != store::kNever) settle(loss, loss.until);
        return loss.until != store::kNever;
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

void GrowingHidden::add(const store::Lane& lane, const store::Gap& gap) {
    // A span is a begin and an end; one of both alone leaves the other, which reveals it.
    const std::uint64_t lost = is_of_pairs_ ? gap.lost : gap.lost / 2;
    if (lost == 0 && !gap.is_uncounted()) return;
    const bool is_uncounted = gap.is_uncounted() || hidden_.most == store::kNever;
    hidden_.most = is_uncounted ? store::kNever : hidden_.most + std::min(lost, store::kNever - hidden_.most);
    if (hidden_.longest == store::kNever) return;
    Loss loss{gap.tick, gap.has_end() ? gap.until_tick : store::kNever, gap.index + LossReach::kMostRows + 1,
              lane.thread(gap.index)};
    find_end(loss, lane, gap.index + 1, row_);
    if (!is_of_pairs_ && loss.until != store::kNever) return settle(loss, loss.until);
    open_.push_back(loss);
    if (open_.size() <= kMost) return;
    hidden_.longest = store::kNever;
    open_.clear();
}

// When its thread is heard of again, or too many others were.
void GrowingHidden::find_end(Loss& loss, const store::Lane& lane, std::uint64_t from, std::uint64_t end) const {
    for (std::uint64_t row = from; row < end && loss.until == store::kNever; ++row) {
        if (loss.thread == 0 || lane.thread(row) == loss.thread || row == loss.last_row) loss.until = lane.tick(row);
    }
}

void GrowingHidden::settle(const Loss& loss, std::uint64_t tick) {
    hidden_.longest = std::max(hidden_.longest, tick - loss.tick);
}

}  // namespace sla::analysis
