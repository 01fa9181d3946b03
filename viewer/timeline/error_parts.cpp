#include "viewer/timeline/error_parts.h"

#include "viewer/timeline/readable.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace sla::timeline {

ErrorParts error_parts(const time::ClockMap& clock, std::uint64_t from_tick, std::uint64_t to_tick, time::Stamps stamps) {
    const auto [first, last] = std::minmax(from_tick, to_tick);
    const bool skewed = stamps == time::Stamps::kTwoThreads || !clock.skew().synchronized;
    constexpr std::uint64_t kMaxSkew = std::numeric_limits<std::int64_t>::max();
    const std::int64_t at_no_distance = clock.delta_error_ps(0, stamps);
    const std::int64_t at_this_distance = clock.delta_error_ps(last - first, stamps);
    ErrorParts parts;
    parts.granularity = clock.ticks_to_ps(2);
    parts.residual = clock.residual_ps();
    if (skewed) parts.skew = clock.ticks_to_ps(static_cast<std::int64_t>(std::min(clock.skew().ticks, kMaxSkew)));
    parts.stamp = at_no_distance - parts.granularity - parts.residual - parts.skew;
    parts.rate = at_this_distance - at_no_distance;
    parts.breaks = clock.error_between(from_tick, to_tick, stamps) - at_this_distance;
    return parts;
}

std::string words_of(const ErrorParts& parts) {
    std::string lines;
    const auto add = [&](std::int64_t ps, const char* what) {
        if (ps != 0) lines += fmt::format("\xC2\xB1{}  {}\n", readable_delta(ps), what);
    };
    add(parts.granularity, "one tick at each end");
    add(parts.stamp, "taking a stamp");
    add(parts.skew, "counters of two cores apart, at most");
    add(parts.rate, "the clock's rate, over this distance");
    add(parts.residual, "the clock's readings off their line");
    add(parts.breaks, "the counter jumped in between");
    add(parts.hosts, "clocks of different hosts, against each other");
    return lines + fmt::format("\xC2\xB1{}  in all", readable_delta(parts.sum()));
}

}  // namespace sla::timeline
