// A session's clocks: the readings it has, what is made of them, and what is known of the hosts they are of.
#include "viewer/store/session.h"

#include <algorithm>

namespace sla::store {
namespace {

// Four months of an agent's, which reads its clock every ten seconds: 75 MB.
constexpr std::size_t kMostSnapshots = std::size_t{1} << 20;

// Leaves every second one between the first and the last: what is followed for a year is known as well by them.
void thin_out(std::vector<time::ClockSnapshot>& snapshots) {
    std::size_t kept = 1;
    for (std::size_t at = 2; at + 1 < snapshots.size(); at += 2) snapshots[kept++] = snapshots[at];
    snapshots[kept++] = snapshots.back();
    snapshots.resize(kept);
}

// Of cores that were not compared nothing is known.
time::SkewBound known_skew(const Health& health) {
    return health.clock.cores >= 2 ? health.clock.skew : time::SkewBound{};
}

}  // namespace

void Session::add_clock(std::uint32_t domain, const time::ClockSnapshot& snapshot) {
    if (domain != 0) return;  // stamps of every source are host ticks today; other clocks are for people, not for stamps
    change();
    const auto before = [](const time::ClockSnapshot& a, const time::ClockSnapshot& b) { return a.tick < b.tick; };
    const auto at = std::lower_bound(facts_.snapshots.begin(), facts_.snapshots.end(), snapshot, before);
    if (at != facts_.snapshots.end() && at->tick == snapshot.tick) {
        *at = snapshot;
    } else {
        facts_.snapshots.insert(at, snapshot);
    }
    if (facts_.snapshots.size() > kMostSnapshots) thin_out(facts_.snapshots);
    forget_clock();
}

void Session::forget_clock() {
    wall_.reset();
    is_clock_stale_ = true;
}

void Session::fit_clock() const {
    facts_.clock = time::ClockMap::fit(facts_.snapshots, facts_.origin.start_tick, facts_.health.ticks_per_second);
    facts_.shown.limit(facts_.clock);
    facts_.clock.set_skew(known_skew(facts_.health));
    is_clock_stale_ = false;
}

const time::WallAxis& Session::wall() const {
    if (!wall_) wall_ = time::WallAxis::of(facts_.snapshots, clock());
    return *wall_;
}

void Session::add_host(Host host) {
    if (host.id == 0 || (facts_.hosts.size() == kMaxHosts && !facts_.hosts.contains(host.id))) return;
    change();
    facts_.hosts[host.id] = std::move(host);
}

void Session::add_peer_clock(PeerClock reading) {
    change();
    if (facts_.peer_clocks.size() >= kMaxPeerClocks)
        facts_.peer_clocks.erase(facts_.peer_clocks.begin(), facts_.peer_clocks.begin() + kMaxPeerClocks / 10);
    facts_.peer_clocks.push_back(std::move(reading));
}

const Host* Session::host_of(const Lane& lane) const {
    if (facts_.hosts.empty()) return nullptr;
    const Source* source = source_of(lane);
    const auto at = facts_.hosts.find(source == nullptr ? 0 : source->host);
    return at == facts_.hosts.end() ? nullptr : &at->second;
}

const time::HostErrors* Session::errors_of(const Lane& lane) const {
    if (const Host* host = host_of(lane)) return &host->errors;
    const Source* source = source_of(lane);
    return source == nullptr || source->clock_domain == 0 ? nullptr : &source->made_up;
}

std::int64_t Session::error_between(const Lane& from, std::uint64_t from_tick, const Lane& to, std::uint64_t to_tick,
                                    time::Stamps stamps) const {
    return time::error_between(clock(), from_tick, errors_of(from), to_tick, errors_of(to), stamps);
}

void Session::note_shown_as(const Session& other) {
    facts_.shown = other.facts_.shown;
    forget_clock();
}

std::uint32_t Session::stamp_ticks() const {
    std::uint32_t cost = 0;
    for (const auto& snapshot : facts_.snapshots) {
        if (snapshot.stamp_ticks != 0) cost = snapshot.stamp_ticks;
    }
    return cost;
}

void Session::set_health(Health health) {
    const time::SkewBound before = known_skew(facts_.health);
    facts_.health = std::move(health);
    const time::SkewBound now = known_skew(facts_.health);
    note_numbers();
    if (facts_.snapshots.size() < 2 || now.ticks != before.ticks || now.synchronized != before.synchronized) change();
    if (facts_.snapshots.size() < 2) forget_clock();
    if (!is_clock_stale_) facts_.clock.set_skew(known_skew(facts_.health));
}

}  // namespace sla::store
