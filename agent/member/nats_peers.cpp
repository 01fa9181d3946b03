#include "agent/member/nats_peers.h"

#include "proto/base/text.h"
#include "proto/fleet/names.h"
#include "proto/fleet/talk.h"

#include <utility>

namespace sla::member {

Result<void> NatsPeers::attach(const fleet::Connection& connection) {
    inbox_ = fleet::new_inbox();
    auto pongs =
        fleet::Listener::open(connection, inbox_ + ".*", [this](const fleet::Received& message) { on_answer(message); });
    if (!pongs) return pongs.error();
    const std::string subject = fleet::talk_subject(self_.fleet, fleet::Talk::kPing, self_.host);
    auto pings = fleet::Listener::open(connection, subject, [this, subject](const fleet::Received& message) {
        if (fleet::is_question_to(subject, message)) on_ping(message);
    });
    if (!pings) return pings.error();
    pings_ = std::move(*pings);
    pongs_ = std::move(*pongs);
    connection_ = &connection;
    return {};
}

void NatsPeers::detach() {
    pings_.reset();
    pongs_.reset();
    connection_ = nullptr;
    std::lock_guard lock(mutex_);
    log_.clear();
    hosts_.clear();
}

void NatsPeers::set_hosts(std::vector<std::string> hosts) {
    if (hosts.size() > kMaxHosts) hosts.resize(kMaxHosts);
    std::set<std::string> others(std::make_move_iterator(hosts.begin()), std::make_move_iterator(hosts.end()));
    others.erase(self_.host);
    std::lock_guard lock(mutex_);
    hosts_ = std::move(others);
}

std::vector<std::string> NatsPeers::hosts() {
    std::lock_guard lock(mutex_);
    return {hosts_.begin(), hosts_.end()};
}

bool NatsPeers::send(const std::string& host, std::uint64_t ping) {
    if (connection_ == nullptr || !connection_->is_connected()) return false;
    fleet::Ping message;
    message.set_number(ping);
    const std::string body = message.SerializeAsString();
    const std::string subject = fleet::talk_subject(self_.fleet, fleet::Talk::kPing, host);
    const std::string reply = inbox_ + "." + std::to_string(ping);
    {
        std::lock_guard lock(mutex_);
        std::uint64_t& sent = log_.begin(ping, host);
        sent = now_();
    }
    if (fleet::publish(*connection_, subject, body, reply)) return true;
    std::lock_guard lock(mutex_);
    (void)log_.forget(ping);
    return false;
}

std::vector<peers::PeerAnswer> NatsPeers::take() {
    std::lock_guard lock(mutex_);
    return std::exchange(answers_, {});
}

// Not more of what came than its number goes back, so that nobody reads anything else out of us.
void NatsPeers::on_ping(const fleet::Received& message) {
    const std::uint64_t received = now_();
    const auto ping = fleet::parse_ping(message.body);
    if (!ping) return;
    fleet::Pong pong;
    pong.set_number(ping->number());
    pong.set_host(self_.clock_host);
    pong.set_boot_id(self_.boot_id);
    pong.set_ticks_per_second(ticks_per_second_.load(std::memory_order_relaxed));  // pairs with nothing, as in set_rate
    pong.set_received(received);
    pong.set_answered(now_());
    fleet::answer(message, pong.SerializeAsString());
}

std::optional<std::uint64_t> NatsPeers::number_in(std::string_view subject) const {
    if (!subject.starts_with(inbox_ + ".")) return std::nullopt;
    subject.remove_prefix(inbox_.size() + 1);
    return whole_number<std::uint64_t>(subject);
}

void NatsPeers::on_answer(const fleet::Received& message) {
    const std::uint64_t returned = now_();
    const auto number = number_in(message.subject);
    if (!number) return;
    std::lock_guard lock(mutex_);
    if (message.nobody_listens) {
        if (const auto host = log_.forget(*number)) hosts_.erase(*host);
        return;
    }
    const auto pong = fleet::parse_pong(message.body);
    if (!pong) return;
    if (const auto answer = log_.finish(*number, *pong, returned)) answers_.push_back(*answer);
}

}  // namespace sla::member
