// The one file that includes Boost.Beast, which takes its time to compile.
#include "agent/service/metrics_server.h"

#include "proto/wire/version.h"

#include <spdlog/spdlog.h>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <utility>

namespace sla::service {

namespace http = boost::beast::http;
namespace fs = std::filesystem;
using Generic = boost::asio::generic::stream_protocol;

namespace {

Generic::endpoint resolved(boost::asio::io_context& io, const wire::Address& address, boost::system::error_code& error) {
    boost::asio::ip::tcp::resolver resolver(io);
    const auto found = resolver.resolve(address.host, std::to_string(address.port), resolver.passive, error);
    return error ? Generic::endpoint() : Generic::endpoint(found.begin()->endpoint());
}

// A socket that nobody listens on any more is removed; another file refuses a connection too, and stays.
Generic::endpoint free_path(boost::asio::io_context& io, const wire::Address& address, boost::system::error_code& error) {
    const Generic::endpoint at(boost::asio::local::stream_protocol::endpoint(address.path));
    Generic::socket probe(io);
    probe.connect(at, error);
    std::error_code ignored;
    if (error == boost::asio::error::connection_refused && fs::is_socket(fs::symlink_status(address.path, ignored)))
        ::unlink(address.path.c_str());
    error = error ? boost::system::error_code() : boost::asio::error::address_in_use;
    return at;
}

std::uint16_t port_of(const Generic::endpoint& there) {
    boost::asio::ip::tcp::endpoint named;
    std::memcpy(named.data(), there.data(), std::min<std::size_t>(there.size(), named.capacity()));
    return named.port();
}

}  // namespace

class MetricsServer::Client : public std::enable_shared_from_this<Client> {
public:
    Client(Generic::socket socket, MetricsServer& server)
        : socket_(std::move(socket)), deadline_(socket_.get_executor()), server_(&server), buffer_(2 * kMaxHeaderBytes) {
        parser_.header_limit(kMaxHeaderBytes);
        parser_.body_limit(0);
    }

    void start(std::chrono::milliseconds timeout) {
        deadline_.expires_after(timeout);
        deadline_.async_wait([self = shared_from_this()](boost::system::error_code error) {
            if (!error) self->end();
        });
        http::async_read_header(socket_, buffer_, parser_,
                                [self = shared_from_this()](boost::system::error_code error, std::size_t) {
                                    if (error == http::error::end_of_stream || !self->server_) return self->end();
                                    self->answer(!error);
                                });
    }

    // Closes, and is forgotten.
    void end() {
        boost::system::error_code ignored;
        deadline_.cancel(ignored);
        socket_.shutdown(Generic::socket::shutdown_both, ignored);
        socket_.close(ignored);
        if (server_) std::exchange(server_, nullptr)->forget(this);
    }

private:
    void answer(bool understood) {
        if (!socket_.is_open()) return end();
        answer_.version(11);
        answer_.set(http::field::server, "sla-agent/" + std::string(wire::kProductVersion));
        answer_.set(http::field::content_type, "text/plain; charset=utf-8");
        answer_.keep_alive(false);
        const http::verb method = parser_.get().method();
        if (!understood) {
            fill(http::status::bad_request, "That is no request this server understands.\n");
        } else if (method != http::verb::get && method != http::verb::head) {
            fill(http::status::method_not_allowed, "GET /metrics is all there is.\n");
            answer_.set(http::field::allow, "GET, HEAD");
        } else if (const auto target = parser_.get().target(); target.substr(0, target.find('?')) != "/metrics") {
            fill(http::status::not_found, "GET /metrics is all there is.\n");
        } else {
            fill(http::status::ok, server_->page_());
            answer_.set(http::field::content_type, "text/plain; version=0.0.4; charset=utf-8");
        }
        if (understood && method == http::verb::head) answer_.body().clear();
        http::async_write(socket_, answer_,
                          [self = shared_from_this()](boost::system::error_code, std::size_t) { self->end(); });
    }
    void fill(http::status status, std::string body) {
        answer_.result(status);
        answer_.body() = std::move(body);
        answer_.prepare_payload();
    }

    Generic::socket socket_;
    boost::asio::steady_timer deadline_;
    MetricsServer* server_;  // nullptr: it has forgotten us
    boost::beast::flat_buffer buffer_;
    http::request_parser<http::empty_body> parser_;
    http::response<http::string_body> answer_;
};

MetricsServer::MetricsServer(boost::asio::io_context& io, std::function<std::string()> page,
                             std::chrono::milliseconds timeout)
    : io_(io),
      page_(std::move(page)),
      timeout_(timeout),
      acceptor_(io, {"those who want metrics", [this](int fd) { add(fd); }, [](int) {},
                     [](const std::string& what) { spdlog::warn("{}", what); }}) {}

MetricsServer::~MetricsServer() {
    close();
}

Result<wire::Address> MetricsServer::listen(const wire::Address& address) {
    if (!address.is_loopback() || address.family == wire::Address::Family::kTls) {
        return invalid_input(address.text() +
                             " will not do: metrics are given in plain, on a loopback address (127.0.0.1, [::1]) "
                             "or a Unix socket only");
    }
    const bool local = address.family == wire::Address::Family::kUnix;
    boost::system::error_code error;
    const Generic::endpoint at = local ? free_path(io_, address, error) : resolved(io_, address, error);
    boost::asio::basic_socket_acceptor<Generic> listener(io_);
    if (!error) listener.open(at.protocol(), error);
    if (!error && !local) listener.set_option(boost::asio::socket_base::reuse_address(true), error);
    if (!error) listener.bind(at, error);
    if (!error && local) path_ = address.path;
    if (!error) listener.listen(16, error);
    if (error) return unavailable("cannot listen on " + address.text() + " for metrics: " + error.message());
    wire::Address bound = address;
    if (local) {
        ::chmod(address.path.c_str(), 0600);
    } else {
        bound.port = port_of(listener.local_endpoint(error));
    }
    if (Result<void> started = acceptor_.start(listener.release(error)); !started) return started.error();
    return bound;
}

void MetricsServer::close() {
    acceptor_.close();
    while (!clients_.empty()) std::shared_ptr<Client>(clients_.front())->end();
    if (!path_.empty()) ::unlink(std::exchange(path_, {}).c_str());
}

void MetricsServer::add(int fd) {
    sockaddr_storage name{};
    socklen_t length = sizeof name;
    ::getsockname(fd, reinterpret_cast<sockaddr*>(&name), &length);
    Generic::socket socket(io_);
    boost::system::error_code error;
    socket.assign({name.ss_family, 0}, fd, error);
    if (error) {
        ::close(fd);
        return;
    }
    if (clients_.size() >= kMaxClients) std::shared_ptr<Client>(clients_.front())->end();
    clients_.push_back(std::make_shared<Client>(std::move(socket), *this));
    std::shared_ptr<Client>(clients_.back())->start(timeout_);
}

void MetricsServer::forget(const Client* client) {
    clients_.remove_if([client](const std::shared_ptr<Client>& held) { return held.get() == client; });
}

}  // namespace sla::service
