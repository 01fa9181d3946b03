#include "emu/control/control_client.h"

#include "emu/control/control_path.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <utility>

namespace sla::control {

namespace {

Error run_ended() {
    return unavailable("the emulated PC's run has ended");
}

}  // namespace

Result<ControlClient> ControlClient::connect(const std::string& path) {
    const auto address = socket_address(path);
    if (!address) return address.error();
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket < 0) return system_error("cannot make a socket", errno);
    ControlClient client(socket);
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0) {
        return system_error("no emulated PC listens at " + path, errno);
    }
    return client;
}

ControlClient::ControlClient(ControlClient&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}

ControlClient::~ControlClient() {
    if (socket_ >= 0) ::close(socket_);
}

Result<std::string> ControlClient::receive(std::size_t bytes) {
    std::string text(bytes, '\0');
    for (std::size_t done = 0; done < bytes;) {
        const ssize_t got = ::recv(socket_, text.data() + done, bytes - done, 0);
        if (got <= 0) return run_ended();
        done += static_cast<std::size_t>(got);
    }
    return text;
}

Result<std::string> ControlClient::receive_line() {
    std::string line;
    for (;;) {
        const auto byte = receive(1);
        if (!byte) return byte.error();
        if (*byte == "\n") return line;
        line += *byte;
    }
}

Result<std::string> ControlClient::ask(const std::string& line) {
    const std::string request = line + "\n";
    if (::send(socket_, request.data(), request.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request.size()))
        return run_ended();
    const auto head = receive_line();
    if (!head) return head.error();
    const std::size_t space = head->find(' ');
    std::size_t bytes = 0;
    const char* const end = head->data() + head->size();
    const bool read = space != std::string::npos && std::from_chars(head->data() + space + 1, end, bytes).ptr == end;
    if (!read) return unavailable("what listens there is no emulated PC: it answered \"" + *head + "\"");
    const auto text = receive(bytes);
    if (!text) return text.error();
    if (head->starts_with("ok")) return text;
    return invalid_input(*text);
}

}  // namespace sla::control
