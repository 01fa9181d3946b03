#include "agent/stream/server.h"

#include <spdlog/spdlog.h>
#include <boost/asio/post.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace sla::stream {

using boost::asio::ip::tcp;
using Unix = boost::asio::local::stream_protocol;

Server::Server(boost::asio::io_context& io, retain::Retention& retention, SessionHooks hooks)
    : io_(io), retention_(retention), hooks_(std::move(hooks)) {}

Server::~Server() {
    stop_listening();
}

Result<wire::Address> Server::listen(const wire::Address& address) {
    return address.family == wire::Address::Family::kUnix ? listen_unix(address) : listen_tcp(address);
}

Result<wire::Address> Server::listen_unix(const wire::Address& address) {
    boost::system::error_code error;
    Unix::socket probe(io_);
    probe.connect(Unix::endpoint(address.path), error);
    if (!error) {
        return unavailable("somebody listens on " + address.path +
                           " already: stop that agent first, or choose another address");
    }
    if (error == boost::asio::error::connection_refused) {
        spdlog::info("replacing the stale socket {}", address.path);
        ::unlink(address.path.c_str());
    }
    Unix::acceptor acceptor(io_);
    acceptor.open(Unix(), error);
    if (!error) acceptor.bind(Unix::endpoint(address.path), error);
    if (!error) acceptor.listen(boost::asio::socket_base::max_listen_connections, error);
    if (error) return unavailable("cannot listen on " + address.text() + ": " + error.message());
    ::chmod(address.path.c_str(), 0600);
    unix_.push_back(std::move(acceptor));
    unix_paths_.push_back(address.path);
    accept<Unix>(unix_.back(), true);
    return address;
}

Result<wire::Address> Server::listen_tcp(const wire::Address& address) {
    boost::system::error_code error;
    tcp::resolver resolver(io_);
    std::string host = address.host.empty() ? "127.0.0.1" : address.host;
    auto found = resolver.resolve(host, std::to_string(address.port), tcp::resolver::passive, error);
    tcp::acceptor acceptor(io_);
    if (!error) acceptor.open(found.begin()->endpoint().protocol(), error);
    if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor.bind(found.begin()->endpoint(), error);
    if (!error) acceptor.listen(boost::asio::socket_base::max_listen_connections, error);
    if (error) return unavailable("cannot listen on " + address.text() + ": " + error.message());
    wire::Address bound = address;
    bound.host = host;
    bound.port = acceptor.local_endpoint(error).port();
    if (!bound.is_loopback()) {
        spdlog::warn("{} can be reached from other machines: whoever connects can read everything that is recorded",
                     bound.text());
    }
    tcp_.push_back(std::move(acceptor));
    accept<tcp>(tcp_.back(), false);
    return bound;
}

template <typename Protocol>
void Server::accept(typename Protocol::acceptor& acceptor, bool local) {
    acceptor.async_accept([this, &acceptor, local](boost::system::error_code error, typename Protocol::socket socket) {
        if (error == boost::asio::error::operation_aborted || !acceptor.is_open()) return;
        if (error) {
            spdlog::warn("cannot take a client in: {}", error.message());
        } else {
            if constexpr (std::is_same_v<Protocol, tcp>) {
                boost::system::error_code ignored;
                socket.set_option(tcp::no_delay(true), ignored);
            }
            add(Session::Socket(std::move(socket)), local ? "a local client" : "a client over TCP", local);
        }
        accept<Protocol>(acceptor, local);
    });
}

void Server::add(Session::Socket socket, std::string peer, bool local) {
    forget_closed();
    if (sessions_.size() >= kMaxSessions) {
        spdlog::warn("{} clients are connected already; one more was turned away", sessions_.size());
        return;
    }
    SessionHooks hooks = hooks_;
    if (!local) hooks.stop = nullptr;
    auto session = std::make_shared<Session>(std::move(socket), retention_, std::move(hooks), std::move(peer));
    sessions_.push_back(session);
    anybody_.store(true, std::memory_order_relaxed);  // pairs with nothing: a new session looks by itself when it subscribes
    session->start();
}

void Server::forget_closed() {
    std::erase_if(sessions_, [](const std::weak_ptr<Session>& held) {
        std::shared_ptr<Session> session = held.lock();
        return !session || !session->is_open();
    });
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
    boost::system::error_code ignored;
    for (auto& acceptor : unix_) acceptor.close(ignored);
    for (auto& acceptor : tcp_) acceptor.close(ignored);
    for (const std::string& path : unix_paths_) ::unlink(path.c_str());
    unix_paths_.clear();
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
