// A range of the tick axis. Value type; any thread.
#pragma once

#include <cstdint>

namespace sla::timeline {

// Both ends belong to it.
struct TickRange {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    [[nodiscard]] std::uint64_t length() const { return last >= first ? last - first : 0; }
    bool operator==(const TickRange&) const = default;
};

inline bool have_common(const TickRange& a, const TickRange& b) {
    return a.first <= b.last && b.first <= a.last;
}

}  // namespace sla::timeline
