#include "viewer/store/merged.h"

#include <algorithm>
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

void MergedCursor::seek(const Place& place) {
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

bool MergedCursor::first(const Head& a, const Head& b) const {
    const auto left = std::pair(a.tick, a.order);
    const auto right = std::pair(b.tick, b.order);
    return direction_ == Direction::kForward ? left < right : right < left;
}

void MergedCursor::sift_down(std::size_t at) {
    const Head moving = heap_[at];
    const std::size_t size = heap_.size();
    for (std::size_t child = 2 * at + 1; child < size; child = 2 * at + 1) {
        if (child + 1 < size && first(heap_[child + 1], heap_[child])) ++child;
        if (!first(heap_[child], moving)) break;
        heap_[at] = heap_[child];
        at = child;
    }
    heap_[at] = moving;
}

void MergedCursor::prepare(Direction direction) {
    if (direction_ == direction) return;
    direction_ = direction;
    heap_.clear();
    for (std::uint32_t i = 0; i < lanes_.size(); ++i) {
        if (direction == Direction::kForward && next_[i] < ends_[i]) heap_.push_back({lanes_[i]->tick(next_[i]), i});
        if (direction == Direction::kBackward && next_[i] > 0) heap_.push_back({lanes_[i]->tick(next_[i] - 1), i});
    }
    for (std::size_t i = heap_.size() / 2; i-- > 0;) sift_down(i);
}

void MergedCursor::replace_top(bool more, std::uint64_t index) {
    if (more) {
        heap_[0].tick = lanes_[heap_[0].order]->tick(index);
    } else {
        heap_[0] = heap_.back();
        heap_.pop_back();
        if (heap_.empty()) return;
    }
    sift_down(0);
}

std::optional<Place> MergedCursor::next() {
    prepare(Direction::kForward);
    if (heap_.empty()) return std::nullopt;
    const Head head = heap_[0];
    std::uint64_t& at = next_[head.order];
    const Place place{lanes_[head.order], at, head.tick};
    ++at;
    replace_top(at < ends_[head.order], at);
    return place;
}

std::optional<Place> MergedCursor::previous() {
    prepare(Direction::kBackward);
    if (heap_.empty()) return std::nullopt;
    const Head head = heap_[0];
    std::uint64_t& at = next_[head.order];
    --at;
    const Place place{lanes_[head.order], at, head.tick};
    replace_top(at > 0, at == 0 ? 0 : at - 1);
    return place;
}

}  // namespace sla::store
