// What every reader must know before it can read batches, numbered in the order in which it was said: a reader that stands
// at number n has received all below. What was dropped is never received by whoever joins later.
//
//   kStream            hello: kept for ever
//   kOfSource          a source, its channels, threads and last ledger: until the source is retired
//   kClock … kPeer     the newest so many of each
//
// One owner at a time (Retention, under its lock).
#pragma once

#include "agent/retain/reader_account.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>

namespace sla::retain {

enum class Topic : std::uint8_t { kStream, kOfSource, kClock, kNotice, kShot, kPeer };

class Announcements {
public:
    // Its number, from 1 on.
    std::uint64_t add(SharedFrame frame, Topic topic);
    void drop(std::uint64_t number);

    // Calls visit(number, frame) for all from this number on, until it says false.
    template <typename Visit>
    void each_from(std::uint64_t number, Visit visit) const {
        for (auto at = frames_.lower_bound(number); at != frames_.end(); ++at) {
            if (!visit(at->first, at->second)) return;
        }
    }
    // What their frames cost in memory.
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    // The number that comes next.
    [[nodiscard]] std::uint64_t next() const { return next_; }

    // The newest so many of a topic are kept, and of clocks the very first: it says when the capture began.
    static constexpr std::size_t kClocks = 1024;
    static constexpr std::size_t kNotices = 4096;
    static constexpr std::size_t kShots = 10'000;
    static constexpr std::size_t kPeers = 4096;  // readings of other hosts' clocks

private:
    std::map<std::uint64_t, SharedFrame> frames_;
    std::array<std::deque<std::uint64_t>, 6> bounded_;  // numbers, by topic
    std::uint64_t next_ = 1;
    std::uint64_t bytes_ = 0;
};

}  // namespace sla::retain
