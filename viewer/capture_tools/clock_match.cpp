#include "viewer/capture_tools/clock_match.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace sla::capture_tools {

namespace {

constexpr double kSlackNs = 1e6;     // two boots never agree to a millisecond,
constexpr double kMaxSlackNs = 1e9;  // and what is not known better than a second says nothing
constexpr double kBillion = 1e9;

const time::ClockSnapshot* first_snapshot(const store::Session& session) {
    return session.snapshots().empty() ? nullptr : &session.snapshots().front();
}

// Does the reference's clock foretell the other's reading of CLOCK_MONOTONIC_RAW, which begins anew with every boot?
bool is_same_counter(const store::Session& reference, const store::Session& other) {
    const time::ClockSnapshot* a = first_snapshot(reference);
    const time::ClockSnapshot* b = first_snapshot(other);
    if (a == nullptr || b == nullptr || reference.origin().host != other.origin().host) return false;
    const time::ClockMap& clock = reference.clock();
    const double distance_ns = static_cast<double>(clock.to_ps(b->tick) - clock.to_ps(a->tick)) / 1e3;
    const double slope_error = std::max(clock.slope_error_ppb(), other.clock().slope_error_ppb());
    const double slack = kSlackNs + std::abs(distance_ns) * slope_error / kBillion;
    const double read_ns = static_cast<double>(b->monotonic_raw_ns - a->monotonic_raw_ns);
    return slack < kMaxSlackNs && std::abs(read_ns - distance_ns) <= slack;
}

std::int64_t reading_error_ns(const store::Session& session) {
    std::uint32_t ticks = 0;
    for (const time::ClockSnapshot& snapshot : session.snapshots()) ticks = std::max(ticks, snapshot.error_ticks);
    const double span_ns = static_cast<double>(session.clock().to_ps(session.snapshots().back().tick)) / 1e3;
    const double drift_ns = std::abs(span_ns) * session.clock().slope_error_ppb() / kBillion;
    return static_cast<std::int64_t>(std::ceil(static_cast<double>(session.clock().ticks_to_ps(ticks)) / 1e3 + drift_ns)) +
           100;
}

}  // namespace

Result<ClockMatch> ClockMatch::find(const store::Session& reference, const store::Session& other) {
    ClockMatch match;
    if (is_same_counter(reference, other)) return match;
    const std::int64_t here = reference.clock().origin_realtime_ns();
    const std::int64_t there = other.clock().origin_realtime_ns();
    if (here == 0 || there == 0) return damaged("the captures share no clock: one of them has no reading of the wall clock");
    std::int64_t shift_ns = 0;
    if (__builtin_sub_overflow(there, here, &shift_ns) || __builtin_mul_overflow(shift_ns, 1000, &match.shift_ps_)) {
        return damaged("the captures lie too far apart: more than 106 days by their wall clocks");
    }
    match.same_ = false;
    match.from_ = other.clock();
    match.to_ = reference.clock();
    match.error_ns_ = reading_error_ns(reference) + reading_error_ns(other);
    return match;
}

std::uint64_t ClockMatch::to_reference(std::uint64_t tick) const {
    if (same_) return tick;
    std::int64_t ps = 0;
    if (__builtin_add_overflow(from_.to_ps(tick), shift_ps_, &ps)) ps = INT64_MAX;
    return to_.to_tick(ps);
}

}  // namespace sla::capture_tools
