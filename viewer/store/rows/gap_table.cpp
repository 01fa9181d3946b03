#include "viewer/store/rows/gap_table.h"

#include <algorithm>

namespace sla::store {

namespace {

bool is_before(const Gap& gap, std::uint64_t index) {
    return gap.index < index;
}

bool is_left_out(const Gap& gap) {
    return gap.cause == wire::LossCause::kLeftOut;
}

bool is_earlier(const Gap& gap, std::uint64_t tick) {
    return gap.tick < tick;
}

}  // namespace

void GapTable::add(Gap gap) {
    if (gap.lost > kMostMissing - missing_) gap.lost = 0;
    gap.lost_before = missing_;
    reach_.push_back(reach_.empty() ? gap.until_tick : std::max(reach_.back(), gap.until_tick));
    if (gap.is_not_kept()) not_kept_.push_back(gaps_.size());
    gaps_.push_back(gap);
    missing_ += gap.lost;
    uncounted_ += gap.is_uncounted() && !gap.is_not_kept() ? 1 : 0;
    left_out_ += is_left_out(gap) ? 1 : 0;
    by_cause_[static_cast<std::size_t>(gap.cause)] += gap.lost;
}

void GapTable::forget(std::uint64_t row, std::uint64_t tick) {
    std::size_t some = 0;
    while (some < gaps_.size() && gaps_[some].index < row && reach_[some] <= tick) ++some;
    if (some == 0) return;
    forgotten_ += some;
    forgotten_before_ = gaps_[some - 1].index + 1;
    gaps_.erase(gaps_.begin(), gaps_.begin() + static_cast<std::ptrdiff_t>(some));
    reach_.erase(reach_.begin(), reach_.begin() + static_cast<std::ptrdiff_t>(some));
    std::erase_if(not_kept_, [some](std::size_t position) { return position < some; });
    for (std::size_t& position : not_kept_) position -= some;
}

const Gap* GapTable::at(std::uint64_t index) const {
    const auto found = std::lower_bound(gaps_.begin(), gaps_.end(), index, is_before);
    return found == gaps_.end() || found->index != index ? nullptr : &*found;
}

std::size_t GapTable::first_touching(std::uint64_t tick) const {
    return static_cast<std::size_t>(std::lower_bound(reach_.begin(), reach_.end(), tick) - reach_.begin());
}

GapTable::Missing GapTable::missing_between(std::uint64_t from, std::uint64_t until) const {
    const auto begin = std::lower_bound(gaps_.begin(), gaps_.end(), from, is_earlier);
    const auto end = std::lower_bound(begin, gaps_.end(), until, is_earlier);
    if (begin == end) return {};
    Missing missing;
    const auto end_position = static_cast<std::size_t>(end - gaps_.begin());
    auto at = std::lower_bound(not_kept_.begin(), not_kept_.end(), static_cast<std::size_t>(begin - gaps_.begin()));
    for (; at != not_kept_.end() && *at < end_position; ++at) {
        missing.not_kept += gaps_[*at].lost;
        missing.is_all_counted &= !gaps_[*at].is_uncounted();
    }
    missing.lost = (end - 1)->lost_before + (end - 1)->lost - begin->lost_before - missing.not_kept;
    if (uncounted_ > 0) {
        missing.are_losses_counted =
            std::none_of(begin, end, [](const Gap& gap) { return gap.is_uncounted() && !gap.is_not_kept(); });
    }
    missing.is_all_counted &= missing.are_losses_counted;
    missing.is_left_out = left_out_ > 0 && std::any_of(begin, end, is_left_out);
    return missing;
}

std::size_t GapTable::end_of_sort(std::size_t position) const {
    auto next = std::lower_bound(not_kept_.begin(), not_kept_.end(), position);
    if (!gaps_[position].is_not_kept()) return next == not_kept_.end() ? gaps_.size() : *next;
    while (next != not_kept_.end() && *next == position) {
        ++next;
        ++position;
    }
    return position;
}

GapTable::Sum GapTable::sum(std::uint64_t first, std::uint64_t last) const {
    if (count() == 0) return {};
    const auto begin = std::lower_bound(gaps_.begin(), gaps_.end(), first, is_before);
    const auto end = std::lower_bound(begin, gaps_.end(), last, is_before);
    const bool has_forgotten = first < forgotten_before_ && forgotten_before_ <= last;
    const std::uint64_t lost_from = has_forgotten ? 0 : begin == gaps_.end() ? missing_ : begin->lost_before;
    return {static_cast<std::uint64_t>(end - begin) + (has_forgotten ? forgotten_ : 0),
            (end == gaps_.end() ? missing_ : end->lost_before) - lost_from};
}

}  // namespace sla::store
