// What the truth program writes down about each marker, for the test to hold the capture against.
#pragma once

#include <cstdint>

namespace sla::truth {

inline constexpr std::uint32_t kChannels = 8;
inline constexpr std::uint32_t kThreads = 4;

// A marker's value: thread << 32 | its number within the thread. Its log entry is at that number in the thread's file.
struct Entry {
    std::uint64_t before;  // RDTSC right before the marker
    std::uint64_t after;   // and right after
    std::uint32_t channel;
    std::uint32_t reserved;
};

}  // namespace sla::truth
