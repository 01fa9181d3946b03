// Whether a ring is too small for its writer: it should last kHoldTicks while nobody reads it.
//
// A rate counts that holds for two windows in a row, so that a short burst does not take memory for ever; a ring a quarter
// full counts at once. Asks once: a bigger ring comes with a feed, and a RingGrowth, of its own.
#pragma once

#include <algorithm>
#include <cstdint>

namespace sla::drain {

inline constexpr std::uint64_t kHoldTicks = 300'000'000;       // 100 ms at 3 GHz
inline constexpr std::uint64_t kRateWindowTicks = 12'000'000;  // 4 ms

class RingGrowth {
public:
    // After each reading of the ring. How many slots it should have, said once; 0: it is well as it is.
    std::uint64_t observe(std::uint64_t now, std::size_t taken, std::uint64_t capacity, double fullness) {
        if (asked_) return 0;
        std::uint64_t wanted = fullness > 0.25 ? capacity * 4 : wanted_by_rate(now, taken, capacity);
        asked_ = wanted > capacity;
        return asked_ ? wanted : 0;
    }

private:
    std::uint64_t wanted_by_rate(std::uint64_t now, std::size_t taken, std::uint64_t capacity) {
        if (window_begin_ == 0)
            window_begin_ = now;  // what lay there before says nothing of the rate
        else
            window_taken_ += taken;
        std::uint64_t passed = now > window_begin_ ? now - window_begin_ : 0;
        if (passed < kRateWindowTicks) return 0;
        double needed = static_cast<double>(window_taken_) * static_cast<double>(kHoldTicks) / static_cast<double>(passed);
        double sustained = std::min(needed, previous_needed_);
        previous_needed_ = needed;
        window_begin_ = now;
        window_taken_ = 0;
        return sustained > static_cast<double>(capacity) ? static_cast<std::uint64_t>(sustained) : 0;
    }

    bool asked_ = false;
    std::uint64_t window_begin_ = 0;
    std::uint64_t window_taken_ = 0;
    double previous_needed_ = 0;
};

}  // namespace sla::drain
