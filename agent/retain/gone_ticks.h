// When something was given up, of whatever channel: the ticks of batches that are no more, merged.
//
//   batches given up   [──] [───]       [──]
//                        [───]     [─]                    of another channel
//   kept               [────────]  [─]  [──]
//
// Of very many intervals the two oldest become one: of what is long ago it is taken for granted that all of it is gone. One owner
// at a time (Retention, under its lock).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>

namespace sla::retain {

class GoneTicks {
public:
    // Both included.
    void add(std::uint64_t first, std::uint64_t last) {
        auto at = last_of_.upper_bound(first);
        if (at != last_of_.begin() && std::prev(at)->second >= first) --at;
        while (at != last_of_.end() && at->first <= last) {
            first = std::min(first, at->first);
            last = std::max(last, at->second);
            at = last_of_.erase(at);
        }
        last_of_.emplace_hint(at, first, last);
        if (last_of_.size() <= kMost) return;
        const auto second = std::next(last_of_.begin());
        last_of_.begin()->second = second->second;
        last_of_.erase(second);
    }
    [[nodiscard]] bool reach(std::uint64_t first, std::uint64_t last) const {
        const auto behind = last_of_.upper_bound(last);
        return behind != last_of_.begin() && std::prev(behind)->second >= first;
    }
    [[nodiscard]] std::size_t size() const { return last_of_.size(); }
    static constexpr std::size_t kMost = 1024;

private:
    std::map<std::uint64_t, std::uint64_t> last_of_;  // of intervals, by their first tick
};

}  // namespace sla::retain
