#include "proto/common/clock/peer_window.h"

#include "proto/time/duration.h"
#include "proto/time/tick_rate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sla::time {
namespace {

constexpr double kBillion = 1e9;
constexpr double kMaxNs = 1e12;  // a quarter of an hour: no round trip

// The peer's ticks, a thousandth shorter than its rate says.
double least_ns(std::uint64_t ticks, double hz) {
    return static_cast<double>(ticks) / hz * kBillion * (1 - kMaxDriftPpb / kBillion);
}

}  // namespace

std::optional<PeerReading> reading_of(const PeerExchange& exchange, const ClockMap& own, double peer_ticks_per_second) {
    if (exchange.returned < exchange.sent || exchange.answered < exchange.received) return std::nullopt;
    if (!is_tick_rate(peer_ticks_per_second)) return std::nullopt;
    const std::uint64_t away = exchange.returned - exchange.sent;
    const double away_ns = static_cast<double>(own.to_ps(exchange.returned) - own.to_ps(exchange.sent)) / 1e3;
    const double held_ns = least_ns(exchange.answered - exchange.received, peer_ticks_per_second);
    if (held_ns > away_ns || away_ns > kMaxNs) return std::nullopt;
    PeerReading reading;
    reading.tick = exchange.sent + away / 2;
    reading.peer_tick = exchange.received + (exchange.answered - exchange.received) / 2;
    const double tick_ns = kBillion / own.ticks_per_second() + kBillion / peer_ticks_per_second;
    const double wander_ns = held_ns * kMaxDriftPpb / kBillion;  // where its middle lies
    const double stamps_ns = static_cast<double>(own.delta_error_ps(0)) / 1e3;
    reading.error_ns = static_cast<std::int64_t>(std::ceil((away_ns - held_ns) / 2 + tick_ns + wander_ns + stamps_ns));
    return reading;
}

void PeerWindow::on_exchange(const PeerExchange& exchange, const ClockMap& own, double peer_ticks_per_second) {
    const auto reading = reading_of(exchange, own, peer_ticks_per_second);
    if (!reading) {
        ++nonsense_;
        return;
    }
    ++exchanges_;
    peer_ticks_per_second_ = peer_ticks_per_second;
    if (!begun_) begun_ = exchange.sent;
    if (best_ && best_->error_ns <= reading->error_ns) return;
    best_ = reading;
    round_trip_ns_ = (own.to_ps(exchange.returned) - own.to_ps(exchange.sent)) / 1000;
}

std::optional<PeerReport> PeerWindow::due(std::uint64_t now, const ClockMap& own) {
    if (!begun_ || !best_) return std::nullopt;
    const double seconds = std::abs(static_cast<double>(static_cast<std::int64_t>(now - *begun_))) / own.ticks_per_second();
    if (seconds < seconds_) return std::nullopt;
    seconds_ = std::min(2 * seconds_, kSeconds);
    PeerReport report = finish(own);
    begun_.reset();
    best_.reset();
    exchanges_ = lost_ = nonsense_ = 0;
    return report;
}

std::vector<PeerReading> PeerWindow::readings() const {
    std::vector<PeerReading> all(kept_.begin(), kept_.end());
    if (best_) all.push_back(*best_);
    return all;
}

PeerReport PeerWindow::finish(const ClockMap& own) {
    PeerReport report;
    report.reading = *best_;
    report.round_trip_ns = round_trip_ns_;
    report.exchanges = exchanges_;
    report.lost = lost_;
    if (kept_.size() == kHistory) kept_.pop_front();
    kept_.push_back(*best_);
    const std::uint64_t first = kept_.front().peer_tick;
    std::vector<AxisAnchor> anchors;
    for (const PeerReading& one : kept_) {
        const auto since = static_cast<double>(static_cast<std::int64_t>(one.peer_tick - first));
        const double ns = std::clamp(since / peer_ticks_per_second_ * kBillion, -9e15, 9e15);
        anchors.push_back({one.tick, static_cast<std::int64_t>(ns), one.error_ns + 1});
    }
    const AxisMap map = AxisMap::fit(std::move(anchors), own);
    if (map.drift_error_ppb() < kMaxDriftPpb) {
        report.drift_ppb = -map.drift_ppb();
        report.drift_error_ppb = map.drift_error_ppb();
    }
    if (nonsense_ > 0) report.problem = "answers came whose stamps make no sense: a clock went back";
    if (!map.jumps().empty()) {
        const AxisJump& newest = map.jumps().back();
        report.problem = "the two hosts' clocks jumped against each other by " + format_duration(newest.size_ns * 1000) +
                         " (\u00b1 " + format_duration(newest.error_ns * 1000) + ")";
        kept_.erase(kept_.begin(), std::find_if(kept_.begin(), kept_.end(),
                                                [&](const PeerReading& one) { return one.tick >= newest.until_tick; }));
    }
    return report;
}

}  // namespace sla::time
