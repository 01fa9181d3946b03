// Memory that was freed and not given back to the system: of very many small blocks that come and go, in several threads, the
// allocator keeps holes. Giving them back costs some milliseconds, so it is done seldom, and more seldom where it is of no use; but
// soon while the process takes more than it may.
// Owned by the stepping thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>

namespace sla::daemon {

class UnusedMemory {
public:
    static constexpr std::uint64_t kMuch = std::uint64_t{32} << 20;        // more than that nobody accounts for
    static constexpr std::uint64_t kMuchBeyond = std::uint64_t{16} << 20;  // the same where more is taken than may be
    static constexpr double kShortestSeconds = 10;
    static constexpr double kLongestSeconds = 640;
    static constexpr double kSoonSeconds = 1;

    // `resident` says how much this process takes of its own, without programs' rings and pages of files; `give_back` does it.
    UnusedMemory(std::function<std::uint64_t()> resident, std::function<void()> give_back)
        : resident_(std::move(resident)), give_back_(std::move(give_back)) {}

    // `now` in seconds of any clock; `counted`: bytes that are known to be in use; `limit`: how many may be.
    void look(double now, std::uint64_t counted, std::uint64_t limit) {
        if (next_ == 0) next_ = now + wait_;
        if (next_soon_ == 0) next_soon_ = now + kSoonSeconds;
        if (now < std::min(next_, next_soon_)) return;
        const std::uint64_t before = resident_();
        const bool is_due = now >= next_;
        next_soon_ = now + kSoonSeconds;
        const bool is_beyond = before > limit;
        if (before > counted + (is_beyond ? kMuchBeyond : kMuch) && (is_due || is_beyond)) {
            give_back_();
            const bool helped = resident_() + kMuchBeyond / 4 < before;
            wait_ = helped ? kShortestSeconds : std::min(wait_ * 2, kLongestSeconds);
            if (!helped) next_soon_ = now + wait_;
        }
        if (is_due) next_ = now + wait_;
    }

private:
    std::function<std::uint64_t()> resident_;
    std::function<void()> give_back_;
    double wait_ = kShortestSeconds;
    double next_ = 0;
    double next_soon_ = 0;
};

}  // namespace sla::daemon
