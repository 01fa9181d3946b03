#include "agent/member/ping_log.h"

#include "proto/fleet/names.h"

namespace sla::member {

std::uint64_t& PingLog::begin(std::uint64_t number, const std::string& host) {
    if (under_way_.size() == kMax) under_way_.erase(under_way_.begin());
    Ping& ping = under_way_[number];
    ping.host = host;
    return ping.sent;
}

// What the fleet calls a host is what its captures are named after: no host vouches for another one's clock.
std::optional<peers::PeerAnswer> PingLog::finish(std::uint64_t number, const fleet::Pong& pong, std::uint64_t returned) {
    const auto ping = under_way_.find(number);
    if (ping == under_way_.end() || pong.number() != number || fleet::to_token(pong.host()) != ping->second.host)
        return std::nullopt;
    const peers::PeerAnswer answer{
        number, pong.boot_id(), pong.ticks_per_second(), {ping->second.sent, pong.received(), pong.answered(), returned}};
    under_way_.erase(ping);
    return answer;
}

std::optional<std::string> PingLog::forget(std::uint64_t number) {
    const auto ping = under_way_.find(number);
    if (ping == under_way_.end()) return std::nullopt;
    std::string host = std::move(ping->second.host);
    under_way_.erase(ping);
    return host;
}

}  // namespace sla::member
