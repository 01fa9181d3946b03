// What a counter says of an event: how often it happened while the counter was on the processor, and for how long that was.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace sla::counters {

struct Reading {
    std::uint64_t counted = 0;
    std::uint64_t wanted_ns = 0;    // how long the program ran meanwhile; 0, as the next: the counter is always there
    std::uint64_t counting_ns = 0;  // and how long of that the counter was on the processor

    bool operator==(const Reading&) const = default;
    // It shared the processor with others.
    [[nodiscard]] bool is_estimate() const { return counting_ns < wanted_ns; }
    // Scaled up, where it is an estimate. Nothing: it never had its turn.
    [[nodiscard]] std::optional<std::uint64_t> value() const {
        if (!is_estimate()) return counted;
        if (counting_ns == 0) return std::nullopt;
        const double share = static_cast<double>(wanted_ns) / static_cast<double>(counting_ns);
        return static_cast<std::uint64_t>(static_cast<double>(counted) * share);
    }
};

// Of the time between two readings of one counter.
inline Reading operator-(const Reading& now, const Reading& before) {
    const auto grown = [](std::uint64_t to, std::uint64_t from) { return to - std::min(to, from); };
    return {grown(now.counted, before.counted), grown(now.wanted_ns, before.wanted_ns),
            grown(now.counting_ns, before.counting_ns)};
}

}  // namespace sla::counters
