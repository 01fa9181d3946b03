#include <utility>  // before Asio, which forgets it

#include "proto/common/tls/stream.h"

#include "proto/common/tls/certificate.h"
#include "proto/common/tls/private_file.h"

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

namespace sla::tls {

namespace asio = boost::asio;
namespace ssl = boost::asio::ssl;
using boost::system::error_code;

struct Context::Impl {
    explicit Impl(ssl::context::method method) : context(method) {
        SSL_CTX* const native = context.native_handle();
        SSL_CTX_set_min_proto_version(native, TLS1_3_VERSION);
        SSL_CTX_set_num_tickets(native, 0);  // every connection shows its certificate anew
        SSL_CTX_set_session_cache_mode(native, SSL_SESS_CACHE_OFF);
        SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS);  // one that is silent holds little
        context.set_password_callback([](std::size_t, ssl::context::password_purpose) { return std::string(); });
    }
    ssl::context context;
    std::string fingerprint;
};

struct Stream::Impl {
    Impl(std::shared_ptr<Context::Impl> with, Socket socket)
        : context(std::move(with)), stream(std::move(socket), context->context) {}
    std::shared_ptr<Context::Impl> context;
    ssl::stream<Socket> stream;
};

Result<void> Context::use(Impl& impl, const Files& files) {
    Result<std::string> certificate = read_private(files.certificate, Others::kMayRead);
    if (!certificate) return certificate.error();
    Result<std::string> key = read_private(files.key, Others::kMayNotRead);
    if (!key) return key.error();
    Result<std::string> fingerprint = fingerprint_of(*certificate, files.certificate);
    if (!fingerprint) return fingerprint.error();
    error_code error;
    impl.context.use_certificate_chain(asio::buffer(*certificate), error);
    if (error) return unavailable("cannot use the certificate in " + files.certificate + ": " + error.message());
    impl.context.use_private_key(asio::buffer(*key), ssl::context::pem, error);
    if (error) {
        return unavailable("cannot use the key in " + files.key + " for the certificate in " + files.certificate + ": " +
                           error.message());
    }
    impl.fingerprint = *fingerprint;
    return {};
}

Result<Context> Context::for_agent(const Files& files) {
    auto impl = std::make_shared<Impl>(ssl::context::tls_server);
    if (Result<void> used = use(*impl, files); !used) return used.error();
    // Asked for, not demanded; who it is is decided by the fingerprint, once the other end has shown that it has the key.
    impl->context.set_verify_mode(ssl::verify_peer);
    impl->context.set_verify_callback([](bool, ssl::verify_context&) { return true; });
    return Context(std::move(impl));
}

Result<Context> Context::for_client(const Files* files) {
    auto impl = std::make_shared<Impl>(ssl::context::tls_client);
    if (files != nullptr) {
        if (Result<void> used = use(*impl, *files); !used) return used.error();
    }
    impl->context.set_verify_mode(ssl::verify_none);  // no authority's word: the caller looks at the fingerprint
    return Context(std::move(impl));
}

const std::string& Context::fingerprint() const {
    return impl_->fingerprint;
}

Stream::Stream(const Context& context, Socket socket) : impl_(std::make_unique<Impl>(context.impl_, std::move(socket))) {}

Stream::~Stream() = default;

void Stream::handshake(End ours, Done done) {
    const auto side = ours == End::kAgent ? ssl::stream_base::server : ssl::stream_base::client;
    impl_->stream.async_handshake(side, std::move(done));
}

void Stream::read_some(asio::mutable_buffer into, Moved moved) {
    impl_->stream.async_read_some(into, std::move(moved));
}

void Stream::write(const std::vector<asio::const_buffer>& bytes, Moved moved) {
    asio::async_write(impl_->stream, bytes, std::move(moved));
}

Socket& Stream::socket() {
    return impl_->stream.next_layer();
}

const Socket& Stream::socket() const {
    return impl_->stream.next_layer();
}

std::string Stream::peer_fingerprint() const {
    X509* const certificate = SSL_get1_peer_certificate(impl_->stream.native_handle());
    if (certificate == nullptr) return "";
    std::string fingerprint = fingerprint_of(*certificate);
    X509_free(certificate);
    return fingerprint;
}

HandshakeFailure failure_of(const error_code& error) {
    if (error.category() != asio::error::get_ssl_category()) return {false, error.message()};
    const int reason = ERR_GET_REASON(static_cast<unsigned long>(error.value()));
    switch (reason) {
        case SSL_R_WRONG_VERSION_NUMBER:
        case SSL_R_HTTP_REQUEST:
        case SSL_R_PACKET_LENGTH_TOO_LONG: return {true, "it does not speak TLS"};
        case SSL_R_UNSUPPORTED_PROTOCOL:
        case SSL_R_TLSV1_ALERT_PROTOCOL_VERSION: return {false, "it does not speak TLS 1.3"};
        default: return {false, error.message()};
    }
}

}  // namespace sla::tls
