#include "agent/retain/announcements.h"

#include <limits>
#include <utility>

namespace sla::retain {
namespace {

std::size_t most_of(Topic topic) {
    switch (topic) {
        case Topic::kClock: return Announcements::kClocks;
        case Topic::kNotice: return Announcements::kNotices;
        case Topic::kShot: return Announcements::kShots;
        case Topic::kPeer: return Announcements::kPeers;
        default: return std::numeric_limits<std::size_t>::max();
    }
}

}  // namespace

std::uint64_t Announcements::add(SharedFrame frame, Topic topic) {
    const std::uint64_t number = next_++;
    bytes_ += cost_of(*frame);
    frames_.emplace_hint(frames_.end(), number, std::move(frame));
    const std::size_t most = most_of(topic);
    if (most == std::numeric_limits<std::size_t>::max()) return number;
    std::deque<std::uint64_t>& numbers = bounded_[static_cast<std::size_t>(topic)];
    numbers.push_back(number);
    if (numbers.size() > most) {
        const auto oldest = numbers.begin() + (topic == Topic::kClock ? 1 : 0);
        drop(*oldest);
        numbers.erase(oldest);
    }
    return number;
}

void Announcements::drop(std::uint64_t number) {
    const auto at = frames_.find(number);
    if (at == frames_.end()) return;
    bytes_ -= cost_of(*at->second);
    frames_.erase(at);
}

}  // namespace sla::retain
