// The newest rows of the table, which is where who follows it looks: found by the lanes' last rows alone.
#include "viewer/store/merged.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace sla::store {

// As many lanes end latest as rows are asked for, or more when some end at one tick: no other has any of those rows.
std::vector<std::size_t> MergedIndex::lanes_of_last(std::uint64_t rows) const {
    std::vector<std::uint64_t> latest;  // a heap, the earliest first
    for (std::size_t place = 0; place < lanes_.size(); ++place) {
        if (counts_[place] == 0 || (latest.size() == rows && last_ticks_[place] <= latest.front())) continue;
        if (latest.size() == rows) {
            std::pop_heap(latest.begin(), latest.end(), std::greater<>());
            latest.pop_back();
        }
        latest.push_back(last_ticks_[place]);
        std::push_heap(latest.begin(), latest.end(), std::greater<>());
    }
    std::vector<std::size_t> places;
    for (std::size_t place = 0; !latest.empty() && place < lanes_.size(); ++place) {
        if (counts_[place] > 0 && last_ticks_[place] >= latest.front()) places.push_back(place);
    }
    return places;
}

std::vector<RowRef> MergedIndex::rows_from(std::uint64_t row, std::uint64_t count) const {
    std::vector<RowRef> rows;
    if (row >= rows_) return rows;
    count = std::min(count, rows_ - row);
    rows.reserve(count);
    if (!is_near_end(row)) {
        MergedCursor from = cursor(row);
        for (auto next = from.next(); next && rows.size() < count; next = from.next()) rows.push_back(*next);
        return rows;
    }
    std::vector<const Lane*> lanes;
    for (const std::size_t place : lanes_of_last(rows_ - row)) lanes.push_back(lanes_[place]);
    MergedCursor from(std::move(lanes), until_);
    from.seek(kNever);
    for (std::uint64_t at = rows_; at > row; --at) {
        const auto before = from.previous();
        if (!before) break;
        if (at <= row + count) rows.push_back(*before);
    }
    std::reverse(rows.begin(), rows.end());
    return rows;
}

}  // namespace sla::store
