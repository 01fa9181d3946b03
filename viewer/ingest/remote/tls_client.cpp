#include <utility>  // before Asio, which forgets it

#include "viewer/ingest/remote/tls_client.h"

#include "proto/wire/control.pb.h"
#include "proto/wire/frame_codec.h"
#include "viewer/ingest/remote/credentials.h"
#include "viewer/ingest/remote/known_agents.h"

#include <cstdio>

namespace sla::ingest {
namespace {

Result<TlsLogin> login_for(const wire::Address& address, const std::string& fingerprint) {
    if (fingerprint.empty()) return unavailable("the agent at " + address.text() + " showed no certificate");
    const Result<std::string> news = KnownAgents::of_this_user().check(address, fingerprint);
    if (!news) return news.error();
    if (!news->empty()) std::fprintf(stderr, "sla: %s\n", news->c_str());
    const Result<std::string> token = own_token();
    if (!token) return token.error();
    if (token->empty()) return TlsLogin{"", *news};
    wire::Request login;
    login.mutable_login()->set_token(*token);
    return TlsLogin{wire::encode_frame(login), *news};
}

Error no_handshake(const wire::Address& address, const boost::system::error_code& error) {
    const tls::HandshakeFailure failure = tls::failure_of(error);
    if (failure.speaks_plain) {
        return unavailable("who answers at " + address.host_and_port() +
                           " speaks no TLS: an agent there is tcp:" + address.host_and_port());
    }
    return unavailable("no TLS with the agent at " + address.text() + ": " + failure.text);
}

}  // namespace

void start_tls(tls::Transport& transport, const wire::Address& address, std::function<void(Result<TlsLogin>)> done) {
    const auto files = own_certificate();
    Result<tls::Context> context = tls::Context::for_client(files ? &*files : nullptr);
    if (!context) return done(unavailable("the client certificate cannot be shown: " + context.error().message));
    tls::Stream& stream = transport.start_tls(*context);
    stream.handshake(tls::Stream::End::kClient,
                     [&stream, address, done = std::move(done)](const boost::system::error_code& error) {
                         if (error) return done(no_handshake(address, error));
                         done(login_for(address, stream.peer_fingerprint()));
                     });
}

}  // namespace sla::ingest
