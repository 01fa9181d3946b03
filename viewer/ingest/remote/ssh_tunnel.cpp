#include <utility>  // before Asio, which forgets it

#include "viewer/ingest/remote/ssh_tunnel.h"

#include "proto/wire/utf8.h"
#include "viewer/ingest/remote/patience.h"
#include "viewer/process/programs.h"

#include <boost/asio/buffer.hpp>

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>

namespace sla::ingest {

namespace {

constexpr int kSshFailed = 255;  // by ssh(1): what it ends with when it is ssh itself that failed
constexpr int kNoProgram = 127;
constexpr auto kTimeToEnd = std::chrono::milliseconds(1000);

// The other side's words may not steer our terminal.
std::string on_one_line(std::string_view said) {
    std::string out;
    for (const char c : wire::to_utf8(said)) {
        const bool is_plain = static_cast<unsigned char>(c) >= 0x20 && c != 0x7f;
        if (is_plain) {
            out += c;
        } else if (!out.empty() && out.back() != ' ') {
            out += ' ';
        }
    }
    while (!out.empty() && out.back() == ' ') out.pop_back();
    return out;
}

struct Descriptors {
    int ends[2] = {-1, -1};
    ~Descriptors() {
        for (const int end : ends) {
            if (end >= 0) close(end);
        }
    }
    int take(int which) { return std::exchange(ends[which], -1); }
};

}  // namespace

std::vector<std::string> ssh_command(const wire::Address& address) {
    std::string there = "sla relay";
    if (!address.path.empty()) there += " " + process::shell_quoted(address.path);
    return {"ssh", "-T", "--", address.host, there};
}

std::string ssh_failure(const wire::Address& address, const std::optional<process::Ending>& ending, std::string_view said,
                        bool was_heard) {
    const std::string words = on_one_line(said);
    const std::string detail = words.empty() ? "" : ": " + words;
    if (!ending) return "the connection to " + address.text() + " was cut off" + detail;
    if (ending->signal != 0) return "the ssh to " + address.host + " " + ending->text() + detail;
    if (ending->code == kSshFailed && was_heard) return "ssh lost the connection to " + address.host + detail;
    if (ending->code == kSshFailed)
        return "ssh cannot connect to " + address.host + (detail.empty() ? "; try `ssh " + address.host + "`" : detail);
    if (ending->code == kNoProgram) {
        return "there is no `sla` on " + address.host + " in the PATH that ssh gives commands there: install it" + detail;
    }
    return "the connection to " + address.text() + " ended" + detail;
}

std::string ssh_is_silent(const wire::Address& address) {
    return "ssh has brought no word from " + address.host +
           " yet: that machine does not answer, or ssh waits for a password; `ssh " + address.host + " true` tells more";
}

std::string ssh_was_silent(const wire::Address& address) {
    return "ssh brought no word of an agent on " + address.host + " in " +
           std::to_string(std::chrono::duration_cast<std::chrono::seconds>(kSshTimeout).count()) + " s: see what `ssh " +
           address.host + " true` does; ConnectTimeout in ~/.ssh/config ends such waiting earlier";
}

Result<std::unique_ptr<SshTunnel>> SshTunnel::start(boost::asio::io_context& context, const wire::Address& address) {
    Descriptors stream;
    Descriptors errors;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, stream.ends) != 0 || pipe2(errors.ends, O_CLOEXEC) != 0) {
        return system_error("cannot start ssh", errno);
    }
    process::ChildOptions options;
    options.argv = ssh_command(address);
    options.stream = stream.ends[1];
    options.errors = errors.ends[1];
    options.serves_us = true;
    auto child = process::Child::start(options);
    if (!child.ok()) return child.error();
    return std::unique_ptr<SshTunnel>(
        new SshTunnel(context, address, std::move(child).value(), stream.take(0), errors.take(0)));
}

SshTunnel::SshTunnel(boost::asio::io_context& context, wire::Address address, process::Child child, int stream, int errors)
    : address_(std::move(address)),
      child_(std::move(child)),
      stream_(stream),
      listener_(std::make_shared<Listener>(context, errors)) {
    Listener::listen(listener_);
}

SshTunnel::~SshTunnel() {
    if (stream_ >= 0) close(stream_);
    boost::system::error_code ignored;
    listener_->errors.close(ignored);
    child_.signal(SIGTERM);
    child_.wait(kTimeToEnd);  // else it is killed
}

void SshTunnel::Listener::keep(std::string_view more) {
    said.append(more);
    if (said.size() > kTailBytes) said.erase(0, said.size() - kTailBytes);
}

void SshTunnel::Listener::listen(const std::shared_ptr<Listener>& self) {
    self->errors.async_read_some(boost::asio::buffer(self->received),
                                 [self](boost::system::error_code error, std::size_t count) {
                                     if (error) return;
                                     self->keep({self->received.data(), count});
                                     if (self->errors.is_open()) listen(self);
                                 });
}

std::optional<process::Ending> SshTunnel::wait_and_listen() {
    boost::system::error_code error;
    listener_->errors.cancel(error);
    const auto ending = child_.wait(kTimeToEnd);
    listener_->errors.non_blocking(true, error);
    char last[kTailBytes];
    while (!error) {
        const std::size_t count = listener_->errors.read_some(boost::asio::buffer(last), error);
        listener_->keep({last, count});
    }
    return ending;
}

std::string SshTunnel::last_words(bool was_heard) {
    const auto ending = wait_and_listen();
    return ssh_failure(address_, ending, listener_->said, was_heard);
}

Result<void> SshTunnel::end(bool was_heard) {
    const auto ending = wait_and_listen();
    if (ending && ending->code == 0 && ending->signal == 0) return {};
    return unavailable(ssh_failure(address_, ending, listener_->said, was_heard));
}

}  // namespace sla::ingest
