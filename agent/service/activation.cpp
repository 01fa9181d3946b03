#include "agent/service/activation.h"

#include "proto/base/text.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace sla::service {
namespace {

constexpr int kMaxPassed = 64;

std::optional<int> socket_option(int fd, int option) {
    int value = 0;
    socklen_t length = sizeof value;
    if (::getsockopt(fd, SOL_SOCKET, option, &value, &length) != 0) return std::nullopt;
    return value;
}

std::string unix_path(int fd) {
    sockaddr_un name{};
    socklen_t length = sizeof name;
    if (::getsockname(fd, reinterpret_cast<sockaddr*>(&name), &length) != 0 || length <= offsetof(sockaddr_un, sun_path)) {
        return "";
    }
    const char* begin = name.sun_path;
    return {begin, std::find(begin, begin + (length - offsetof(sockaddr_un, sun_path)), '\0')};
}

std::optional<PassedSocket> look_at(int fd) {
    if (socket_option(fd, SO_ACCEPTCONN) != 1) return std::nullopt;
    const auto domain = socket_option(fd, SO_DOMAIN);
    const auto type = socket_option(fd, SO_TYPE);
    if (!domain || !type) return std::nullopt;
    PassedSocket socket;
    socket.fd = fd;
    if (domain == AF_UNIX && type == SOCK_SEQPACKET) {
        socket.kind = PassedSocket::Kind::kPrograms;
    } else if (type != SOCK_STREAM) {
        return std::nullopt;
    } else if (domain == AF_UNIX) {
        socket.kind = PassedSocket::Kind::kLocalClients;
    } else if (domain == AF_INET || domain == AF_INET6) {
        socket.kind = PassedSocket::Kind::kTcpClients;
    } else {
        return std::nullopt;
    }
    if (domain == AF_UNIX) socket.path = unix_path(fd);
    return socket;
}

}  // namespace

std::optional<std::string> read_variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? std::optional<std::string>(value) : std::nullopt;
}

std::optional<std::string> take_variable(const char* name) {
    std::optional<std::string> taken = read_variable(name);
    ::unsetenv(name);
    return taken;
}

Result<int> count_passed(const Environment& environment, int self) {
    const auto pid = environment("LISTEN_PID");
    const auto count = environment("LISTEN_FDS");
    (void)environment("LISTEN_FDNAMES");  // taken out as well: kinds tell our sockets apart
    if (!pid || !count) return 0;
    const auto whose = whole_number<int>(*pid);
    if (!whose) return invalid_input("$LISTEN_PID is no number: '" + *pid + "'");
    if (*whose != self) return 0;
    const auto passed = whole_number<int>(*count);
    if (!passed || *passed < 0 || *passed > kMaxPassed) {
        return invalid_input("$LISTEN_FDS is no number of descriptors: '" + *count + "'");
    }
    return *passed;
}

Result<std::vector<PassedSocket>> look_at_passed(int first, int count) {
    std::vector<PassedSocket> sockets;
    for (int fd = first; fd < first + count; fd++) {
        const auto socket = look_at(fd);
        if (!socket || ::fcntl(fd, F_SETFD, FD_CLOEXEC) != 0) {
            return invalid_input(
                "descriptor " + std::to_string(fd) +
                " that the service manager passed is no listening socket of ours: the socket unit is to have "
                "ListenSequentialPacket= for programs and ListenStream= for clients");
        }
        sockets.push_back(*socket);
    }
    return sockets;
}

}  // namespace sla::service
