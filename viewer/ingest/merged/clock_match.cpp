#include "viewer/ingest/merged/clock_match.h"

#include "proto/time/duration.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace sla::ingest {

namespace {

constexpr double kSlackNs = 1e6;     // two boots never agree to a millisecond,
constexpr double kMaxSlackNs = 1e9;  // and what is not known better than a second says nothing
constexpr double kBillion = 1e9;

const time::ClockSnapshot* first_snapshot(const store::Session& session) {
    return session.snapshots().empty() ? nullptr : &session.snapshots().front();
}

// The same boot of the same host, and the reference's clock predicts the other's reading of CLOCK_MONOTONIC_RAW. Imported files
// know no boot: their readings were made up, alike for all of them.
bool is_same_counter(const store::Session& reference, const store::Session& other) {
    const time::ClockSnapshot* a = first_snapshot(reference);
    const time::ClockSnapshot* b = first_snapshot(other);
    if (a == nullptr || b == nullptr || reference.origin().host != other.origin().host) return false;
    const std::string& boot = reference.origin().boot_id;
    if (boot.empty() || boot != other.origin().boot_id) return false;
    const time::ClockMap& clock = reference.clock();
    const double distance_ns = static_cast<double>(clock.to_ps(b->tick) - clock.to_ps(a->tick)) / 1e3;
    const double slope_error = std::max(clock.slope_error_ppb(), other.clock().slope_error_ppb());
    const double slack = kSlackNs + std::abs(distance_ns) * slope_error / kBillion;
    const double read_ns = static_cast<double>(b->monotonic_raw_ns - a->monotonic_raw_ns);
    return slack < kMaxSlackNs && std::abs(read_ns - distance_ns) <= slack;
}

bool is_host(const store::Session& session, const store::PeerClock& peer) {
    const store::Origin& origin = session.origin();
    if (peer.host != origin.host) return false;
    return peer.boot_id.empty() || origin.boot_id.empty() || peer.boot_id == origin.boot_id;
}

// What either agent's pings say, as readings of `other` against `reference`.
std::vector<time::PeerReading> readings_between(const store::Session& reference, const store::Session& other) {
    std::vector<time::PeerReading> readings;
    for (const store::PeerClock& peer : other.peer_clocks()) {
        if (is_host(reference, peer)) readings.push_back(peer.reading);
    }
    for (const store::PeerClock& peer : reference.peer_clocks()) {
        if (!is_host(other, peer)) continue;
        // The error is in nanoseconds of either clock: they differ by a thousandth at most.
        readings.push_back(
            {peer.reading.peer_tick, peer.reading.tick, peer.reading.error_ns + peer.reading.error_ns / 1000 + 1});
    }
    return readings;
}

std::string host_text(const store::Session& session) {
    return session.origin().host.empty() ? "the other host" : "'" + session.origin().host + "'";
}

}  // namespace

Result<ClockMatch> ClockMatch::find(const store::Session& reference, const store::Session& other, std::uint64_t first_tick,
                                    std::uint64_t last_tick) {
    ClockMatch match;
    if (&reference == &other || is_same_counter(reference, other)) return match;
    const auto by_pings = time::HostAxis::by_pings(readings_between(reference, other), other.clock(), reference.clock());
    const auto by_walls = time::HostAxis::by_wall_clocks(other.wall(), other.clock(), reference.wall(), reference.clock());
    if (by_pings && by_walls) {
        match.axis_ = time::better_of(*by_pings, *by_walls, first_tick, last_tick);
    } else {
        match.axis_ = by_pings ? by_pings : by_walls;
    }
    if (!match.axis_) {
        const bool has_walls = !reference.wall().empty() && !other.wall().empty();
        return damaged(has_walls ? "the captures lie too far apart: more than 106 days by their wall clocks"
                                 : "the captures share no clock: one of them has no reading of the wall clock");
    }
    match.errors_ = match.axis_->errors(first_tick, last_tick);
    match.describe(reference, other);
    if (by_pings && by_walls && time::contradict(*by_pings, *by_walls, reference.clock(), first_tick, last_tick))
        match.text_ += "; the two wall clocks contradict the pings: one of them is further off UTC than its kernel says";
    return match;
}

void ClockMatch::describe(const store::Session& reference, const store::Session& other) {
    const bool by_pings = axis_->way() == time::HostAxis::Way::kPings;
    placed_by_ = by_pings ? "pings between the agents" : "both wall clocks";
    std::int64_t least = INT64_MAX;
    std::int64_t most = 0;
    for (const time::HostErrors::Step& step : errors_.steps) {
        least = std::min(least, step.error_ps);
        most = std::max(most, step.error_ps);
    }
    std::string errors = time::format_duration(least);
    if (most / 10 * 9 > least) errors += " to " + time::format_duration(most);
    text_ = (by_pings ? "aligned by pings between the agents: ± " : "aligned by CLOCK_REALTIME: ± ") + errors;
    if (!axis_->is_bounded()) text_ += ", and however well the two wall clocks agree";
    if (by_pings) return;
    for (const store::Session* session : {&reference, &other}) {
        const std::string problem = session->wall().problem();
        if (!problem.empty()) text_ += "; of " + host_text(*session) + " " + problem;
    }
}

}  // namespace sla::ingest
