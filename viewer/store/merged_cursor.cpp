#include "viewer/store/merged.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace sla::store {

MergedCursor::MergedCursor(std::vector<const Lane*> lanes, std::uint64_t until)
    : lanes_(std::move(lanes)), next_(lanes_.size(), 0) {
    const auto by_channel = [](const Lane* a, const Lane* b) { return a->channel().id < b->channel().id; };
    SLA_CHECK(std::is_sorted(lanes_.begin(), lanes_.end(), by_channel));
    extend(until);
}

void MergedCursor::extend(std::uint64_t until) {
    until_ = until;
    ends_.resize(lanes_.size());
    for (std::size_t i = 0; i < lanes_.size(); ++i) ends_[i] = lanes_[i]->upper_bound(until_);
    direction_ = Direction::kNone;
}

void MergedCursor::seek(std::uint64_t tick) {
    for (std::size_t i = 0; i < lanes_.size(); ++i) next_[i] = std::min(ends_[i], lanes_[i]->lower_bound(tick));
    direction_ = Direction::kNone;
}

void MergedCursor::seek(const RowRef& place) {
    const ChannelId id = place.lane->channel().id;
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        const ChannelId own = lanes_[i]->channel().id;
        const bool before = own < id;  // of equal ticks the lower channel comes first
        const std::uint64_t at = before ? lanes_[i]->upper_bound(place.tick) : lanes_[i]->lower_bound(place.tick);
        next_[i] = std::min(ends_[i], own == id ? place.index : at);
    }
    direction_ = Direction::kNone;
}

std::uint64_t MergedCursor::row() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t next : next_) sum += next;
    return sum;
}

MergedCursor::Head MergedCursor::head_of(std::size_t order) {
    constexpr std::uint64_t kOrderBits = 0xffff'ffff;
    if (order >= lanes_.size()) return {};
    if (direction_ == Direction::kForward) {
        return next_[order] < ends_[order] ? Head{lanes_[order]->tick(next_[order]), order} : Head{};
    }
    return next_[order] > 0 ? Head{~lanes_[order]->tick(next_[order] - 1), order ^ kOrderBits} : Head{};
}

MergedCursor::Head MergedCursor::play(std::size_t node) {
    if (node >= losers_.size()) return head_of(node - losers_.size());
    Head left = play(2 * node);
    Head right = play(2 * node + 1);
    if (first(right, left)) std::swap(left, right);
    losers_[node] = right;
    return left;
}

void MergedCursor::prepare(Direction direction) {
    if (direction_ == direction) return;
    direction_ = direction;
    losers_.assign(std::bit_ceil(std::max<std::size_t>(lanes_.size(), 1)), {});
    best_ = play(1);
}

void MergedCursor::replay(std::size_t order) {
    Head winner = head_of(order);
    for (std::size_t node = (order + losers_.size()) / 2; node > 0; node /= 2) {
        const Head other = losers_[node];
        const bool lost = first(other, winner);
        losers_[node].tick = lost ? winner.tick : other.tick;
        losers_[node].order = lost ? winner.order : other.order;
        winner.tick = lost ? other.tick : winner.tick;
        winner.order = lost ? other.order : winner.order;
    }
    best_ = winner;
}

std::optional<RowRef> MergedCursor::next() {
    prepare(Direction::kForward);
    if (best_.order == kNever) return std::nullopt;
    const std::size_t order = best_.order;
    const RowRef place{lanes_[order], next_[order]++, best_.tick};
    replay(order);
    return place;
}

std::optional<RowRef> MergedCursor::previous() {
    prepare(Direction::kBackward);
    if (best_.order == kNever) return std::nullopt;
    const std::size_t order = best_.order ^ 0xffff'ffff;
    const RowRef place{lanes_[order], --next_[order], ~best_.tick};
    replay(order);
    return place;
}

}  // namespace sla::store
