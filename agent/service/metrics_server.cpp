// The one file that includes Boost.Beast, which takes its time to compile.
#include "agent/service/metrics_server.h"

#include "agent/source/listening_socket.h"
#include "proto/wire/version.h"

#include <spdlog/spdlog.h>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include <sys/socket.h>
#include <unistd.h>

#include <utility>

namespace sla::service {

namespace http = boost::beast::http;
using Generic = boost::asio::generic::stream_protocol;

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
    const Result<source::ListeningSocket> made = source::listen_on(io_, address, false);
    if (!made) return Error{made.error().code, "no metrics: " + made.error().message};
    if (address.family == wire::Address::Family::kUnix) path_ = address.path;
    if (Result<void> started = acceptor_.start(made->fd); !started) return started.error();
    return made->bound;
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
