#include "viewer/ingest/stream_client.h"

#include "viewer/ingest/connection.h"

namespace sla::ingest {

using Clock = std::chrono::steady_clock;

struct StreamClient::State {
    StreamOptions options;
    std::shared_ptr<FrameQueue> queue = std::make_shared<FrameQueue>(false);
    std::unique_ptr<Connection> connection;

    // Reading goes on once half of the queue is free again.
    void made_space() const {
        if (connection != nullptr && queue->is_below(options.queue_bytes / 2)) connection->resume();
    }
};

StreamClient::StreamClient(StreamOptions options) : state_(std::make_unique<State>()) {
    state_->options = std::move(options);
}

StreamClient::~StreamClient() = default;

void StreamClient::start() {
    state_->connection.reset();
    state_->connection = std::make_unique<Connection>(state_->options, state_->queue);
}

void StreamClient::reconnect_from(std::uint64_t tick) {
    StreamOptions rest = state_->options;
    rest.last_ns = 0;
    rest.show_history = false;
    rest.from_tick = tick;
    state_->connection.reset();
    state_->connection = std::make_unique<Connection>(rest, state_->queue);
}

void StreamClient::stop() {
    if (state_->connection == nullptr) return;
    state_->connection.reset();
    const StreamState now = report().state;
    if (now == StreamState::kLive || now == StreamState::kConnecting) {
        state_->queue->set_state(StreamState::kLost, "disconnected");
    }
}

std::size_t StreamClient::poll(FrameApplier& applier, std::chrono::milliseconds budget) {
    const auto until = Clock::now() + budget;
    std::size_t applied = 0;
    FrameItem item;
    while (state_->queue->pop(item)) {
        applier.apply(item);
        ++applied;
        if (Clock::now() >= until) break;
    }
    if (applied > 0) state_->made_space();
    return applied;
}

void StreamClient::keep_raw() {
    state_->queue = std::make_shared<FrameQueue>(true);
}

bool StreamClient::next_raw(std::string& message) {
    if (!state_->queue->pop_raw(message)) return false;
    state_->made_space();
    return true;
}

void StreamClient::wait(std::chrono::milliseconds timeout) {
    state_->queue->wait(timeout);
}

void StreamClient::wake() {
    state_->queue->wake();
}

StreamReport StreamClient::report() const {
    return state_->queue->report();
}

bool StreamClient::drained() const {
    const StreamReport now = report();
    return (now.state == StreamState::kEnded || now.state == StreamState::kLost) && now.queued_bytes == 0;
}

}  // namespace sla::ingest
