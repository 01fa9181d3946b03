#include "emu/gdb/gdb_server.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace sla::gdb {

namespace {

constexpr std::size_t kMaxRefused = 4;
constexpr std::size_t kMaxMessages = 256;  // a debugger waits for each answer
constexpr const char* kRefusal = "E.another debugger is connected to this PC already";

}  // namespace

GdbServer::GdbServer(GdbListener listener, Target& target, machine::StopSignal& signal, bool wait)
    : listener_(std::move(listener)), signal_(signal), target_(target), holds_(wait), thread_([this] { work(); }) {}

GdbServer::~GdbServer() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
    }
    wake_.raise();
    thread_.join();
}

void GdbServer::work() {
    for (bool open = true; open;) {
        const auto [entrance, timeout] = door_.look();
        std::vector<pollfd> sources{{wake_.descriptor(), POLLIN, 0}, entrance, {peer_.socket, POLLIN, 0}};
        for (const Peer& peer : refused_) sources.push_back({peer.socket, POLLIN, 0});
        if (::poll(sources.data(), sources.size(), timeout) < 0) continue;
        if (sources[2].revents != 0) read_peer();
        for (std::size_t i = 0; i < refused_.size(); ++i) {
            if (sources[3 + i].revents != 0) read_refused(refused_[i]);
        }
        std::erase_if(refused_, [](const Peer& peer) { return peer.socket < 0; });
        if (sources[1].revents != 0) accept_one();
        if (sources[0].revents != 0) {
            wake_.clear();
            send_answers();
            const std::lock_guard lock(mutex_);
            open = !closing_;
        }
    }
    leave(peer_);
    for (Peer& peer : refused_) leave(peer);
}

void GdbServer::leave(Peer& peer) {
    if (peer.socket >= 0) ::close(peer.socket);
    peer = Peer{};
}

void GdbServer::accept_one() {
    const int socket = door_.accept();
    if (socket < 0) return;
    if (peer_.socket < 0) {
        peer_ = Peer{};
        peer_.socket = socket;
        peer_.connection = ++connections_;
        return pass(Kind::kConnected);
    }
    if (refused_.size() == kMaxRefused) {
        leave(refused_.front());
        refused_.erase(refused_.begin());
    }
    refused_.emplace_back();
    refused_.back().socket = socket;
}

// False: it is gone.
bool GdbServer::take_items(Peer& peer, std::vector<PacketReader::Item>& items) {
    std::array<char, 4096> bytes{};
    const ssize_t got = ::recv(peer.socket, bytes.data(), bytes.size(), 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return true;
    if (got <= 0) return false;
    items = peer.reader.feed({bytes.data(), static_cast<std::size_t>(got)});
    return true;
}

void GdbServer::read_peer() {
    std::vector<PacketReader::Item> items;
    bool there = take_items(peer_, items);
    for (PacketReader::Item& item : items) {
        switch (item.kind) {
            case PacketReader::Kind::kBroken: there = there && send(peer_, "-"); break;
            case PacketReader::Kind::kAgain: there = there && send(peer_, peer_.last_answer); break;
            case PacketReader::Kind::kInterrupt: pass(Kind::kInterrupt); break;
            case PacketReader::Kind::kPacket:
                if (peer_.acknowledges) there = there && send(peer_, "+");
                if (item.payload == "QStartNoAckMode") peer_.acknowledges = false;
                pass(Kind::kPacket, std::move(item.payload));
        }
    }
    if (there) return;
    pass(Kind::kGone);
    leave(peer_);
}

void GdbServer::read_refused(Peer& peer) {
    std::vector<PacketReader::Item> items;
    bool there = take_items(peer, items);
    for (const PacketReader::Item& item : items) {
        if (item.kind == PacketReader::Kind::kPacket) there = there && send(peer, "+" + frame(kRefusal));
    }
    if (!there) leave(peer);
}

bool GdbServer::send(Peer& peer, const std::string& text) {
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t sent = ::send(peer.socket, text.data() + done, text.size() - done, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent <= 0) return false;  // gone, or does not read what it asked for
        done += static_cast<std::size_t>(sent);
    }
    return true;
}

void GdbServer::send_answers() {
    std::vector<Answer> answers;
    {
        const std::lock_guard lock(mutex_);
        answers.swap(answers_);
    }
    for (const Answer& answer : answers) {
        if (peer_.socket < 0 || peer_.connection != answer.connection) continue;
        peer_.last_answer = frame(answer.payload);
        if (send(peer_, peer_.last_answer)) continue;
        pass(Kind::kGone);
        leave(peer_);
    }
}

void GdbServer::pass(Kind kind, std::string payload) {
    {
        const std::lock_guard lock(mutex_);
        if (messages_.size() >= kMaxMessages && (kind == Kind::kPacket || kind == Kind::kInterrupt)) return;
        const bool interrupts = kind == Kind::kInterrupt;
        messages_.push_back(
            {kind, std::move(payload), peer_.connection, interrupts ? std::make_unique<Interruption>(signal_) : nullptr});
        if (kind == Kind::kGone && is_serving_) gone_ = std::make_unique<Interruption>(signal_);
    }
    signal_.call_attention();
}

void GdbServer::serve() {
    std::size_t left = 0;
    {
        const std::lock_guard lock(mutex_);
        left = messages_.size();
        is_serving_ = true;
    }
    for (; left != 0; --left) serve_one(next_message());
    const std::lock_guard lock(mutex_);
    is_serving_ = false;
    gone_.reset();
}

GdbServer::Message GdbServer::next_message() {
    const std::lock_guard lock(mutex_);
    Message next = std::move(messages_.front());
    messages_.pop_front();
    const bool goes =
        std::any_of(messages_.begin(), messages_.end(), [](const Message& m) { return m.kind == Kind::kGone; });
    gone_ = goes ? std::make_unique<Interruption>(signal_) : nullptr;
    return next;
}

void GdbServer::serve_one(const Message& message) {
    switch (message.kind) {
        case Kind::kConnected:
            protocol_.emplace(target_);
            served_ = message.connection;
            holds_ = true;
            return;
        case Kind::kGone: return let_go();
        case Kind::kInterrupt:
            if (!protocol_ || !protocol_->running()) return;
            holds_ = true;
            return say(protocol_->interrupted());
        case Kind::kPacket: break;
    }
    if (!protocol_ || protocol_->running()) return;
    if (const auto answer = protocol_->answer(message.payload)) say(*answer);
    if (protocol_->detached()) return let_go();
    if (protocol_->running()) holds_ = false;
}

bool GdbServer::stopped(const cpu::StopPoints::Found& found, bool) {
    if (!protocol_ || !protocol_->running()) return false;
    holds_ = true;
    say(protocol_->stopped(found));
    return true;
}

void GdbServer::let_go() {
    if (!protocol_) return;
    target_.remove_all_points();
    if (protocol_->running()) {
        target_.interrupt();
    } else {
        target_.resume(false);
    }
    protocol_.reset();
    holds_ = false;
}

void GdbServer::say(const std::string& answer) {
    {
        const std::lock_guard lock(mutex_);
        answers_.push_back({answer, served_});
    }
    wake_.raise();
}

void GdbServer::finish(int exit_code) {
    if (protocol_ && protocol_->running()) say(fmt::format("W{:02x}", exit_code & 0xFF));
}

}  // namespace sla::gdb
