#include "emu/control/control_server.h"

#include "emu/control/control_path.h"
#include "proto/base/guest_socket.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace sla::control {

namespace {

constexpr std::size_t kMaxLine = 4096;
constexpr std::size_t kMaxClients = 64;  // more of them wait to get in

// proto/common/guest_client.h
const char* head_of(const Result<std::string>& done) {
    if (done) return "ok";
    if (done.error().code == ErrorCode::kInvalidInput) return "error";
    return done.error().code == ErrorCode::kNotFound ? "no" : "failed";
}

std::string with_head(const Result<std::string>& done) {
    const std::string& text = done ? *done : done.error().message;
    return fmt::format("{} {}\n{}", head_of(done), text.size(), text);
}

}  // namespace

Result<std::unique_ptr<ControlServer>> ControlServer::open(const std::string& path, machine::StopSignal& signal,
                                                           Console& console) {
    const auto address = socket_address(path);
    if (!address) return address.error();
    const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0) return system_error("cannot make the control socket", errno);
    if (listens(path)) {
        ::close(listener);
        return unavailable("another program listens at " + path);
    }
    ::unlink(path.c_str());
    const auto* raw = reinterpret_cast<const sockaddr*>(&*address);
    // Nobody gets in before it listens, and by then it is the owner's only.
    const bool bound = ::bind(listener, raw, sizeof *address) == 0 && ::chmod(path.c_str(), S_IRUSR | S_IWUSR) == 0 &&
                       ::listen(listener, 16) == 0;
    if (!bound) {
        const int failed = errno;
        ::close(listener);
        return system_error("cannot listen at " + path, failed);
    }
    return std::unique_ptr<ControlServer>(new ControlServer(path, listener, signal, console));
}

ControlServer::ControlServer(std::string path, int listener, machine::StopSignal& signal, Console& console)
    : path_(std::move(path)), listener_(listener), signal_(signal), console_(console), thread_([this] { work(); }) {}

ControlServer::~ControlServer() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
    }
    wake_.raise();
    thread_.join();
    ::close(listener_);
    ::unlink(path_.c_str());
}

// A client that has a command running, or does not take its answer, is not listened to meanwhile.
void ControlServer::work() {
    for (bool open = true; open;) {
        std::vector<pollfd> sources{{wake_.descriptor(), POLLIN, 0},
                                    {clients_.size() < kMaxClients ? listener_ : -1, POLLIN, 0}};
        for (const Client& client : clients_) {
            const bool wants_input = !client.is_asking && !client.has_ended && client.to_send.empty();
            const int wanted = (wants_input ? POLLIN : 0) | (client.to_send.empty() ? 0 : POLLOUT);
            sources.push_back({client.socket, static_cast<short>(wanted), 0});
        }
        if (::poll(sources.data(), sources.size(), -1) < 0) continue;
        for (std::size_t i = 0; i < clients_.size(); ++i) {
            const short happened = sources[2 + i].revents;
            if ((happened & POLLIN) != 0) receive(clients_[i]);
            if ((happened & POLLOUT) != 0) take_lines(clients_[i]);
            if ((happened & (POLLHUP | POLLERR)) != 0 && (happened & POLLIN) == 0) clients_[i].is_gone = true;
        }
        if (sources[0].revents != 0) {
            wake_.clear();
            deliver_answers();
            const std::lock_guard lock(mutex_);
            open = !closing_;
        }
        drop_those_gone();
        if (sources[1].revents != 0) accept_one();
    }
    for (const Client& client : clients_) ::close(client.socket);
}

void ControlServer::accept_one() {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket < 0) return;
    Client& client = clients_.emplace_back();
    client.id = ++last_id_;
    client.socket = socket;
}

void ControlServer::receive(Client& client) {
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
void ControlServer::take_lines(Client& client) {
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
            client.to_send += with_head(invalid_input(fmt::format("a command has at most {} bytes", kMaxLine)));
            send(client);
        } else {
            client.is_asking = true;
            pass(client.id, line);
        }
    }
}

void ControlServer::send(Client& client) {
    while (!client.to_send.empty()) {
        const ssize_t sent = ::send(client.socket, client.to_send.data(), client.to_send.size(), MSG_NOSIGNAL);
        if (sent <= 0) {
            client.is_gone = client.is_gone || (errno != EAGAIN && errno != EINTR);
            return;
        }
        client.to_send.erase(0, static_cast<std::size_t>(sent));
    }
}

void ControlServer::deliver_answers() {
    std::vector<Answer> answers;
    {
        const std::lock_guard lock(mutex_);
        answers.swap(answers_);
    }
    for (const Answer& answer : answers) {
        const auto to =
            std::find_if(clients_.begin(), clients_.end(), [&](const Client& c) { return c.id == answer.client; });
        if (to == clients_.end()) continue;
        to->to_send += answer.text;
        to->is_asking = !answer.is_last;
        take_lines(*to);
    }
}

// One that only ended its own side still gets its answers.
void ControlServer::drop_those_gone() {
    std::erase_if(clients_, [this](const Client& client) {
        const bool is_served = client.has_ended && !client.is_asking && client.to_send.empty();
        if (!client.is_gone && !is_served) return false;
        forget(client.id);
        ::close(client.socket);
        return true;
    });
}

void ControlServer::pass(ClientId client, const std::string& line) {
    {
        const std::lock_guard lock(mutex_);
        lines_.push_back({client, line, Console::interrupts(line) ? std::make_unique<Interruption>(signal_) : nullptr});
    }
    signal_.call_attention();
}

void ControlServer::forget(ClientId client) {
    {
        const std::lock_guard lock(mutex_);
        std::erase_if(lines_, [&](const Line& line) { return line.client == client; });
        if (running_ == client) {
            running_.reset();
            gone_ = std::make_unique<Interruption>(signal_);
        }
        if (!waiter_ || waiter_->client != client) return;
        waiter_->is_gone = true;
    }
    signal_.call_attention();
}

std::optional<ControlServer::Line> ControlServer::next_line() {
    const std::lock_guard lock(mutex_);
    if (lines_.empty()) return std::nullopt;
    Line line = std::move(lines_.front());
    lines_.pop_front();
    running_ = line.client;
    return line;
}

void ControlServer::serve() {
    look_at_waiter();
    while (const auto line = next_line()) {
        const bool waited = console_.waits();
        const auto done = console_.run(line->text);
        const bool waits = done && console_.waits() && !waited;
        end_line(line->client, waits);
        if (!waits) {
            answer(line->client, done);
        } else if (!done->empty()) {
            note(line->client, *done);
        }
        look_at_waiter();
    }
}

void ControlServer::end_line(ClientId client, bool waits) {
    const std::lock_guard lock(mutex_);
    if (waits) waiter_ = Waiter{client, running_ != client};
    running_.reset();
    gone_.reset();
}

void ControlServer::look_at_waiter() {
    std::optional<ClientId> stopped;
    {
        const std::lock_guard lock(mutex_);
        if (!waiter_) return;
        if (waiter_->is_gone) console_.give_up();
        if (console_.waits()) return;
        if (!waiter_->is_gone) stopped = waiter_->client;
        waiter_.reset();
    }
    if (stopped) answer(*stopped, console_.outcome());
}

void ControlServer::answer(ClientId client, const Result<std::string>& done) {
    {
        const std::lock_guard lock(mutex_);
        answers_.push_back({client, with_head(done)});
    }
    wake_.raise();
}

void ControlServer::note(ClientId client, const std::string& text) {
    {
        const std::lock_guard lock(mutex_);
        answers_.push_back({client, fmt::format("note {}\n{}", text.size(), text), false});
    }
    wake_.raise();
}

void ControlServer::run_ends() {
    std::optional<Waiter> waiting;
    {
        const std::lock_guard lock(mutex_);
        waiting.swap(waiter_);
    }
    if (waiting && !waiting->is_gone) answer(waiting->client, console_.run_ended());
}

void ControlServer::tell_waiter(const std::string& line) {
    std::optional<ClientId> waiting;
    {
        const std::lock_guard lock(mutex_);
        if (waiter_ && !waiter_->is_gone) waiting = waiter_->client;
    }
    if (waiting) note(*waiting, line + "\n");
}

}  // namespace sla::control
