#include "agent/peers/peer_pinger.h"

#include <algorithm>
#include <utility>

namespace sla::peers {
namespace {

double seconds(std::uint64_t from, std::uint64_t until, const time::ClockMap& own) {
    return until <= from ? 0 : static_cast<double>(until - from) / own.ticks_per_second();
}

}  // namespace

std::vector<PeerReading> PeerPinger::step(std::uint64_t now, const time::ClockMap& own) {
    take(own);
    give_up(now, own);
    const bool went_back = now < pinged_at_;
    if (pinged_at_ == 0 || went_back || seconds(pinged_at_, now, own) >= kPingSeconds) send(now);
    std::vector<PeerReading> news;
    for (auto& [host, peer] : peers_) {
        if (auto report = peer.window.due(now, own)) news.push_back({host, peer.boot_id, std::move(*report)});
    }
    return news;
}

std::vector<time::PeerReading> PeerPinger::readings_of(const std::string& host, const std::string& boot_id) const {
    const auto peer = peers_.find(host);
    if (peer == peers_.end() || peer->second.boot_id != boot_id) return {};
    return peer->second.window.readings();
}

void PeerPinger::send(std::uint64_t now) {
    pinged_at_ = now;
    const std::vector<std::string> hosts = transport_.hosts();
    if (hosts.empty()) return;
    const std::string& host = hosts[std::uniform_int_distribution<std::size_t>(0, hosts.size() - 1)(random_)];
    Peer& peer = peer_of(host);
    peer.pinged_at = now;
    if (!transport_.send(host, ++newest_ping_)) return peer.window.on_lost();
    under_way_[newest_ping_] = {host, now};
}

// The one that was pinged longest ago goes for a new one.
PeerPinger::Peer& PeerPinger::peer_of(const std::string& host) {
    const auto known = peers_.find(host);
    if (known != peers_.end()) return known->second;
    if (peers_.size() == kMaxPeers) {
        peers_.erase(std::min_element(peers_.begin(), peers_.end(),
                                      [](const auto& a, const auto& b) { return a.second.pinged_at < b.second.pinged_at; }));
    }
    return peers_[host];
}

void PeerPinger::take(const time::ClockMap& own) {
    for (const PeerAnswer& answer : transport_.take()) {
        const auto ping = under_way_.find(answer.ping);
        if (ping == under_way_.end()) continue;
        const auto peer = peers_.find(ping->second.host);
        under_way_.erase(ping);
        if (peer == peers_.end()) continue;
        if (peer->second.boot_id != answer.boot_id) {  // another boot, another clock
            peer->second.window = {};
            peer->second.boot_id = answer.boot_id;
        }
        peer->second.window.on_exchange(answer.stamps, own, answer.ticks_per_second);
    }
}

void PeerPinger::give_up(std::uint64_t now, const time::ClockMap& own) {
    while (!under_way_.empty() && seconds(under_way_.begin()->second.sent_at, now, own) >= kTimeoutSeconds) {
        const auto peer = peers_.find(under_way_.begin()->second.host);
        if (peer != peers_.end()) peer->second.window.on_lost();
        under_way_.erase(under_way_.begin());
    }
}

}  // namespace sla::peers
