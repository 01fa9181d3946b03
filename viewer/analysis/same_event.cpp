#include "viewer/analysis/same_event.h"

#include <algorithm>

namespace sla::analysis {

namespace {

constexpr std::uint64_t kMostRows = 2048;

// The row can be read without waiting; `page` remembers the last one that was asked about.
bool at_hand(const store::Lane& lane, std::uint64_t index, std::optional<std::size_t>& page) {
    if (lane.pages() == nullptr || index >= lane.tail().first_index()) return true;
    const std::size_t own = lane.pages()->page_of(index);
    if (page != own && lane.find_page(own) == nullptr) return false;
    page = own;
    return true;
}

}  // namespace

std::optional<SinceSame> since_same_event(const time::ClockMap& clock, const store::Place& place) {
    const store::Lane& lane = *place.lane;
    const store::Event event = lane[place.index];
    if (event.kind() == wire::Kind::kGap) return std::nullopt;
    const std::uint64_t lowest = place.index - std::min(place.index, kMostRows);
    const auto since = [&](std::uint64_t tick) { return clock.ticks_to_ps(static_cast<std::int64_t>(place.tick - tick)); };
    std::optional<std::size_t> page;
    std::uint64_t last_tick = place.tick;
    for (std::uint64_t index = place.index; index-- > lowest;) {
        if (!at_hand(lane, index, page)) return SinceSame{since(last_tick), true};
        const store::Event before = lane[index];
        last_tick = before.tick;
        if (before.code == event.code && before.value == event.value) return SinceSame{since(last_tick), false};
    }
    if (lowest == 0) return std::nullopt;
    return SinceSame{since(last_tick), true};
}

}  // namespace sla::analysis
