#include "agent/service/notifier.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

namespace sla::service {
namespace {

// A line of its own: what stands in it must not begin another assignment.
std::string status_line(std::string status) {
    std::replace(status.begin(), status.end(), '\n', ' ');
    return "STATUS=" + status;
}

}  // namespace

Notifier::Notifier(const Environment& environment) : address_(environment("NOTIFY_SOCKET").value_or("")) {}

Result<void> Notifier::ready(const std::string& status) {
    return send("READY=1\n" + status_line(status));
}

Result<void> Notifier::reloading(std::uint64_t monotonic_us) {
    return send("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(monotonic_us));
}

Result<void> Notifier::stopping(const std::string& status) {
    return send("STOPPING=1\n" + status_line(status));
}

Result<void> Notifier::send(const std::string& message) const {
    if (address_.empty()) return {};
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    if (address_.size() >= sizeof name.sun_path || (address_[0] != '/' && address_[0] != '@')) {
        return invalid_input("$NOTIFY_SOCKET is no address of a Unix socket: '" + address_ + "'");
    }
    std::memcpy(name.sun_path, address_.data(), address_.size());
    if (address_[0] == '@') name.sun_path[0] = '\0';
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address_.size());
    const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return system_error("cannot make a socket to tell the service manager", errno);
    const auto* to = reinterpret_cast<const sockaddr*>(&name);
    const bool sent = ::sendto(fd, message.data(), message.size(), MSG_NOSIGNAL | MSG_DONTWAIT, to, length) >= 0;
    const int failed = errno;
    ::close(fd);
    if (!sent) return system_error("cannot tell the service manager at " + address_, failed);
    return {};
}

}  // namespace sla::service
