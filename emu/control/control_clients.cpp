#include "emu/control/control_clients.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace sla::control {

namespace {

constexpr std::size_t kMaxLine = 4096;
constexpr std::size_t kMaxClients = 64;  // more of them wait to get in

const char* head_of(const Result<std::string>& done) {
    if (done) return "ok";
    if (done.error().code == ErrorCode::kInvalidInput) return "error";
    return done.error().code == ErrorCode::kNotFound ? "no" : "failed";
}

}  // namespace

std::string answer_text(const Result<std::string>& done) {
    const std::string& text = done ? *done : done.error().message;
    return fmt::format("{} {}\n{}", head_of(done), text.size(), text);
}

std::string note_text(const std::string& text) {
    return fmt::format("note {}\n{}", text.size(), text);
}

ControlClients::~ControlClients() {
    for (const Client& client : clients_) ::close(client.socket);
}

bool ControlClients::step() {
    drop_those_gone();
    const auto [entrance, timeout] = door_.look(clients_.size() < kMaxClients);
    std::vector<pollfd> sources{{wake_, POLLIN, 0}, entrance};
    for (const Client& client : clients_) {
        const bool wants_input = !client.is_asking && !client.has_ended && client.to_send.empty();
        const int wanted = (wants_input ? POLLIN : 0) | (client.to_send.empty() ? 0 : POLLOUT);
        sources.push_back({client.socket, static_cast<short>(wanted), 0});
    }
    if (::poll(sources.data(), sources.size(), timeout) < 0) return false;
    for (std::size_t i = 0; i < clients_.size(); ++i) {
        const short happened = sources[2 + i].revents;
        if ((happened & POLLIN) != 0) receive(clients_[i]);
        if ((happened & POLLOUT) != 0) take_lines(clients_[i]);
        if ((happened & (POLLHUP | POLLERR)) != 0 && (happened & POLLIN) == 0) clients_[i].is_gone = true;
    }
    if (sources[1].revents != 0) accept_one();
    return sources[0].revents != 0;
}

void ControlClients::answer(ClientId to, const std::string& text, bool is_last) {
    const auto at = std::find_if(clients_.begin(), clients_.end(), [to](const Client& client) { return client.id == to; });
    if (at == clients_.end()) return;
    at->to_send += text;
    at->is_asking = !is_last;
    take_lines(*at);
}

void ControlClients::accept_one() {
    const int socket = door_.accept();
    if (socket < 0) return;
    Client& client = clients_.emplace_back();
    client.id = ++last_id_;
    client.socket = socket;
}

void ControlClients::receive(Client& client) {
    std::array<char, 1024> chunk{};
    const ssize_t got = ::recv(client.socket, chunk.data(), chunk.size(), 0);
    if (got < 0) {
        client.is_gone = errno != EAGAIN && errno != EINTR;
        return;
    }
    client.has_ended = got == 0;
    client.received.append(chunk.data(), static_cast<std::size_t>(got));
    take_lines(client);
}

// Up to the first that is to be run, once it has all answers.
void ControlClients::take_lines(Client& client) {
    send(client);
    while (!client.is_asking && client.to_send.empty()) {
        const std::size_t end = client.received.find('\n');
        const bool is_whole = end != std::string::npos;
        if (!is_whole && !client.skips && client.received.size() <= kMaxLine) break;
        const std::string line = client.received.substr(0, end);
        client.received.erase(0, is_whole ? end + 1 : end);
        const bool skipped = std::exchange(client.skips, !is_whole);
        if (skipped && !is_whole) break;
        if (skipped) continue;
        if (line.size() > kMaxLine) {
            client.to_send += answer_text(invalid_input(fmt::format("a command has at most {} bytes", kMaxLine)));
            send(client);
        } else {
            client.is_asking = true;
            calls_.line(client.id, line);
        }
    }
}

void ControlClients::send(Client& client) {
    while (!client.to_send.empty()) {
        const ssize_t sent = ::send(client.socket, client.to_send.data(), client.to_send.size(), MSG_NOSIGNAL);
        if (sent <= 0) {
            client.is_gone = client.is_gone || (errno != EAGAIN && errno != EINTR);
            return;
        }
        client.to_send.erase(0, static_cast<std::size_t>(sent));
    }
}

// One that only ended its own side still gets its answers.
void ControlClients::drop_those_gone() {
    std::erase_if(clients_, [this](const Client& client) {
        const bool is_served = client.has_ended && !client.is_asking && client.to_send.empty();
        if (!client.is_gone && !is_served) return false;
        calls_.gone(client.id);
        ::close(client.socket);
        return true;
    });
}

}  // namespace sla::control
