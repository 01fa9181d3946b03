#include "viewer/formats/stamp_errors.h"

#include "viewer/formats/number_text.h"

#include <fmt/format.h>

namespace sla::formats {

namespace {

constexpr std::uint32_t kMostTicks = 1'000'000'000;  // no stamp costs a second, nor are cores so far apart

constexpr std::string_view kSynchronized = "synchronized";
constexpr std::string_view kApart = "apart";

}  // namespace

std::string stamp_errors_text(const store::Session& session) {
    const store::ClockHealth& health = session.health().clock;
    if (health.cores < 2) return fmt::format("{},-", session.stamp_ticks());
    return fmt::format("{},{},{}", session.stamp_ticks(), health.skew.ticks,
                       health.skew.synchronized ? kSynchronized : kApart);
}

void read_stamp_errors(std::string_view text, SinkClock& clock) {
    const std::size_t first = text.find(',');
    if (first == std::string_view::npos) return;
    const auto stamp = read_number<std::uint32_t>(text.substr(0, first));
    if (!stamp || *stamp > kMostTicks) return;
    clock.stamp_ticks = *stamp;
    const std::string_view rest = text.substr(first + 1);
    const std::size_t second = rest.find(',');
    if (second == std::string_view::npos) return;
    const auto apart = read_number<std::uint64_t>(rest.substr(0, second));
    const std::string_view state = rest.substr(second + 1);
    if (!apart || *apart > kMostTicks || (state != kSynchronized && state != kApart)) return;
    clock.skew = time::SkewBound{*apart, state == kSynchronized};
}

}  // namespace sla::formats
