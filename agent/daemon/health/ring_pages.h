// Rings of programs count as the agent's memory: every page that was read stays mapped until somebody lets it go. What was
// read lately is worth keeping (a page that is read again costs a third of a microsecond once it was let go, 1.5 ns an event
// with rings that are read round and round: sustained_bench), rings that are hardly used are not. So all pages go, but seldom:
// now and then when there are more than a few, and at once when there are more than the limit. For a while after that, pages are
// scarce: of very many rings a little each is copied without mapping them (SegmentView). Owned by the draining thread.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

namespace sla::daemon {

class RingPages {
public:
    static constexpr std::uint64_t kFewBytes = std::uint64_t{16} << 20;  // not worth the while, and not counted
    static constexpr double kSeconds = 10;
    static constexpr double kScarceSeconds = 60;
    static constexpr std::uint64_t kLooks = 8;  // on the way to the limit: an eighth of it may be mapped and not counted

    // `mapped` says how much there is now.
    explicit RingPages(std::function<std::uint64_t()> mapped) : mapped_(std::move(mapped)) {}

    // Most that may be mapped by an agent that may keep so much history; what is beyond kFewBytes counts as history does. A quarter: a
    // storm goes round two rings of 64 MiB, which stay mapped by the default of 512 MiB (18 to 14 ns an event: emu_bench program).
    static constexpr std::uint64_t limit(std::uint64_t total_bytes) { return kFewBytes + total_bytes / 4; }

    // True when they should go; `now` in seconds of any clock. `looked_at`: bytes that may have been mapped since the last call,
    // more than those are not mapped now that were not before.
    bool is_time(double now, std::uint64_t looked_at, std::uint64_t limit) {
        if (last_ == 0) last_ = now;
        looked_at_ += looked_at;
        const bool is_round_over = now - last_ >= kSeconds;
        if (!is_round_over && looked_at_ < limit / kLooks) return false;
        looked_at_ = 0;
        if (is_round_over) last_ = now;
        const std::uint64_t mapped = mapped_();
        const bool is_time = mapped > limit || (is_round_over && mapped > kFewBytes);
        if (mapped > limit) scarce_until_ = now + kScarceSeconds;
        counted_ = mapped > kFewBytes && !is_time ? mapped - kFewBytes : 0;
        return is_time;
    }
    [[nodiscard]] bool are_scarce(double now) const { return now < scarce_until_; }
    // Of those mapped when they were last looked at, what counts.
    [[nodiscard]] std::uint64_t counted() const { return counted_; }

private:
    std::function<std::uint64_t()> mapped_;
    double last_ = 0;
    double scarce_until_ = 0;
    std::uint64_t looked_at_ = 0;
    std::uint64_t counted_ = 0;
};

}  // namespace sla::daemon
