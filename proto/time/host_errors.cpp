#include "proto/time/host_errors.h"

#include "proto/time/picoseconds.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sla::time {
namespace {

std::int64_t way_ps(const ClockMap& axis, std::uint64_t from, std::uint64_t to) {
    constexpr std::uint64_t kMax = std::numeric_limits<std::int64_t>::max();
    return axis.ticks_to_ps(static_cast<std::int64_t>(std::min(to - from, kMax)));
}

long double grown(const ClockMap& axis, std::uint64_t from, std::uint64_t to) {
    return static_cast<long double>(way_ps(axis, from, to)) * static_cast<long double>(kMaxDriftPpb) / 1e9L;
}

// All of one such time.
bool are_made_up(const HostErrors* from_host, const HostErrors* to_host) {
    return from_host == to_host && from_host != nullptr && from_host->is_made_up;
}

// Null where nothing was moved.
const HostErrors* moved(const HostErrors* host) {
    return host != nullptr && host->is_made_up ? nullptr : host;
}

}  // namespace

std::int64_t HostErrors::error_ps(std::uint64_t tick, const ClockMap& axis) const {
    if (steps.empty()) return kMaxPs;
    const auto later = [](std::uint64_t at, const Step& step) { return at < step.tick; };
    const auto next = std::upper_bound(steps.begin(), steps.end(), tick, later);
    const Step& step = next == steps.begin() ? *next : *(next - 1);
    auto error = static_cast<long double>(step.error_ps);
    if (next == steps.begin()) error += grown(axis, tick, step.tick);
    if (next == steps.end()) error += grown(axis, step.tick, tick);
    return saturated(error);
}

std::int64_t HostErrors::added_ps(std::uint64_t from_tick, std::uint64_t to_tick, const ClockMap& axis) const {
    const auto [first, last] = std::minmax(from_tick, to_tick);
    long double error = static_cast<long double>(way_ps(axis, first, last)) * static_cast<long double>(stretch_ppb) / 1e9L;
    for (const AxisJump& jump : jumps) {
        if (jump.from_tick >= last || jump.until_tick <= first) continue;
        const auto size = static_cast<long double>(magnitude(jump.size_ns)) + static_cast<long double>(jump.error_ns);
        error += size * kPicosecondsPerNanosecond;
    }
    return saturated(error + static_cast<long double>(axis.ticks_to_ps(2)));  // each stamp moved to a whole tick
}

std::int64_t error_between(const ClockMap& axis, std::uint64_t from_tick, const HostErrors* from_host, std::uint64_t to_tick,
                           const HostErrors* to_host, Stamps stamps) {
    if (are_made_up(from_host, to_host)) {
        const auto [first, last] = std::minmax(from_tick, to_tick);
        return axis.delta_error_ps(last - first, Stamps::kMadeUp);
    }
    from_host = moved(from_host);
    to_host = moved(to_host);
    if (from_host == nullptr && to_host == nullptr) return axis.error_between(from_tick, to_tick, stamps);
    if (from_host == to_host) {
        const auto own = static_cast<long double>(axis.error_between(from_tick, to_tick, stamps));
        return saturated(own + static_cast<long double>(from_host->added_ps(from_tick, to_tick, axis)));
    }
    auto error = static_cast<long double>(axis.error_between(from_tick, to_tick, Stamps::kTwoThreads));
    if (from_host != nullptr) error += static_cast<long double>(from_host->error_ps(from_tick, axis));
    if (to_host != nullptr) error += static_cast<long double>(to_host->error_ps(to_tick, axis));
    return saturated(error);
}

ClockMap clock_between(const ClockMap& axis, const HostErrors* from_host, const HostErrors* to_host) {
    ClockMap clock = axis;
    if (are_made_up(from_host, to_host)) clock.count_made_up_time();
    from_host = moved(from_host);
    to_host = moved(to_host);
    if (from_host == nullptr && to_host == nullptr) return clock;
    if (from_host == to_host) {
        clock.add_error(axis.ticks_to_ps(2), from_host->stretch_ppb);
        for (const AxisJump& jump : from_host->jumps) {
            const auto size = static_cast<long double>(magnitude(jump.size_ns)) + static_cast<long double>(jump.error_ns);
            clock.add_break({jump.from_tick, jump.until_tick, saturated(size * kPicosecondsPerNanosecond)});
        }
        return clock;
    }
    for (const HostErrors* host : {from_host, to_host}) {
        if (host == nullptr) continue;
        std::int64_t most = host->steps.empty() ? kMaxPs : 0;
        for (const HostErrors::Step& step : host->steps) most = std::max(most, step.error_ps);
        clock.add_error(most, 0);
    }
    return clock;
}

}  // namespace sla::time
