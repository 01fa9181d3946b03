#include <utility>  // before Asio, which forgets it

#include "proto/wire/capture.pb.h"
#include "proto/wire/control.pb.h"
#include "proto/wire/frame_codec.h"
#include "viewer/ingest/agent_errors.h"
#include "viewer/ingest/remote/patience.h"
#include "viewer/ingest/remote/ssh_tunnel.h"
#include "viewer/ingest/remote/tls_client.h"
#include "viewer/ingest/request.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/steady_timer.hpp>

#include <array>
#include <string>
#include <vector>

namespace sla::ingest {

namespace asio = boost::asio;
using boost::system::error_code;
using Endpoint = asio::generic::stream_protocol::endpoint;

namespace {

constexpr std::uint32_t kNumber = 1;  // of the only request of its connection

Result<std::vector<Endpoint>> endpoints_of(asio::io_context& context, const wire::Address& address) {
    if (address.family == wire::Address::Family::kUnix) {
        const auto endpoint = unix_endpoint(address.path);
        if (!endpoint.ok()) return endpoint.error();
        return std::vector<Endpoint>{*endpoint};
    }
    error_code error;
    std::vector<Endpoint> out;
    for (const auto& entry : asio::ip::tcp::resolver(context).resolve(address.host, std::to_string(address.port), error)) {
        out.emplace_back(entry.endpoint());
    }
    if (error) return unavailable(no_agent(address, error));
    return out;
}

// One request on its way: connected, written, then the agent's answer.
struct Exchange {
    asio::io_context context;
    std::unique_ptr<SshTunnel> tunnel;  // of an ssh address
    tls::Transport transport{context};
    std::string bytes;
    std::string address;
    bool connected = false;
    bool was_heard = false;   // the other side said something
    bool is_cut_off = false;  // by the other side
    error_code outcome = asio::error::timed_out;
    std::array<char, 4096> received{};
    wire::FrameDecoder decoder;
    Result<void> answer = unavailable("the agent hung up without an answer");

    // Over TLS, before the request.
    void log_in(Result<TlsLogin> login) {
        if (login) {
            bytes.insert(0, login->bytes);
            return write();
        }
        answer = login.error();
        outcome = {};
        context.stop();
    }

    void write() {
        transport.write({asio::buffer(bytes)}, [this](const error_code& unsent, std::size_t) {
            if (!unsent) return receive();
            outcome = unsent;
            is_cut_off = true;
            context.stop();
        });
    }

    void receive() {
        transport.read_some(asio::buffer(received), [this](const error_code& ended, std::size_t n) {
            if (ended) {
                outcome = {};
                is_cut_off = true;
                return context.stop();
            }
            was_heard = true;
            decoder.feed({received.data(), n});
            if (is_answered()) return context.stop();
            receive();
        });
    }

    // What is not the answer (the reason of a disconnection aside) is not for us. Bytes that are no frames are of no agent.
    bool is_answered() {
        for (;;) {
            const auto message = decoder.next();
            if (!message.ok()) {
                answer = unavailable(address + ": " + message.error().message);
                outcome = {};
                return true;
            }
            if (!*message) return false;
            wire::Frame frame;
            if (!wire::parse_message(**message, frame)) continue;
            if (frame.has_end()) answer = unavailable("the agent hung up: " + frame.end().reason());
            if (!frame.has_answer() || frame.answer().request() != kNumber) continue;
            answer = frame.answer().error().empty() ? Result<void>() : invalid_input(frame.answer().error());
            outcome = {};
            return true;
        }
    }
};

}  // namespace

Result<void> connect(Exchange& exchange, const wire::Address& address) {
    error_code error;
    if (address.family == wire::Address::Family::kSsh) {
        auto started = SshTunnel::start(exchange.context, address);
        if (!started.ok()) return started.error();
        exchange.tunnel = std::move(started).value();
        exchange.transport.socket().assign(asio::local::stream_protocol(), exchange.tunnel->take_stream(), error);
        if (error) return unavailable(no_agent(address, error));
        exchange.connected = true;
        exchange.write();
        return {};
    }
    const auto endpoints = endpoints_of(exchange.context, address);
    if (!endpoints.ok()) return endpoints.error();
    asio::async_connect(exchange.transport.socket(), *endpoints,
                        [&exchange, address](const error_code& failed, const auto&) {
                            exchange.outcome = failed;
                            if (failed) return;
                            exchange.connected = true;
                            exchange.outcome = asio::error::timed_out;
                            if (address.family != wire::Address::Family::kTls) return exchange.write();
                            start_tls(exchange.transport, address,
                                      [&exchange](Result<TlsLogin> login) { exchange.log_in(std::move(login)); });
                        });
    return {};
}

// Until it is over. False: nobody wants to wait any longer.
bool run(Exchange& exchange, const wire::Address& address, std::chrono::milliseconds timeout) {
    constexpr auto kBetweenLooks = std::chrono::milliseconds(100);
    using Clock = std::chrono::steady_clock;
    asio::steady_timer silence(exchange.context);
    if (exchange.tunnel != nullptr) {
        silence.expires_after(kSshSilence);
        silence.async_wait([&](const error_code& error) {
            if (!error && !exchange.was_heard && patience().tell) patience().tell(ssh_is_silent(address));
        });
    }
    const auto until = Clock::now() + timeout;
    while (!exchange.context.stopped() && Clock::now() < until) {
        if (patience().goes_on && !patience().goes_on()) return false;
        exchange.context.run_for(std::min<Clock::duration>(kBetweenLooks, until - Clock::now()));
    }
    return true;
}

Result<void> send_request(const wire::Address& address, wire::Request request, std::chrono::milliseconds timeout) {
    Exchange exchange;
    request.set_number(kNumber);
    exchange.address = address.text();
    exchange.bytes = wire::encode_frame(request);
    if (const auto started = connect(exchange, address); !started.ok()) return started;
    if (exchange.tunnel != nullptr) timeout = std::max(timeout, kSshTimeout);
    if (address.family == wire::Address::Family::kTls) timeout = std::max(timeout, kTlsTimeout);
    if (!run(exchange, address, timeout)) return unavailable("stopped while " + address.text() + " was waited for");
    if (exchange.is_cut_off && exchange.tunnel != nullptr) {
        if (const auto ended = exchange.tunnel->end(exchange.was_heard); !ended.ok()) return ended;
    }
    if (exchange.connected && exchange.outcome == asio::error::timed_out)
        return unavailable(exchange.tunnel != nullptr ? ssh_was_silent(address) : silent_agent(address));
    if (exchange.outcome) return unavailable(no_agent(address, exchange.outcome));
    return exchange.answer;
}

bool is_running(const wire::Address& address, std::chrono::milliseconds timeout) {
    wire::Request of_nothing;  // is refused, which is an answer
    of_nothing.mutable_set_retention();
    const Result<void> answer = send_request(address, of_nothing, timeout);
    return answer.ok() || answer.error().code == ErrorCode::kInvalidInput;
}

}  // namespace sla::ingest
