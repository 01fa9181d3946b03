#include "viewer/store/rows/page_columns.h"

#include "proto/base/check.h"
#include "proto/base/how_many.h"

#include <algorithm>

namespace sla::store {

namespace {

template <typename Value>
std::size_t place_of(const std::vector<Value>& column, typename std::vector<Value>::const_iterator at) {
    return static_cast<std::size_t>(at - column.begin());
}

}  // namespace

void Page::absorb(const Page& next) {
    const std::uint64_t between = next.first_tick - last_tick;
    high_ticks += next.high_ticks + (level_after == Level::kHigh ? between : 0);
    busy_ticks += next.busy_ticks;
    longest_pause = std::max({longest_pause, next.longest_pause, between});
    rows += next.rows;
    gaps += next.gaps;
    add_up(lost, next.lost);
    begins += next.begins;
    values.absorb(next.values);
    deepest = std::max(deepest, next.deepest);
    kinds |= next.kinds;
    level_after = next.level_after;
    last_tick = next.last_tick;
}

void PageColumns::reserve(std::size_t pages) {
    expected_ = pages;
    ends_.reserve(pages);
    first_ticks_.reserve(pages);
    last_ticks_.reserve(pages);
    longest_pauses_.reserve(pages);
    chunks_.reserve(pages);
    states_.reserve(pages);
}

void PageColumns::push_back(const Page& page) {
    const std::size_t at = size();
    SLA_CHECK(page.first == (at == 0 ? 0 : ends_[at - 1]) && page.first_span == (at == 0 ? 0 : span_ends_[at - 1]));
    ends_.push_back(page.end());
    first_ticks_.push_back(page.first_tick);
    last_ticks_.push_back(page.last_tick);
    longest_pauses_.push_back(page.longest_pause);
    chunks_.push_back(page.chunk);
    states_.push_back({page.kinds, page.level_before, page.level_after, page.values.any});
    min_.set(at, page.values.min, expected_);
    max_.set(at, page.values.max, expected_);
    high_ticks_.set(at, page.high_ticks, expected_);
    high_before_.set(at, page.high_before, expected_);
    busy_ticks_.set(at, page.busy_ticks, expected_);
    span_ends_.set(at, page.first_span + page.begins, expected_);
    deepest_.set(at, page.deepest, expected_);
    gaps_.set(at, page.gaps, expected_);
    lost_.set(at, page.lost, expected_);
}

std::size_t PageColumns::first_with_row(std::uint64_t index) const {
    return place_of(ends_, std::upper_bound(ends_.begin(), ends_.end(), index));
}

std::size_t PageColumns::first_with_span(std::uint64_t id) const {
    return span_ends_.first_above(id);
}

std::size_t PageColumns::first_until(std::uint64_t tick) const {
    return place_of(last_ticks_, std::lower_bound(last_ticks_.begin(), last_ticks_.end(), tick));
}

std::size_t PageColumns::first_behind(std::uint64_t tick) const {
    return place_of(first_ticks_, std::upper_bound(first_ticks_.begin(), first_ticks_.end(), tick));
}

std::size_t PageColumns::first_in_chunk(std::uint32_t chunk) const {
    return place_of(chunks_, std::lower_bound(chunks_.begin(), chunks_.end(), chunk));
}

std::uint64_t PageColumns::memory_bytes() const {
    constexpr std::size_t kAlways = 4 * sizeof(std::uint64_t) + sizeof(std::uint32_t) + sizeof(State);
    return ends_.capacity() * kAlways + min_.memory_bytes() + max_.memory_bytes() + high_ticks_.memory_bytes() +
           high_before_.memory_bytes() + busy_ticks_.memory_bytes() + span_ends_.memory_bytes() + deepest_.memory_bytes() +
           gaps_.memory_bytes() + lost_.memory_bytes();
}

}  // namespace sla::store
