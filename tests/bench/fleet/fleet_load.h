// What benchmarks of a fleet share: one stream looked at while it fills, and a publisher that is nothing else.
#pragma once

#include "proto/base/result.h"
#include "proto/fleet/connection.h"
#include "tests/support/fleet_reading.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sla::bench {

// How a stream grew: bytes over time, by looking every 10 ms.
class StreamGrowth {
public:
    StreamGrowth(const fleet::Connection& connection, std::string stream)
        : connection_(connection), stream_(std::move(stream)) {}

    // Until so many messages are there. False: nothing came for 30 s.
    bool watch(std::uint64_t messages);
    [[nodiscard]] std::uint64_t messages() const { return messages_; }
    [[nodiscard]] std::uint64_t bytes() const { return looks_.empty() ? 0 : looks_.back().bytes; }
    // Between a tenth and nine tenths of the bytes, so that neither start nor end counts.
    [[nodiscard]] double megabytes_per_second() const;

private:
    using Clock = std::chrono::steady_clock;
    struct Look {
        Clock::time_point at;
        std::uint64_t bytes = 0;
    };

    const fleet::Connection& connection_;
    std::string stream_;
    std::uint64_t messages_ = 0;
    std::vector<Look> looks_;
};

// Sends messages as fast as the cluster acknowledges them, `window` of them on their way, and does nothing else.
Result<void> publish_bare(const fleet::Connection& connection, const std::vector<support::FleetMessage>& messages,
                          int window);

}  // namespace sla::bench
