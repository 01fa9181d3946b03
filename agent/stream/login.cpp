#include "agent/stream/login.h"

#include "agent/stream/end_frame.h"
#include "proto/time/tick_clock.h"
#include "proto/wire/control.pb.h"
#include "proto/wire/frame_codec.h"

#include <array>

namespace sla::stream {
namespace {

LoginVerdict refused(std::string why) {
    return {LoginVerdict::What::kRefused, {}, 0, std::move(why)};
}

LoginVerdict admitted(const AccessEntry& entry, std::size_t used) {
    return {LoginVerdict::What::kAdmitted, entry, used, ""};
}

}  // namespace

LoginVerdict judge_login(std::string_view received, const std::string& certificate, const AccessList& access) {
    wire::FrameDecoder decoder;
    decoder.feed(received.substr(0, kMaxLoginBytes));
    const auto message = decoder.next();
    if (!message.ok()) return refused(message.error().message);
    if (!*message) return received.size() < kMaxLoginBytes ? LoginVerdict{} : refused("a first request of more than 4 KiB");
    wire::Request request;
    if (!wire::parse_message(**message, request)) return refused("a request that cannot be read");
    if (request.has_login()) {
        const AccessEntry* entry = access.find_token(request.login().token());
        if (entry == nullptr) return refused("the token is not one that this agent knows, or it was revoked");
        return admitted(*entry, wire::kFrameHeaderBytes + (*message)->size());
    }
    if (certificate.empty()) {
        return refused(
            "this agent wants to know who comes: give a token in SLA_TOKEN or by --token-file (made there by "
            "sla-agent --make-token look), or a client certificate that it knows");
    }
    const AccessEntry* entry = access.find_certificate(certificate);
    if (entry == nullptr) {
        return refused("the client certificate " + certificate +
                       " is not one that this agent knows: sla-agent --allow-certificate look " + certificate +
                       " there lets it look");
    }
    return admitted(*entry, 0);
}

// A handshake record of any version that there is: no frame begins like it, which would be longer than a request may be.
bool begins_like_tls(std::string_view first_bytes) {
    constexpr std::array<std::pair<unsigned char, unsigned char>, 3> kRanges{{{0x16, 0x16}, {3, 3}, {1, 4}}};
    for (std::size_t i = 0; i < std::min(first_bytes.size(), kRanges.size()); i++) {
        const auto byte = static_cast<unsigned char>(first_bytes[i]);
        if (byte < kRanges[i].first || byte > kRanges[i].second) return false;
    }
    return !first_bytes.empty();
}

std::string answer_in_plain(std::string_view first_bytes) {
    const bool is_http = !first_bytes.empty() && first_bytes.front() >= 'A' && first_bytes.front() <= 'Z';
    if (is_http) {
        constexpr std::string_view kText = "This is an SLA agent that speaks TLS: sla-viewer tls:HOST:PORT\n";
        return "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: " +
               std::to_string(kText.size()) + "\r\n\r\n" + std::string(kText);
    }
    return end_frame(time::read_stamp(),
                     "disconnected: this address speaks TLS: write tls:HOST:PORT instead of tcp:HOST:PORT");
}

}  // namespace sla::stream
