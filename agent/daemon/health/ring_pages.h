// Rings of programs count as the agent's memory: every page that was read stays mapped until somebody lets it go. What was
// read lately is worth keeping (a page that is read again costs a third of a microsecond once it was let go, 1.5 ns an event
// with rings that are read round and round: sustained_bench), rings that are hardly used are not: so all pages go, but
// seldom. Owned by the draining thread.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

namespace sla::daemon {

class RingPages {
public:
    static constexpr std::uint64_t kFewBytes = std::uint64_t{16} << 20;  // not worth the while
    static constexpr double kSeconds = 10;

    // `mapped` tells how much there is now.
    explicit RingPages(std::function<std::uint64_t()> mapped) : mapped_(std::move(mapped)) {}

    // True when they should go; `now` in seconds of any clock.
    bool is_time(double now) {
        if (last_ == 0) last_ = now;
        if (now - last_ < kSeconds) return false;
        last_ = now;
        return mapped_() > kFewBytes;
    }

private:
    std::function<std::uint64_t()> mapped_;
    double last_ = 0;
};

}  // namespace sla::daemon
