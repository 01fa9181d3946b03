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

// Of a lane that is drawn so many ticks later: what it calls the tick, or the range, that is shown there; at least 0.
constexpr std::uint64_t earlier(std::uint64_t tick, std::int64_t by) {
    const std::int64_t at = static_cast<std::int64_t>(tick) - by;
    return at < 0 ? 0 : static_cast<std::uint64_t>(at);
}
constexpr TickRange earlier(const TickRange& range, std::int64_t by) {
    return {earlier(range.first, by), earlier(range.last, by)};
}

}  // namespace sla::timeline
