// What a Connection is on its I/O thread. Private to the room; includes Asio.
#pragma once

#include <utility>  // before Asio, which forgets it

#include "proto/wire/frame_codec.h"
#include "viewer/ingest/connection.h"
#include "viewer/ingest/remote/ssh_tunnel.h"
#include "viewer/ingest/remote/tls_client.h"

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace sla::ingest {

namespace asio = boost::asio;
using boost::system::error_code;

// All members belong to the I/O thread once run() has begun.
struct Connection::Io {
    Io(const StreamOptions& wanted, std::shared_ptr<FrameQueue> into)
        : options(wanted),
          queue(std::move(into)),
          no_memory("there is not enough memory to read what " + options.address.text() + " sends") {}

    void run();
    void connect();
    void connect_tcp();
    void connect_ssh();
    void log_in();
    void subscribe(std::string before);
    std::string cut_off();
    void connected(const error_code& error);
    void await_first_word();
    void tell_of_silent_ssh();
    void read();
    void received(const error_code& error, std::size_t bytes);
    bool take_frames();
    void over_as_the_agent_says(std::string_view message);
    void over(StreamState state, std::string message);

    StreamOptions options;
    std::shared_ptr<FrameQueue> queue;
    asio::io_context context;
    std::unique_ptr<SshTunnel> tunnel;  // of an ssh address, once it is started
    tls::Transport transport{context};
    asio::ip::tcp::resolver resolver{context};
    std::vector<asio::generic::stream_protocol::endpoint> endpoints;
    asio::steady_timer timer{context};
    asio::steady_timer silence{context};  // of ssh
    wire::FrameDecoder decoder;
    std::array<char, 256 * 1024> buffer{};
    std::string request;
    std::string no_memory;  // made while there is some
    bool is_connected = false;
    bool greeted = false;  // the agent has said something
    bool full = false;     // reading waits for resume()
    bool ended = false;    // the agent said End
    bool has_frames = false;
    bool done = false;
    std::thread thread;
};

}  // namespace sla::ingest
