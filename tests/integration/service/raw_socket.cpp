#include "tests/integration/service/raw_socket.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstring>

namespace sla::service_test {
namespace {

sockaddr_un named(const std::string& path) {
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    std::strncpy(name.sun_path, path.c_str(), sizeof name.sun_path - 1);
    return name;
}

}  // namespace

RawSocket RawSocket::client(const std::string& path) {
    const sockaddr_un name = named(path);
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const timeval limit{5, 0};
    ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    if (::connect(fd, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0) return RawSocket(fd);
    ::close(fd);
    return RawSocket(-1);
}

RawSocket RawSocket::notifications(const std::string& path) {
    const sockaddr_un name = named(path);
    const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (::bind(fd, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0) return RawSocket(fd);
    ::close(fd);
    return RawSocket(-1);
}

RawSocket::~RawSocket() {
    if (fd_ >= 0) ::close(fd_);
}

void RawSocket::send(const std::string& bytes) const {
    (void)!::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

std::string RawSocket::receive() const {
    std::array<char, 4096> bytes{};
    const ssize_t got = ::recv(fd_, bytes.data(), bytes.size(), MSG_DONTWAIT);
    return {bytes.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
}

std::string RawSocket::receive_all() const {
    std::string all;
    std::array<char, 4096> bytes{};
    for (ssize_t got; (got = ::recv(fd_, bytes.data(), bytes.size(), 0)) > 0;) {
        all.append(bytes.data(), static_cast<std::size_t>(got));
    }
    return all;
}

bool RawSocket::is_over() const {
    char byte = 0;
    return ::recv(fd_, &byte, 1, MSG_DONTWAIT | MSG_PEEK) == 0;
}

}  // namespace sla::service_test
