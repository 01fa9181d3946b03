// GET /metrics over HTTP, on a loopback or Unix address of its own: for Prometheus.
//
// A client gets one answer and a few seconds; it may send one header of bounded size and no body. Few are served at a time:
// one more takes the place of the oldest, so that clients that only hold their connection keep nobody out. So all of them
// together cost bounded memory. Lives on the I/O thread.
#pragma once

#include "agent/source/acceptor.h"
#include "proto/base/result.h"
#include "proto/wire/address.h"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <string>

namespace sla::service {

class MetricsServer {
public:
    static constexpr std::size_t kMaxClients = 8;
    static constexpr std::size_t kMaxHeaderBytes = 8 * 1024;

    // `page` gives what is answered. A client has `timeout` for everything.
    MetricsServer(boost::asio::io_context& io, std::function<std::string()> page,
                  std::chrono::milliseconds timeout = std::chrono::seconds(5));
    ~MetricsServer();

    // Gives the address with the port that was found for port 0. Addresses that other machines reach are refused.
    Result<wire::Address> listen(const wire::Address& address);
    // No more clients, and none of those who are there is served any longer.
    void close();
    [[nodiscard]] std::size_t client_count() const { return clients_.size(); }  // for tests

private:
    class Client;
    void add(int fd);
    void forget(const Client* client);

    boost::asio::io_context& io_;
    std::function<std::string()> page_;
    std::chrono::milliseconds timeout_;
    source::Acceptor acceptor_;
    std::list<std::shared_ptr<Client>> clients_;  // the oldest first
    std::string path_;                            // to be removed; empty: none
};

}  // namespace sla::service
