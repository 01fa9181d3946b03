// A connection that may be encrypted. Without TLS it is the socket itself, and costs a branch more.
//
// Belongs to the thread of its socket; may move while nothing is under way.
#pragma once

#include "proto/common/tls/stream.h"

#include <boost/asio/write.hpp>

#include <concepts>
#include <memory>
#include <utility>
#include <vector>

namespace sla::tls {

class Transport {
public:
    // A socket of any kind, or what makes a closed one: an io_context.
    template <typename Plain>
    requires(!std::same_as<std::remove_cvref_t<Plain>, Transport>) Transport(Plain&& socket)
        : plain_(std::forward<Plain>(socket)) {}

    // Everything from here on goes through it, its handshake first.
    Stream& start_tls(const Context& context) {
        auto executor = plain_.get_executor();
        tls_ = std::make_unique<Stream>(context, std::move(plain_));
        plain_ = Socket(executor);
        return *tls_;
    }
    [[nodiscard]] Stream* tls() { return tls_.get(); }
    [[nodiscard]] Socket& socket() { return tls_ ? tls_->socket() : plain_; }
    [[nodiscard]] bool is_open() const { return tls_ ? std::as_const(*tls_).socket().is_open() : plain_.is_open(); }

    // handler(error, bytes)
    template <typename Handler>
    void read_some(boost::asio::mutable_buffer into, Handler handler) {
        if (tls_) return tls_->read_some(into, std::move(handler));
        plain_.async_read_some(into, std::move(handler));
    }
    template <typename Handler>
    void write(const std::vector<boost::asio::const_buffer>& bytes, Handler handler) {
        if (tls_) return tls_->write(bytes, std::move(handler));
        boost::asio::async_write(plain_, bytes, std::move(handler));
    }
    void close() {
        boost::system::error_code ignored;
        socket().shutdown(Socket::shutdown_both, ignored);
        socket().close(ignored);
    }

private:
    Socket plain_;
    std::unique_ptr<Stream> tls_;
};

}  // namespace sla::tls
