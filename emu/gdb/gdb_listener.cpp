#include "emu/gdb/gdb_listener.h"

#include "emu/control/control_path.h"
#include "proto/base/guest_socket.h"
#include "proto/wire/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <fmt/format.h>

#include <cerrno>
#include <utility>

namespace sla::gdb {

namespace {

Error cannot_listen(int socket, const std::string& where) {
    const int failed = errno;
    ::close(socket);
    return system_error("the debugger's socket cannot listen at " + where, failed);
}

// A socket that a run left behind is replaced; one that somebody listens at, or another file, is not.
Result<void> make_way(const std::string& path) {
    struct stat info {};
    if (::lstat(path.c_str(), &info) != 0) return {};
    if (!S_ISSOCK(info.st_mode)) return invalid_input(path + " exists and is no socket; name another path for --gdb");
    if (control::listens(path)) return invalid_input("another program listens at " + path + "; name another path for --gdb");
    ::unlink(path.c_str());
    return {};
}

}  // namespace

Result<GdbListener> GdbListener::open(const std::string& address) {
    const auto parsed = wire::parse_address(address);
    if (parsed && parsed->family == wire::Address::Family::kUnix) return open_unix(parsed->path);
    if (parsed && parsed->family == wire::Address::Family::kTcp && parsed->is_loopback())
        return open_tcp(parsed->host, parsed->port);
    return invalid_input("--gdb " + address +
                         (parsed ? ": a debugger can do anything, so only unix:PATH and tcp:127.0.0.1:PORT are taken"
                                 : ": this is no address; write unix:PATH or tcp:127.0.0.1:PORT"));
}

Result<GdbListener> GdbListener::open_unix(const std::string& path) {
    const auto address = socket_address(path);
    if (!address) return address.error();
    if (auto way = make_way(path); !way) return way.error();
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket < 0) return system_error("cannot make the debugger's socket", errno);
    // Nobody gets in before it listens, and by then it is the owner's only.
    const bool listens = ::bind(socket, reinterpret_cast<const sockaddr*>(&*address), sizeof *address) == 0 &&
                         ::chmod(path.c_str(), S_IRUSR | S_IWUSR) == 0 && ::listen(socket, 4) == 0;
    if (!listens) return cannot_listen(socket, path);
    return GdbListener(socket, path, path);
}

Result<GdbListener> GdbListener::open_tcp(const std::string& host, std::uint16_t port) {
    const bool six = host.find(':') != std::string::npos;
    const int socket = ::socket(six ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket < 0) return system_error("cannot make the debugger's socket", errno);
    const int on = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in four{};
    four.sin_family = AF_INET;
    four.sin_port = htons(port);
    four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    sockaddr_in6 address6{};
    address6.sin6_family = AF_INET6;
    address6.sin6_port = htons(port);
    address6.sin6_addr = in6addr_loopback;
    const auto* raw = six ? reinterpret_cast<const sockaddr*>(&address6) : reinterpret_cast<const sockaddr*>(&four);
    const socklen_t size = six ? sizeof address6 : sizeof four;
    if (::bind(socket, raw, size) != 0 || ::listen(socket, 4) != 0)
        return cannot_listen(socket, fmt::format("port {}", port));
    sockaddr_storage made{};
    socklen_t made_size = sizeof made;
    if (::getsockname(socket, reinterpret_cast<sockaddr*>(&made), &made_size) != 0)
        return cannot_listen(socket, fmt::format("port {}", port));
    const std::uint16_t bound = ntohs(six ? reinterpret_cast<const sockaddr_in6&>(made).sin6_port
                                          : reinterpret_cast<const sockaddr_in&>(made).sin_port);
    return GdbListener(socket, fmt::format("{}:{}", six ? "[::1]" : "127.0.0.1", bound), "");
}

GdbListener::GdbListener(GdbListener&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), text_(std::move(other.text_)), path_(std::exchange(other.path_, "")) {}

GdbListener::~GdbListener() {
    if (socket_ >= 0) ::close(socket_);
    if (!path_.empty()) ::unlink(path_.c_str());
}

}  // namespace sla::gdb
