// TLS 1.3 around a connected socket. What Asio and OpenSSL need for it is seen by stream.cpp alone.
//
// A stream belongs to the thread of its socket. One read and one write may be under way at a time, and the stream has to live
// until both have ended.
#pragma once

#include "proto/base/result.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/generic/stream_protocol.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sla::tls {

using Socket = boost::asio::generic::stream_protocol::socket;

// Where a certificate and its key are.
struct Files {
    std::string certificate;
    std::string key;
};

// What all streams of one end share.
class Context {
public:
    // The end that is called: shows this certificate, takes any of the other end's.
    static Result<Context> for_agent(const Files& files);
    // The end that calls; shows a certificate if it has one.
    static Result<Context> for_client(const Files* files);

    // Of its own certificate; empty: none.
    [[nodiscard]] const std::string& fingerprint() const;

private:
    friend class Stream;
    struct Impl;
    explicit Context(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
    static Result<void> use(Impl& impl, const Files& files);
    std::shared_ptr<Impl> impl_;
};

class Stream {
public:
    using Done = std::function<void(const boost::system::error_code&)>;
    using Moved = std::function<void(const boost::system::error_code&, std::size_t)>;
    enum class End { kAgent, kClient };

    Stream(const Context& context, Socket socket);
    ~Stream();
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    void handshake(End ours, Done done);
    void read_some(boost::asio::mutable_buffer into, Moved moved);
    // All of it.
    void write(const std::vector<boost::asio::const_buffer>& bytes, Moved moved);

    [[nodiscard]] Socket& socket();
    [[nodiscard]] const Socket& socket() const;
    // Of the certificate that the other end showed and has the key of; empty: none. After the handshake.
    [[nodiscard]] std::string peer_fingerprint() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Why a handshake failed, for people. `speaks_plain`: what came was no TLS at all.
struct HandshakeFailure {
    bool speaks_plain = false;
    std::string text;
};
HandshakeFailure failure_of(const boost::system::error_code& error);

}  // namespace sla::tls
