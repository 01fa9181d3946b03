#include "viewer/archive/days.h"

#include "viewer/store/rows/row_types.h"

#include <fmt/format.h>

#include <ctime>

namespace sla::archive {

namespace {

constexpr std::int64_t kNsPerDay = std::int64_t{86'400} * 1'000'000'000;
constexpr const char* kNoDate = "__HIVE_DEFAULT_PARTITION__";  // as engines call what is not known

}  // namespace

std::optional<std::int64_t> utc_ns(const time::ClockMap& clock, std::uint64_t tick) {
    const auto utc = clock.utc_ns(tick);
    return utc && *utc >= 0 ? utc : std::nullopt;
}

std::string date_of(const std::optional<std::int64_t>& utc) {
    if (!utc) return kNoDate;
    const std::time_t seconds = *utc / 1'000'000'000;
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    return fmt::format("{:04}-{:02}-{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
}

std::uint64_t next_day(const time::ClockMap& clock, std::uint64_t tick) {
    const auto utc = utc_ns(clock, tick);
    if (!utc) return store::kNever;
    const std::int64_t midnight = (*utc / kNsPerDay + 1) * kNsPerDay;
    const auto is_before = [&](std::uint64_t at) {
        const auto of = utc_ns(clock, at);
        return of && *of < midnight;
    };
    std::uint64_t low = tick;  // before midnight
    std::uint64_t step = 1;
    while (is_before(low + step)) {
        low += step;
        step *= 2;
        if (step > SLA_TICK_MASK) return store::kNever;
    }
    std::uint64_t high = low + step;
    while (high - low > 1) {
        const std::uint64_t middle = low + (high - low) / 2;
        (is_before(middle) ? low : high) = middle;
    }
    return high;
}

}  // namespace sla::archive
