#include "agent/member/shot_place.h"

#include "proto/time/picoseconds.h"

#include <algorithm>
#include <cmath>

namespace sla::member {
namespace {

constexpr std::int64_t kMaxWideningNs = 1'000'000'000;
constexpr long double kMaxNs = 9e18L;

std::optional<ShotPlace> by_pings(const fleet::FleetShot& shot, const std::vector<time::PeerReading>& readings,
                                  const OwnClock::View& own) {
    std::vector<time::PeerReading> of_them;
    for (const time::PeerReading& reading : readings) {
        // In nanoseconds of either clock: they differ by a thousandth at most.
        of_them.push_back({reading.peer_tick, reading.tick, reading.error_ns + reading.error_ns / 1000 + 1});
    }
    const time::ClockMap theirs = time::ClockMap::fit({}, shot.tick(), shot.ticks_per_second());
    const auto axis = time::HostAxis::by_pings(of_them, theirs, own.map);
    if (!axis) return std::nullopt;
    return ShotPlace{axis->to_reference(shot.tick()), axis->error_ps(shot.tick()) / time::kPicosecondsPerNanosecond + 1,
                     true, "pings between the agents"};
}

std::optional<ShotPlace> by_wall_clocks(const fleet::FleetShot& shot, const OwnClock::View& own) {
    if (!shot.has_utc() || own.wall.empty()) return std::nullopt;
    const long double since_ns =
        static_cast<long double>(shot.utc_ns()) - static_cast<long double>(own.wall.map().base_ns());
    if (std::abs(since_ns) > kMaxNs / 1000) return std::nullopt;  // months away: nothing that is held
    const std::uint64_t tick = own.wall.map().to_tick(static_cast<std::int64_t>(since_ns) * time::kPicosecondsPerNanosecond);
    const long double error =
        static_cast<long double>(own.wall.error_ns(tick)) + static_cast<long double>(shot.utc_error_ns());
    return ShotPlace{tick, static_cast<std::int64_t>(std::min(error, kMaxNs)), shot.utc_bounded() && own.wall.is_bounded(),
                     "both wall clocks"};
}

}  // namespace

std::optional<ShotPlace> place_shot(const fleet::FleetShot& shot, const std::vector<time::PeerReading>& readings,
                                    const OwnClock::View& own) {
    const auto pings = by_pings(shot, readings, own);
    const auto walls = by_wall_clocks(shot, own);
    if (!pings || !walls) return pings ? pings : walls;
    if (pings->is_bounded != walls->is_bounded) return pings->is_bounded ? pings : walls;
    return pings->error_ns <= walls->error_ns ? pings : walls;
}

retain::Interval window_around(const ShotPlace& place, const fleet::FleetShot& shot, const time::ClockMap& own) {
    const std::int64_t wider = std::min(place.error_ns, kMaxWideningNs);
    const auto ticks = [&](std::int64_t ns) {
        return static_cast<std::uint64_t>(std::ceil(static_cast<double>(ns) * 1e-9 * own.ticks_per_second()));
    };
    const std::uint64_t before = ticks(shot.pre_ns() + wider);
    const std::uint64_t after = ticks(shot.post_ns() + wider);
    return {place.tick - std::min(place.tick, before), std::min(place.tick + after, fleet::kMaxTick)};
}

}  // namespace sla::member
