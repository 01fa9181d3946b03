#include "viewer/analysis/filter/same_event.h"

#include <algorithm>
#include <string>

namespace sla::analysis {

namespace {

constexpr std::uint64_t kMaxRows = 2048;

// Says whether a row can be read without waiting; asks once a page.
class AtHand {
public:
    explicit AtHand(const store::Lane& lane) : lane_(lane), from_(lane.pages() == nullptr ? 0 : lane.tail().first_index()) {}

    // Of rows in falling order.
    bool is(std::uint64_t index) {
        if (index >= from_) return true;
        const std::size_t page = lane_.pages()->page_of(index);
        if (lane_.find_page(page) == nullptr) return false;
        from_ = lane_.pages()->pages()[page].first;
        return true;
    }

private:
    const store::Lane& lane_;
    std::uint64_t from_;  // rows from here on are
};

}  // namespace

std::optional<SinceSame> since_same_event(const time::ClockMap& clock, const store::RowRef& place) {
    const store::Lane& lane = *place.lane;
    const store::Event event = lane[place.index];
    if (event.kind() == wire::Kind::kGap) return std::nullopt;
    const std::string text = event.kind() == wire::Kind::kText ? lane.text(place.index) : "";  // its value is its length
    const std::uint64_t lowest = place.index - std::min(place.index, kMaxRows);
    const auto since = [&](std::uint64_t tick) { return clock.ticks_to_ps(static_cast<std::int64_t>(place.tick - tick)); };
    AtHand at_hand(lane);
    std::uint64_t last_tick = place.tick;
    for (std::uint64_t index = place.index; index-- > lowest;) {
        if (!at_hand.is(index)) return SinceSame{since(last_tick), true};
        const store::Event before = lane[index];
        if (before.kind() == wire::Kind::kGap) return std::nullopt;
        last_tick = before.tick;
        const bool is_alike = before.code == event.code && before.value == event.value;
        if (is_alike && (text.empty() || lane.text(index) == text)) return SinceSame{since(last_tick), false};
    }
    if (lowest == 0) return std::nullopt;
    return SinceSame{since(last_tick), true};
}

}  // namespace sla::analysis
