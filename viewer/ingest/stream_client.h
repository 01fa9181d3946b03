// StreamClient: the connection to an agent. Its own I/O thread reads, decodes and queues; the owner's thread applies.
//
//   socket ── I/O thread: FrameDecoder → decode_frame ──► queue, bounded in bytes ──► poll(): FrameApplier (owner's thread)
//
// A full queue stops the reading, not the program: the agent then gives this reader a "lagged" gap. All methods belong to
// the owner's thread, which may be another one from time to time (Intake). The I/O thread lives from start() to stop() or destruction.
#pragma once

#include "proto/wire/address.h"
#include "viewer/ingest/frame_applier.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sla::ingest {

enum class StreamState {
    kIdle,  // not started
    kConnecting,
    kLive,   // subscribed, frames flow
    kEnded,  // the agent said End
    kLost,   // refused, cut off or broken; the message says why and what to do
};

struct StreamOptions {
    wire::Address address;
    std::string client = "sla";  // how the agent shows us to people
    bool until_now = false;      // what is held now, then End
    bool skip_history = false;
    std::int64_t last_ns = 0;      // of what is held, only the batches of the last so many; 0: all
    bool show_history = false;     // with last_ns: the agent says what that leaves out (store::Session::unfetched)
    std::uint64_t from_tick = 0;   // of what is held, only the batches that reach this tick
    std::uint64_t until_tick = 0;  // with until_now: what is held below this tick, then End; 0: up to now
    bool status_only = false;
    std::vector<std::string> channels;  // globs; none: all
    std::size_t queue_bytes = std::size_t{64} << 20;
    std::chrono::milliseconds connect_timeout{3000};
    std::chrono::milliseconds greeting_timeout{5000};  // then, until the agent says its first word
};

struct StreamReport {
    StreamState state = StreamState::kIdle;
    std::string message;           // for people; empty while all is well
    std::uint64_t frames = 0;      // received
    std::uint64_t bytes = 0;       // received
    std::size_t queued_bytes = 0;  // that take what is received and not applied; of raw frames, their own
    // In all, for as long as the queue was full and nothing was read: more came than its owner applied.
    std::chrono::nanoseconds held_back{0};
};

class StreamClient {
public:
    explicit StreamClient(StreamOptions options);
    ~StreamClient();
    StreamClient(const StreamClient&) = delete;
    StreamClient& operator=(const StreamClient&) = delete;

    // Connects in the background; again after kEnded or kLost (what was queued is kept; the session goes on).
    void start();
    void reconnect() { start(); }
    // The same for who has all up to that tick: of what the agent holds only what reaches it.
    void reconnect_from(std::uint64_t tick);
    // Closes the connection; what is queued can still be polled.
    void stop();

    // Applies what has arrived, for at most `budget`; returns the number of frames.
    std::size_t poll(FrameApplier& applier, std::chrono::milliseconds budget);
    // The same for those who want frames raw (a recorder): serialized wire::Frame messages. Use only one of both, and say so
    // by keep_raw before start(): then nothing is decoded.
    void keep_raw();
    bool next_raw(std::string& message);
    // Waits until something can be polled, the state changes, or the time is over.
    void wait(std::chrono::milliseconds timeout);
    // Ends a wait(); any thread, while nobody else uses the client but who waits.
    void wake();

    [[nodiscard]] StreamReport report() const;
    [[nodiscard]] bool drained() const;  // over, and everything applied

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sla::ingest
