#include <utility>  // before Asio, which forgets it

#include "proto/wire/capture.pb.h"
#include "proto/wire/control.pb.h"
#include "proto/wire/frame_codec.h"
#include "proto/wire/version.h"
#include "viewer/ingest/agent_errors.h"
#include "viewer/ingest/connection.h"
#include "viewer/ingest/remote/patience.h"
#include "viewer/ingest/remote/ssh_tunnel.h"
#include "viewer/ingest/remote/tls_client.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <array>
#include <new>
#include <thread>

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
    bool greeted = false;   // the agent has said something
    bool full = false;      // reading waits for resume()
    bool ended = false;     // the agent said End
    bool has_frames = false;
    bool done = false;
    std::thread thread;
};

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
        if (!error) over(StreamState::kLost, no_agent(options.address, "it did not answer in time"));
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

std::string Connection::Io::cut_off() {
    if (tunnel != nullptr) return tunnel->last_words(greeted);
    return "the connection to " + options.address.text() + " was cut off: the agent is gone or was killed";
}

void Connection::Io::connected(const error_code& error) {
    if (done) return;
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

// An agent greets at once.
void Connection::Io::await_first_word() {
    timer.expires_after(options.greeting_timeout);
    timer.async_wait([this](const error_code& error) {
        if (error || greeted || done) return;
        over(StreamState::kLost, tunnel != nullptr ? ssh_was_silent(options.address) : silent_agent(options.address));
    });
}

void Connection::Io::tell_of_silent_ssh() {
    silence.expires_after(kSshSilence);
    silence.async_wait([this](const error_code& error) {
        if (error || greeted || done) return;
        const std::string text = ssh_is_silent(options.address);
        queue->set_state(StreamState::kConnecting, text);
        if (patience().tell) patience().tell(text);
    });
}

void Connection::Io::read() {
    transport.read_some(asio::buffer(buffer),
                        [this](const error_code& error, std::size_t bytes) { received(error, bytes); });
}

void Connection::Io::received(const error_code& error, std::size_t bytes) {
    if (done) return;
    if (error) return over(StreamState::kLost, cut_off());
    if (!std::exchange(greeted, true)) {
        timer.cancel();
        silence.cancel();
        queue->set_state(StreamState::kLive, "");
    }
    queue->count_bytes(bytes);
    decoder.feed({buffer.data(), bytes});
    if (take_frames()) read();
}

// False: no further read now.
bool Connection::Io::take_frames() {
    for (;;) {
        auto frame = decoder.next();
        if (!frame.ok()) {
            const std::string why = options.address.text() + ": " + frame.error().message;
            const bool may_be_words = tunnel != nullptr && !has_frames;
            over(StreamState::kLost, may_be_words
                                         ? why + " Or does a start-up file of the shell there print something? `ssh " +
                                               options.address.host + " true` must print nothing"
                                         : why);
            return false;
        }
        if (!frame->has_value()) return true;
        has_frames = true;
        // End is field 9, a length-delimited one: its tag is the first byte.
        ended = !(*frame)->empty() && static_cast<unsigned char>((**frame)[0]) == (wire::Frame::kEndFieldNumber << 3 | 2);
        const bool has_space = queue->push(**frame, options.queue_bytes);
        if (ended) {
            over_as_the_agent_says(**frame);
            return false;
        }
        if (!has_space) {
            full = true;
            queue->hold_back();
            if (!queue->is_below(options.queue_bytes)) return false;
            full = false;  // emptied in the meantime
            queue->go_on();
        }
    }
}

// An agent that turns us away says so in the last frame, too: that is no end of what was asked for.
void Connection::Io::over_as_the_agent_says(std::string_view message) {
    constexpr std::string_view kTurnedAway = "disconnected: ";
    wire::Frame frame;
    const bool turned_away = wire::parse_message(message, frame) && frame.end().reason().starts_with(kTurnedAway);
    if (!turned_away) return over(StreamState::kEnded, "");
    over(StreamState::kLost,
         "the agent at " + options.address.text() + " hung up: " + frame.end().reason().substr(kTurnedAway.size()));
}

void Connection::Io::over(StreamState state, std::string message) {
    done = true;
    timer.cancel();
    silence.cancel();
    resolver.cancel();
    transport.close();
    tunnel.reset();
    queue->set_state(state, std::move(message));
}

}  // namespace sla::ingest
