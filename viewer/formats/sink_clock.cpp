// A CaptureSink's clock as readings that give its rate exactly.
#include "proto/time/tick_rate.h"
#include "viewer/formats/capture_sink.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sla::formats {

namespace {

using Wide = unsigned __int128;

struct Distance {
    std::uint64_t ticks = 0;
    std::uint64_t ns = 0;
};

// At most that many ticks, but so that they are whole nanoseconds, or as nearly as so few ticks can be: a multiple of the last
// fraction that approximates ns per tick (the convergents of its continued fraction) with a denominator that is not larger.
Distance whole_distance(double hz, std::uint64_t most) {
    constexpr int kMantissaBits = 53;
    int exponent = 0;
    const double mantissa = std::frexp(hz, &exponent);  // hz = mantissa * 2^exponent, above 2^-1 and below 2^0
    Wide above = Wide{1'000'000'000} << (kMantissaBits - exponent);
    Wide below = static_cast<std::uint64_t>(std::ldexp(mantissa, kMantissaBits));
    Wide ns_before = 0;
    Wide ticks_before = 1;
    Wide ns = 1;
    Wide ticks = 0;
    while (below != 0) {
        const Wide quotient = above / below;
        const Wide more_ticks = quotient * ticks + ticks_before;
        if (more_ticks > most) break;
        ns_before = std::exchange(ns, quotient * ns + ns_before);
        ticks_before = std::exchange(ticks, more_ticks);
        above = std::exchange(below, above % below);
    }
    const Wide times = most / ticks;
    return {static_cast<std::uint64_t>(times * ticks), static_cast<std::uint64_t>(times * ns)};
}

}  // namespace

std::vector<time::ClockSnapshot> snapshots_of(const SinkClock& clock) {
    const double hz = std::clamp(clock.ticks_per_second, time::kMinTickRate, time::kMaxTickRate);
    const double farthest = std::min(0x1p58, hz * 4e9);
    const double most_error = 4e9;  // what error_ticks can say
    const double distance = clock.error_ppb > 0 ? std::min(farthest, most_error / clock.error_ppb * 1e9) : farthest;
    time::ClockSnapshot first;
    first.tick = clock.origin_tick;
    first.realtime_ns = clock.realtime_ns;
    time::ClockSnapshot last;
    const Distance whole = whole_distance(hz, static_cast<std::uint64_t>(std::max(distance, 1e6)));
    last.tick = first.tick + whole.ticks;
    last.monotonic_raw_ns = static_cast<std::int64_t>(whole.ns);
    last.error_ticks =
        static_cast<std::uint32_t>(std::min(clock.error_ppb * 1e-9 * static_cast<double>(whole.ticks), most_error));
    // Two exact readings make some 1e-10 ppb, which a capture that was imported and exported says; nobody measures that well.
    constexpr double kNotMeasuredPpb = 1e-6;
    first.stamp_ticks = last.stamp_ticks = clock.stamp_ticks;
    first.is_given = last.is_given = clock.error_ppb < kNotMeasuredPpb;
    return {first, last};
}

}  // namespace sla::formats
