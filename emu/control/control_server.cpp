#include "emu/control/control_server.h"

#include "emu/control/control_path.h"
#include "proto/base/guest_socket.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace sla::control {

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

void ControlServer::work() {
    ControlClients clients(listener_, wake_.descriptor(),
                           {[this](ClientId client, const std::string& line) { pass(client, line); },
                            [this](ClientId client) { forget(client); }});
    for (bool open = true; open;) {
        if (!clients.step()) continue;
        wake_.clear();
        std::vector<Answer> answers;
        {
            const std::lock_guard lock(mutex_);
            answers.swap(answers_);
            open = !closing_;
        }
        for (const Answer& answer : answers) clients.answer(answer.client, answer.text, answer.is_last);
    }
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
        answers_.push_back({client, answer_text(done)});
    }
    wake_.raise();
}

void ControlServer::note(ClientId client, const std::string& text) {
    {
        const std::lock_guard lock(mutex_);
        answers_.push_back({client, note_text(text), false});
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
