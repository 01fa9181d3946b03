#include "agent/stream/server.h"

#include "agent/source/listening_socket.h"
#include "agent/stream/end_frame.h"
#include "agent/stream/line_limit.h"
#include "proto/time/tick_clock.h"

#include <spdlog/spdlog.h>
#include <boost/asio/post.hpp>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace sla::stream {

namespace {

std::size_t places_for(Role role) {
    return role == Role::kOwner ? kMaxSessions : kMaxSessions - kPlacesOfOwner;
}

std::string too_many(Role role) {
    return std::to_string(places_for(role)) + " clients are connected already";
}

// As far as its socket takes it at once.
void refuse(int fd, const std::string& why) {
    const std::string frame = end_frame(time::read_stamp(), "disconnected: " + why);
    (void)::send(fd, frame.data(), frame.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

// Of clients that come and go, and of those that are disconnected.
struct ClientLines {
    LineLimit news{20};
    LineLimit warnings{20};
};

// Sessions may outlive the server.
auto limited_log() {
    return [lines = std::make_shared<ClientLines>()](const std::string& line, bool is_warning) {
        LineLimit& limit = is_warning ? lines->warnings : lines->news;
        const auto admitted = limit.admit(line, std::chrono::steady_clock::now());
        if (admitted) spdlog::log(is_warning ? spdlog::level::warn : spdlog::level::info, "{}", *admitted);
    };
}

}  // namespace

Server::Server(boost::asio::io_context& io, retain::Retention& retention, SessionHooks hooks)
    : io_(io),
      retention_(retention),
      hooks_(std::move(hooks)),
      door_(io, [this](Guest guest) { admit(std::move(guest)); }, {}) {
    hooks_.log = limited_log();
}

Server::~Server() {
    stop_listening();
}

Result<wire::Address> Server::listen(const wire::Address& address) {
    if (address.family == wire::Address::Family::kSsh) {
        return invalid_input("nobody can listen on " + address.text() + ": it is how clients reach an agent's Unix socket");
    }
    if (address.family == wire::Address::Family::kTls && !has_access_list_) {
        return invalid_input("nobody knows yet who may come to " + address.text());
    }
    if (!address.fingerprint.empty()) {
        return invalid_input("to listen on, write tls:" + address.host_and_port() + ": the fingerprint is for clients");
    }
    const bool is_tls = address.family == wire::Address::Family::kTls;
    const bool is_unix = address.family == wire::Address::Family::kUnix;
    Result<source::ListeningSocket> made = source::listen_on(io_, address, is_tls || may_be_exposed_);
    if (!made) return made.error();
    if (is_unix) unix_paths_.push_back(address.path);
    if (made->is_exposed && !is_tls) {
        spdlog::warn(
            "{} can be reached from other machines, unencrypted: whoever connects can read everything that is recorded",
            made->bound.text());
    }
    Result<void> adopted = is_tls ? accept_from(made->fd, [this](int fd) { door_.take(fd); }) : adopt(made->fd, is_unix);
    return adopted ? Result<wire::Address>(made->bound) : adopted.error();
}

Role role_of(const sockaddr_storage& listening, bool is_private) {
    if (listening.ss_family == AF_UNIX) return is_private ? Role::kOwner : Role::kLocal;
    if (listening.ss_family == AF_INET) {
        const auto& v4 = reinterpret_cast<const sockaddr_in&>(listening);
        return ntohl(v4.sin_addr.s_addr) >> 24 == 127 ? Role::kLocal : Role::kLooker;
    }
    if (listening.ss_family != AF_INET6) return Role::kLooker;
    const in6_addr& v6 = reinterpret_cast<const sockaddr_in6&>(listening).sin6_addr;
    const bool is_mapped = IN6_IS_ADDR_V4MAPPED(&v6) && v6.s6_addr[12] == 127;
    return IN6_IS_ADDR_LOOPBACK(&v6) || is_mapped ? Role::kLocal : Role::kLooker;
}

Result<void> Server::adopt(int listening, bool is_private) {
    sockaddr_storage name{};
    socklen_t length = sizeof name;
    const int failed = ::getsockname(listening, reinterpret_cast<sockaddr*>(&name), &length);
    const Role role = failed == 0 ? role_of(name, is_private) : Role::kLooker;
    return accept_from(listening, [this, role](int fd) { add(fd, role); });
}

Result<void> Server::accept_from(int listening, std::function<void(int)> take) {
    acceptors_.emplace_back(
        io_, source::Acceptor::Hooks{"clients", std::move(take),
                                     [](int fd) { refuse(fd, "the agent has no descriptor left; try again"); },
                                     [](const std::string& what) { spdlog::warn("{}", what); }});
    return acceptors_.back().start(listening);
}

void Server::add(int fd, Role role) {
    forget_closed();
    tls::Socket socket(io_);
    std::string problem;
    if (sessions_.size() >= places_for(role)) {
        problem = too_many(role);
    } else {
        boost::system::error_code error;
        sockaddr_storage name{};
        socklen_t length = sizeof name;
        ::getsockname(fd, reinterpret_cast<sockaddr*>(&name), &length);
        const int on = 1;
        if (name.ss_family != AF_UNIX) ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        socket.assign({name.ss_family, 0}, fd, error);
        if (error) problem = "the agent cannot serve one more: " + error.message();
    }
    if (!problem.empty()) {
        refuse(fd, problem);
        ::close(fd);
        return turn_away(problem);
    }
    turning_away_ = false;
    serve(std::move(socket), role)->start();
}

// Over TLS, and who it is is known.
void Server::admit(Guest guest) {
    forget_closed();
    const Role role = guest.entry.role;
    const bool is_full = sessions_.size() >= places_for(role);
    const std::string peer = guest.entry.name + " (" + std::string(role_word(guest.entry.role)) + ", " + guest.address + ")";
    std::shared_ptr<Session> session = serve(std::move(guest.transport), role);
    if (is_full) {
        turn_away(too_many(role));
        return session->end_with(too_many(role));
    }
    turning_away_ = false;
    guests_.emplace_back(session, std::move(guest.entry));
    session->start(guest.received, peer);
}

std::shared_ptr<Session> Server::serve(tls::Transport transport, Role role) {
    auto session = std::make_shared<Session>(std::move(transport), retention_, hooks_, role);
    sessions_.push_back(session);
    anybody_.store(true, std::memory_order_relaxed);  // pairs with nothing: a new session looks by itself when it subscribes
    return session;
}

void Server::turn_away(const std::string& problem) {
    if (!std::exchange(turning_away_, true)) hooks_.log("a client was turned away: " + problem, true);
}

Result<void> Server::read_access(const TlsFiles& files) {
    if (Result<void> read = door_.read(files); !read) return read;
    has_access_list_ = true;
    end_revoked();
    if (door_.access().entries().empty()) {
        spdlog::warn("nobody may come over TLS yet: make a token with sla-agent --make-token look");
    }
    spdlog::info("the certificate's fingerprint is {}", door_.fingerprint());
    return {};
}

Result<void> Server::read_access_list(const std::string& path) {
    if (Result<void> read = door_.read_list(path); !read) return read;
    end_revoked();
    return {};
}

void Server::end_revoked() {
    for (const auto& [held, entry] : guests_) {
        const AccessEntry* now = door_.access().find_name(entry.name);
        const std::shared_ptr<Session> session = held.lock();
        if (session && (now == nullptr || *now != entry)) session->end_with("what let it in was revoked");
    }
}

void Server::forget_closed() {
    std::erase_if(sessions_, [](const std::weak_ptr<Session>& held) {
        std::shared_ptr<Session> session = held.lock();
        return !session || !session->is_open();
    });
    std::erase_if(guests_, [](const auto& guest) { return guest.first.expired(); });
}

void Server::wake() {
    if (!anybody_.load(std::memory_order_relaxed)) return;
    if (wake_posted_.exchange(true, std::memory_order_acq_rel)) return;  // pairs with the store below: no wake is lost
    boost::asio::post(io_, [this] {
        wake_posted_.store(false, std::memory_order_release);  // before looking: what is published later posts again
        std::size_t subscribers = 0;
        for (const std::weak_ptr<Session>& held : sessions_) {
            std::shared_ptr<Session> session = held.lock();
            if (!session) continue;
            session->wake();
            subscribers += session->is_subscribed() && session->is_open();
        }
        subscribers_.store(subscribers, std::memory_order_relaxed);
        forget_closed();
        anybody_.store(!sessions_.empty(), std::memory_order_relaxed);
    });
}

void Server::stop_listening() {
    for (source::Acceptor& acceptor : acceptors_) acceptor.close();
    door_.close();
    for (const std::string& path : unix_paths_) ::unlink(path.c_str());
    unix_paths_.clear();
}

void Server::close_idle_sessions() {
    for (const std::weak_ptr<Session>& held : sessions_) {
        std::shared_ptr<Session> session = held.lock();
        if (session && !session->is_owed()) session->close();
    }
}

void Server::close_sessions() {
    for (const std::weak_ptr<Session>& held : sessions_) {
        if (std::shared_ptr<Session> session = held.lock()) session->close();
    }
}

std::size_t Server::session_count() {
    forget_closed();
    return sessions_.size();
}

}  // namespace sla::stream
