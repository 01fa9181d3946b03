// A connected socket becomes a client's end of TLS: handshake, whether the agent is who it should be, and what says who we
// are. Private to the room.
#pragma once

#include "proto/base/result.h"
#include "proto/common/tls/transport.h"
#include "proto/wire/address.h"

#include <chrono>
#include <functional>
#include <string>

namespace sla::ingest {

// How long the first word of an agent may take: it answers a wrong token late.
inline constexpr std::chrono::milliseconds kTlsTimeout = std::chrono::seconds(20);

struct TlsLogin {
    std::string bytes;  // that go before the first request; none when there is no token
    std::string news;   // the agent is met for the first time: what people should read, and can on stderr
};

// The transport has to live until `done`. Nothing is sent before the agent is known to be the right one.
void start_tls(tls::Transport& transport, const wire::Address& address, std::function<void(Result<TlsLogin>)> done);

}  // namespace sla::ingest
