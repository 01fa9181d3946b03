// One try at an agent, up to what is asked of it: connected, logged in, subscribed.
#include <utility>  // before Asio, which forgets it

#include "proto/wire/control.pb.h"
#include "proto/wire/frame_codec.h"
#include "proto/wire/version.h"
#include "viewer/ingest/agent_errors.h"
#include "viewer/ingest/connection_io.h"
#include "viewer/ingest/remote/patience.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <new>

namespace sla::ingest {

Connection::Connection(const StreamOptions& options, std::shared_ptr<FrameQueue> queue)
    : io_(std::make_unique<Io>(options, std::move(queue))) {
    io_->queue->set_state(StreamState::kConnecting, "");
    io_->queue->push_new_stream();
    io_->thread = std::thread([io = io_.get()] { io->run(); });
}

Connection::~Connection() {
    io_->context.stop();
    io_->thread.join();
}

void Connection::resume() {
    asio::post(io_->context, [io = io_.get()] {
        // Several calls may have come before this one was noticed, and what the first made of the space has filled it again.
        if (io->full && !io->done && io->queue->is_below(io->options.queue_bytes)) {
            io->full = false;
            io->queue->go_on();
            if (io->take_frames()) io->read();
        }
    });
}

// Without memory the stream is over, as without an agent: what it sends next would be without a place.
void Connection::Io::run() {
    try {
        const auto work = asio::make_work_guard(context);
        connect();
        context.run();
    } catch (const std::bad_alloc&) {
        over(StreamState::kLost, std::move(no_memory));
    }
}

void Connection::Io::connect() {
    timer.expires_after(options.connect_timeout);
    timer.async_wait([this](const error_code& error) {
        if (error || is_connected || done) return;  // it may come just then, and is not cancelled any more
        over(StreamState::kLost, no_agent(options.address, "it did not answer in time"));
    });
    switch (options.address.family) {
        case wire::Address::Family::kTcp:
        case wire::Address::Family::kTls: return connect_tcp();
        case wire::Address::Family::kSsh: return connect_ssh();
        case wire::Address::Family::kUnix: break;
    }
    const auto endpoint = unix_endpoint(options.address.path);
    if (!endpoint.ok()) return over(StreamState::kLost, endpoint.error().message);
    endpoints = {*endpoint};
    transport.socket().async_connect(endpoints.front(), [this](const error_code& error) { connected(error); });
}

void Connection::Io::connect_tcp() {
    resolver.async_resolve(options.address.host, std::to_string(options.address.port),
                           [this](const error_code& error, const asio::ip::tcp::resolver::results_type& found) {
                               if (done) return;
                               if (error) return over(StreamState::kLost, no_agent(options.address, error));
                               for (const auto& entry : found) endpoints.emplace_back(entry.endpoint());
                               asio::async_connect(transport.socket(), endpoints,
                                                   [this](const error_code& failed, const auto&) { connected(failed); });
                           });
}

// ssh asks for passwords and waits for hosts itself; that it is there is all we know until the agent speaks.
void Connection::Io::connect_ssh() {
    auto started = SshTunnel::start(context, options.address);
    if (!started.ok()) return over(StreamState::kLost, started.error().message);
    tunnel = std::move(started).value();
    options.greeting_timeout = std::max(options.greeting_timeout, kSshTimeout);
    tell_of_silent_ssh();
    error_code error;
    transport.socket().assign(asio::local::stream_protocol(), tunnel->take_stream(), error);
    connected(error);
}

void Connection::Io::connected(const error_code& error) {
    if (done) return;
    is_connected = true;
    timer.cancel();
    if (error) return over(StreamState::kLost, no_agent(options.address, error));
    if (options.address.family == wire::Address::Family::kTls) return log_in();
    subscribe("");
}

void Connection::Io::log_in() {
    options.greeting_timeout = std::max(options.greeting_timeout, kTlsTimeout);
    await_first_word();
    start_tls(transport, options.address, [this](Result<TlsLogin> login) {
        if (done) return;
        if (!login) return over(StreamState::kLost, login.error().message);
        if (!login->news.empty()) queue->push_note(login->news);
        subscribe(std::move(login->bytes));
    });
}

// `before`: bytes that say who we are.
void Connection::Io::subscribe(std::string before) {
    wire::Request message;
    auto* subscribe = message.mutable_subscribe();
    subscribe->set_version(wire::kControlVersion);
    subscribe->set_reads(wire::kWireVersion);
    subscribe->set_client(options.client);
    subscribe->set_until_now(options.until_now);
    subscribe->set_skip_history(options.skip_history);
    subscribe->set_last_ns(options.last_ns);
    subscribe->set_show_history(options.show_history);
    subscribe->set_from_tick(options.from_tick);
    subscribe->set_until_tick(options.until_tick);
    subscribe->set_status_only(options.status_only);
    for (const std::string& glob : options.channels) subscribe->add_channels(glob);
    request = std::move(before) + wire::encode_frame(message);
    transport.write({asio::buffer(request)}, [this](const error_code& failed, std::size_t) {
        if (done) return;
        if (failed && tunnel != nullptr) return over(StreamState::kLost, tunnel->last_words(false));
        if (failed)
            return over(StreamState::kLost,
                        "the agent at " + options.address.text() + " closed the connection (" + failed.message() + ")");
        await_first_word();
        read();
    });
}

}  // namespace sla::ingest
