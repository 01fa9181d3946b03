#include <utility>  // before Asio, which forgets it

#include "proto/wire/control.pb.h"
#include "proto/wire/frame_codec.h"
#include "viewer/ingest/request.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <string>
#include <vector>

namespace sla::ingest {

namespace asio = boost::asio;
using boost::system::error_code;
using Endpoint = asio::generic::stream_protocol::endpoint;

namespace {

std::vector<Endpoint> endpoints_of(asio::io_context& context, const wire::Address& address, error_code& error) {
    if (address.family == wire::Address::Family::kUnix) return {asio::local::stream_protocol::endpoint(address.path)};
    std::vector<Endpoint> out;
    for (const auto& entry : asio::ip::tcp::resolver(context).resolve(address.host, std::to_string(address.port), error)) {
        out.emplace_back(entry.endpoint());
    }
    return out;
}

Error no_agent(const wire::Address& address, const std::string& why) {
    return unavailable("no agent answers at " + address.text() + " (" + why + "). Start one with: sla-agent");
}

}  // namespace

Result<void> send_request(const wire::Address& address, const wire::Request& request, std::chrono::milliseconds timeout) {
    asio::io_context context;
    asio::generic::stream_protocol::socket socket(context);
    error_code error;
    const auto endpoints = endpoints_of(context, address, error);
    if (error) return no_agent(address, error.message());
    const std::string bytes = wire::encode_frame(request);
    error_code outcome = asio::error::timed_out;
    std::array<char, 256> answer{};
    asio::async_connect(socket, endpoints, [&](const error_code& failed, const auto&) {
        outcome = failed;
        if (failed) return;
        outcome = asio::error::timed_out;
        asio::async_write(socket, asio::buffer(bytes), [&](const error_code& unsent, std::size_t) {
            outcome = unsent;
            if (unsent) return;
            error_code ignored;
            socket.shutdown(asio::socket_base::shutdown_send, ignored);
            asio::async_read(socket, asio::buffer(answer), [](const error_code&, std::size_t) {});
        });
    });
    context.run_for(timeout);
    if (outcome)
        return no_agent(address, outcome == asio::error::timed_out ? "it did not answer in time" : outcome.message());
    return {};
}

}  // namespace sla::ingest
