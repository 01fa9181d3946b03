#include <utility>  // before Asio, which forgets it

#include "agent/stream/doorkeeper.h"

#include "agent/stream/knock.h"

#include <spdlog/spdlog.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>

namespace sla::stream {
namespace {

using Clock = std::chrono::steady_clock;
using boost::system::error_code;

// A network of IPv6 is one neighbour: it has more addresses than anybody can count.
std::string address_of(int fd) {
    constexpr std::size_t kNetwork = 8;
    sockaddr_storage name{};
    socklen_t length = sizeof name;
    if (::getpeername(fd, reinterpret_cast<sockaddr*>(&name), &length) != 0) return "nowhere";
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (name.ss_family == AF_INET) {
        ::inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in&>(name).sin_addr, text.data(), text.size());
        return text.data();
    }
    if (name.ss_family != AF_INET6) return "here";
    in6_addr v6 = reinterpret_cast<const sockaddr_in6&>(name).sin6_addr;
    if (IN6_IS_ADDR_V4MAPPED(&v6)) {
        ::inet_ntop(AF_INET, &v6.s6_addr[12], text.data(), text.size());
        return text.data();
    }
    std::fill(v6.s6_addr + kNetwork, v6.s6_addr + sizeof v6.s6_addr, 0);
    ::inet_ntop(AF_INET6, &v6, text.data(), text.size());
    return std::string(text.data()) + "/64";
}

}  // namespace

Doorkeeper::Doorkeeper(boost::asio::io_context& io, std::function<void(Guest)> admit, Limits limits)
    : io_(io), admit_(std::move(admit)), limits_(limits) {}

Doorkeeper::~Doorkeeper() {
    close();
}

Result<void> Doorkeeper::read(const TlsFiles& files) {
    Result<tls::Context> context = tls::Context::for_agent({files.certificate, files.key});
    if (!context) {
        const bool is_missing = context.error().code == ErrorCode::kNotFound;
        return unavailable("no address of tls can be served: " + context.error().message +
                           (is_missing ? ". Make a certificate: sla-agent --make-certificate" : ""));
    }
    if (Result<void> read = read_list(files.access); !read) return read;
    context_ = std::move(*context);
    return {};
}

Result<void> Doorkeeper::read_list(const std::string& path) {
    Result<AccessList> access = AccessList::read(path);
    if (!access) return access.error();
    access_ = std::move(*access);
    return {};
}

void Doorkeeper::take(int fd) {
    make_place(false);
    sockaddr_storage name{};
    socklen_t length = sizeof name;
    ::getsockname(fd, reinterpret_cast<sockaddr*>(&name), &length);
    const int on = 1;
    if (name.ss_family != AF_UNIX) {
        ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        ::setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);  // the other machine may be gone without a word
    }
    error_code error;
    tls::Socket socket(io_);
    socket.assign({name.ss_family, 0}, fd, error);
    if (error) {
        ::close(fd);
        return say("a client over TLS cannot be taken in: " + error.message());
    }
    knocks_.push_back(std::make_shared<Knock>(*this, std::move(socket), address_of(fd)));
    knocks_.back()->start();
}

void Doorkeeper::make_place(bool talking) {
    std::map<std::string, std::size_t> held;
    std::size_t all = 0;
    for (const auto& knock : knocks_) {
        if (knock->is_talking() != talking) continue;
        held[knock->address()]++;
        all++;
    }
    if (all < (talking ? limits_.talking : limits_.silent)) return;
    const auto most = std::max_element(held.begin(), held.end(),
                                       [](const auto& one, const auto& other) { return one.second < other.second; });
    const auto oldest = std::find_if(knocks_.begin(), knocks_.end(), [&](const auto& knock) {
        return knock->is_talking() == talking && knock->address() == most->first;
    });
    const std::shared_ptr<Knock> gone = *oldest;
    no_login(*gone, std::to_string(all) + " wait to log in");
    gone->close();
    forget(gone.get());
}

void Doorkeeper::forget(const Knock* knock) {
    knocks_.remove_if([knock](const std::shared_ptr<Knock>& held) { return held.get() == knock; });
}

void Doorkeeper::admit(Knock& knock, AccessEntry entry, std::string received) {
    admitted_.fetch_add(1, std::memory_order_relaxed);  // pairs with nothing: a figure
    admit_({std::move(knock.transport()), std::move(entry), knock.address(), std::move(received)});
}

std::chrono::milliseconds Doorkeeper::fail(const Knock& knock, const std::string& why) {
    failed_.fetch_add(1, std::memory_order_relaxed);  // pairs with nothing: a figure
    say("a login from " + knock.address() + " failed: " + why);
    return failed_logins_.add(knock.address(), Clock::now());
}

void Doorkeeper::no_login(const Knock& knock, const std::string& why) {
    no_login_.fetch_add(1, std::memory_order_relaxed);  // pairs with nothing: a figure
    say("a connection from " + knock.address() + " was closed before it logged in: " + why);
}

void Doorkeeper::say(const std::string& text) {
    if (const auto line = lines_.admit(text, Clock::now())) spdlog::warn("{}", *line);
}

void Doorkeeper::close() {
    for (const auto& knock : knocks_) knock->close();
    knocks_.clear();
}

LoginCounts Doorkeeper::counts() const {
    return {admitted_.load(std::memory_order_relaxed), failed_.load(std::memory_order_relaxed),
            no_login_.load(std::memory_order_relaxed)};
}

}  // namespace sla::stream
