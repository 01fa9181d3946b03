#include "viewer/store/gap_table.h"

#include <algorithm>

namespace sla::store {

namespace {

bool is_before(const Gap& gap, std::uint64_t index) {
    return gap.index < index;
}

bool is_earlier(const Gap& gap, std::uint64_t tick) {
    return gap.tick < tick;
}

}  // namespace

void GapTable::add(Gap gap) {
    gap.lost_before = lost_;
    reach_.push_back(reach_.empty() ? gap.until_tick : std::max(reach_.back(), gap.until_tick));
    gaps_.push_back(gap);
    lost_ += gap.lost;
    uncounted_ += gap.is_uncounted() ? 1 : 0;
    by_cause_[static_cast<std::size_t>(gap.cause)] += gap.lost;
}

const Gap* GapTable::at(std::uint64_t index) const {
    const auto found = std::lower_bound(gaps_.begin(), gaps_.end(), index, is_before);
    return found == gaps_.end() || found->index != index ? nullptr : &*found;
}

std::size_t GapTable::first_touching(std::uint64_t tick) const {
    return static_cast<std::size_t>(std::lower_bound(reach_.begin(), reach_.end(), tick) - reach_.begin());
}

std::uint64_t GapTable::lost_between(std::uint64_t from, std::uint64_t until) const {
    const auto begin = std::lower_bound(gaps_.begin(), gaps_.end(), from, is_earlier);
    const auto end = std::lower_bound(begin, gaps_.end(), until, is_earlier);
    if (begin == end) return 0;
    return (end - 1)->lost_before + (end - 1)->lost - begin->lost_before;
}

bool GapTable::has_uncounted(std::uint64_t from, std::uint64_t until) const {
    if (uncounted_ == 0) return false;
    const auto begin = std::lower_bound(gaps_.begin(), gaps_.end(), from, is_earlier);
    const auto end = std::lower_bound(begin, gaps_.end(), until, is_earlier);
    return std::any_of(begin, end, [](const Gap& gap) { return gap.is_uncounted(); });
}

GapTable::Sum GapTable::sum(std::uint64_t first, std::uint64_t last) const {
    if (gaps_.empty()) return {};
    const auto begin = std::lower_bound(gaps_.begin(), gaps_.end(), first, is_before);
    const auto end = std::lower_bound(begin, gaps_.end(), last, is_before);
    const std::uint64_t lost_from = begin == gaps_.end() ? lost_ : begin->lost_before;
    return {static_cast<std::uint64_t>(end - begin), (end == gaps_.end() ? lost_ : end->lost_before) - lost_from};
}

}  // namespace sla::store
