#include "tests/bench/follower.h"

#include "proto/time/tick_clock.h"
#include "tests/bench/percentiles.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

namespace sla::bench {

Follower::Follower(const std::string& address, std::string channel)
    : channel_(std::move(channel)), applier_(session_), client_(options(address)) {
    client_.start();
}

ingest::StreamOptions Follower::options(const std::string& address) {
    ingest::StreamOptions options;
    options.address = wire::parse_address(address).value();
    return options;
}

void Follower::take() {
    client_.wait(std::chrono::milliseconds(20));
    client_.poll(applier_, std::chrono::milliseconds(10));
    const std::uint64_t now = time::read_tsc();
    const store::Lane* lane = session_.lane_named(channel_);
    for (; lane != nullptr && seen_ < lane->size(); ++seen_) {
        if (lane->tick(seen_) < since_) continue;
        const auto age = static_cast<std::int64_t>(now - lane->tick(seen_));
        ages_.push_back(static_cast<double>(session_.clock().ticks_to_ps(age)) / 1e9);
    }
}

void Follower::print_ages(const std::string& what, std::size_t behind) {
    std::vector<double> some(ages_.begin() + static_cast<std::ptrdiff_t>(std::min(behind, ages_.size())), ages_.end());
    const std::size_t count = some.size();
    const Percentiles ages = percentiles(some);
    std::printf("%s, %zu events: p50 %.2f ms, p99 %.2f ms, p99.9 %.2f ms, max %.2f ms\n", what.c_str(), count, ages.p50,
                ages.p99, ages.p999, ages.max);
}

}  // namespace sla::bench
