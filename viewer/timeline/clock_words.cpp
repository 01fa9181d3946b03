#include "viewer/timeline/clock_words.h"

#include "viewer/timeline/readable.h"

#include <fmt/format.h>

#include <cmath>

namespace sla::timeline {

namespace {

// Never "0": a tenth of a ppb is ten nanoseconds after 100 s, which a time may still move by.
std::string ppb_text(double ppb) {
    return ppb >= 10 ? fmt::format("{:.0f}", ppb) : fmt::format("{:.2g}", ppb);
}

std::string tick_length(double hertz) {
    const double ps = 1e12 / hertz;
    return ps < 1'000 ? fmt::format("{:.3g} ps", ps) : readable_delta(std::llround(ps));
}

std::string gigahertz(double hertz) {
    const auto kilohertz = static_cast<std::int64_t>(std::llround(hertz / 1e3));
    return in_unit(kilohertz, {"GHz", 1'000'000}, 6) + " GHz";
}

}  // namespace

std::optional<ClockWords> clock_words(const store::Session& session) {
    const bool is_read = !session.snapshots().empty();
    if (!is_read && !session.health().known) return std::nullopt;
    const double hertz = session.clock().ticks_per_second();
    if (is_read && session.snapshots().front().is_given) return ClockWords{{}, "ticks of " + tick_length(hertz), {}};
    const store::ClockHealth& clock = session.health().clock;
    const char* stamps = !clock.known ? "" : clock.monotonic_raw ? "CLOCK_MONOTONIC_RAW" : "TSC";
    return ClockWords{stamps, gigahertz(hertz), "\xC2\xB1" + ppb_text(session.clock().slope_error_ppb()) + " ppb"};
}

}  // namespace sla::timeline
