// Follower: a viewer's store that takes everything an agent sends, and how old each event of one channel is when it is there.
#pragma once

#include "viewer/ingest/stream_client.h"
#include "viewer/store/session.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::bench {

class Follower {
public:
    Follower(const std::string& address, std::string channel);
    // What happened before is no measure.
    void count_since(std::uint64_t tick) { since_ = tick; }

    // What comes within some milliseconds.
    void take();
    // "WHAT, 4000 events: p50 ...", of those behind the first so many.
    void print_ages(const std::string& what, std::size_t behind = 0);
    [[nodiscard]] std::size_t aged() const { return ages_.size(); }
    [[nodiscard]] const store::Session& session() const { return session_; }

private:
    static ingest::StreamOptions options(const std::string& address);

    std::string channel_;
    store::Session session_;
    ingest::FrameApplier applier_;
    ingest::StreamClient client_;
    std::vector<double> ages_;  // ms
    std::uint64_t since_ = 0;
    std::uint64_t seen_ = 0;
};

}  // namespace sla::bench
