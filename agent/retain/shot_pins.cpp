#include "agent/retain/shot_pins.h"

#include "proto/base/check.h"

#include <algorithm>
#include <utility>

namespace sla::retain {

void ShotPins::add(std::uint32_t trigger, Interval window, bool is_whole) {
    const std::uint64_t eighth = std::max<std::uint64_t>(1, (window.last - window.first) / 8);
    shots_.push_back({trigger, window, eighth, is_whole});
    windows_.emplace(window.first, window.last);
    if (!is_whole) lacking_[trigger]++;
    take_in(window);
}

void ShotPins::take_in(Interval window) {
    const auto first = std::partition_point(intervals_.begin(), intervals_.end(),
                                            [&](const Interval& interval) { return interval.last < window.first; });
    auto behind = first;
    for (; behind != intervals_.end() && behind->first <= window.last; ++behind) {
        window.first = std::min(window.first, behind->first);
        window.last = std::max(window.last, behind->last);
    }
    intervals_.insert(intervals_.erase(first, behind), window);
}

// What of it lies in no window; `from`: none that begins before reaches into it.
std::vector<Interval> ShotPins::uncovered(const Interval& part, std::uint64_t from) const {
    std::vector<Interval> found;
    std::uint64_t next = part.first;  // before it all is looked at
    for (auto window = windows_.lower_bound({from, 0}); window != windows_.end() && window->first <= part.last; ++window) {
        const auto [first, last] = *window;
        if (last < next) continue;
        if (first > next) found.push_back({next, first - 1});
        if (last >= part.last) return found;
        next = last + 1;
    }
    found.push_back({next, part.last});
    return found;
}

// This part of a window no longer counts. What of it nothing needs now, from its first tick to its last.
std::optional<Interval> ShotPins::let_go(const Interval& gone) {
    const auto at = std::partition_point(intervals_.begin(), intervals_.end(),
                                         [&](const Interval& interval) { return interval.last < gone.first; });
    const std::vector<Interval> unneeded = uncovered(gone, at->first);
    if (unneeded.empty()) return std::nullopt;
    std::vector<Interval> left;
    std::uint64_t begin = at->first;
    for (const Interval& hole : unneeded) {
        if (hole.first > begin) left.push_back({begin, hole.first - 1});
        begin = hole.last + 1;
    }
    if (unneeded.back().last < at->last) left.push_back({begin, at->last});
    intervals_.insert(intervals_.erase(at), left.begin(), left.end());
    return Interval{unneeded.front().first, unneeded.back().last};
}

bool ShotPins::reach(std::uint64_t first, std::uint64_t until) const {
    const auto found = std::partition_point(intervals_.begin(), intervals_.end(),
                                            [&](const Interval& interval) { return interval.last < first; });
    return found != intervals_.end() && found->first < until;
}

std::optional<Interval> ShotPins::shrink() {
    SLA_CHECK(any());
    Shot& oldest = shots_.front();
    if (std::exchange(oldest.is_protected_whole, false)) loose_.push_back({oldest.trigger, oldest.window});
    if (loose_.size() > kMaxLoose) {
        lacking_[loose_.front().trigger]++;
        loose_.pop_front();
    }
    Interval gone = oldest.window;
    windows_.erase(windows_.find({gone.first, gone.last}));
    if (shots_.size() > 1 || oldest.window.last - oldest.window.first < oldest.eighth) {
        shots_.pop_front();
    } else {
        oldest.window.first += oldest.eighth;
        gone.last = oldest.window.first - 1;
        windows_.emplace(oldest.window.first, oldest.window.last);
    }
    return let_go(gone);
}

// Of the oldest one the beginning may be gone.
std::optional<Interval> ShotPins::cut(std::uint32_t trigger, const Interval& window, std::uint64_t last) {
    const auto is_it = [&](const auto& shot) {
        return shot.trigger == trigger && shot.window.time == window.time && shot.window.last == window.last &&
               shot.window.first >= window.first;
    };
    for (Loose& shot : loose_) {
        if (is_it(shot)) shot.window.last = std::max(last, shot.window.first);
    }
    const auto shot = std::find_if(shots_.rbegin(), shots_.rend(), is_it);
    if (shot == shots_.rend() || last >= window.last) return std::nullopt;
    windows_.erase(windows_.find({shot->window.first, shot->window.last}));
    shot->window.last = std::max(last, shot->window.first);
    windows_.emplace(shot->window.first, shot->window.last);
    if (shot->window.last == window.last) return std::nullopt;
    return let_go({shot->window.last + 1, window.last});
}

void ShotPins::give_up(const Interval& events) {
    std::erase_if(loose_, [&](const Loose& shot) {
        const bool is_hit =
            events.time == shot.window.time && events.last >= shot.window.first && events.first <= shot.window.last;
        if (is_hit) lacking_[shot.trigger]++;
        return is_hit;
    });
}

std::uint64_t ShotPins::lacking(std::uint32_t trigger) const {
    const auto found = lacking_.find(trigger);
    return found == lacking_.end() ? 0 : found->second;
}

}  // namespace sla::retain
