// What an agent says on a Connection, from its first word to its last.
#include <utility>  // before Asio, which forgets it

#include "proto/wire/capture.pb.h"
#include "viewer/ingest/agent_errors.h"
#include "viewer/ingest/connection_io.h"
#include "viewer/ingest/remote/patience.h"

namespace sla::ingest {

std::string Connection::Io::cut_off() {
    if (tunnel != nullptr) return tunnel->last_words(greeted);
    return "the connection to " + options.address.text() + " was cut off: the agent is gone or was killed";
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
