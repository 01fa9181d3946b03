// One piece on its way to the cluster: which of its chunks may be sent, which were acknowledged, and where they are in the
// stream.
//
//   frames ──ack──► summary (says where its frames are) ──ack──┐
//   frames ──ack──► summary                             ──ack──┴──► index (says where all of these are) ──ack──► done
//
// Knows no connection: whoever sends asks next(), and says what became of it. Reads the piece's file as it grows, no further
// ahead than kAhead chunks. One owner, one thread.
#pragma once

#include "agent/publish/chunk_walker.h"
#include "proto/capture/chunk.h"
#include "proto/capture/summary/chunk_summary.h"
#include "proto/fleet/headers.h"
#include "proto/time/clock_map.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sla::publish {

class Piece {
public:
    // `id`: of its messages, but for sequence, kind and the key that the secret makes. `nominal_hz`: of the stamps, while the stream
    // does not say.
    static Result<Piece> open(const std::string& path, fleet::MessageId id, std::string secret, double nominal_hz);

    struct Outgoing {
        fleet::MessageHeaders headers;
        std::string body;
    };
    // What can be sent now and was not, lowest first; it counts as sent from here on. Nothing: wait for acknowledgements, or
    // for more to be written.
    Result<std::optional<Outgoing>> next();
    // Its file has its closing mark: what cannot be read of it now is an error of next(), not to be waited for.
    void set_complete() { is_complete_ = true; }
    // It is in the stream, there.
    void acknowledge(std::uint64_t sequence, fleet::Kind kind, std::uint64_t at);
    // Nothing that was acknowledged is in the stream: next() gives all of it again. What is on its way stays so.
    void start_over();
    // It is not, as far as is known: next() gives it again.
    void give_back(std::uint64_t sequence, fleet::Kind kind);

    [[nodiscard]] std::uint64_t number() const { return id_.piece; }
    // All of it is in the stream.
    [[nodiscard]] bool is_done() const { return end_known_ && acknowledged_ == chunks_.size(); }
    // What its acknowledged frames hold.
    [[nodiscard]] std::uint64_t events() const { return events_; }
    [[nodiscard]] std::uint64_t missed() const { return missed_; }
    // What its frames hold as far as they were looked at.
    [[nodiscard]] std::uint64_t known_events() const;
    // Something was sent and is not answered.
    [[nodiscard]] bool is_on_the_way() const;
    [[nodiscard]] std::uint64_t bytes() const { return chunks_.size() * sizeof(Chunk); }

    static constexpr std::size_t kAhead = 128;  // chunks that are looked at before they can be sent

private:
    enum class State : std::uint8_t { kWaiting, kSent, kAcknowledged };
    struct Chunk {
        ChunkWalker::Place place;
        fleet::Kind kind = fleet::Kind::kFrames;
        State state = State::kWaiting;
        std::uint64_t at = 0;         // in the stream, once acknowledged
        std::size_t partner = kNone;  // of a summary its frames, of frames their summary
        bool is_described = false;    // of frames: what they hold is known; of an index: what follows it is
        std::uint64_t rows = 0;
        std::uint64_t events = 0;
        std::uint64_t missed = 0;
        std::optional<fleet::UtcInterval> times;
    };
    static constexpr std::size_t kNone = ~std::size_t{0};

    Piece(ChunkWalker walker, fleet::MessageId id, std::string secret, double nominal_hz);
    Result<void> look_ahead();
    Result<void> take(const ChunkWalker::Place& place);
    Result<void> describe(Chunk& frames, const ChunkWalker::Place* summary);
    void learn_clocks(const std::vector<std::string>& lasting);
    [[nodiscard]] bool is_ready(const Chunk& chunk, std::size_t number) const;
    [[nodiscard]] std::size_t index_begin(std::size_t index) const;
    Result<Outgoing> outgoing(std::size_t number);
    [[nodiscard]] std::string index_body(std::size_t number, std::string chunk) const;
    [[nodiscard]] std::int64_t utc_of(std::uint64_t tick) const;
    Chunk* find(std::uint64_t sequence, fleet::Kind kind);

    ChunkWalker walker_;
    fleet::MessageId id_;
    std::string secret_;
    double nominal_hz_;
    capture::ChunkUnpacker unpacker_;
    std::vector<Chunk> chunks_;   // the number of one is its sequence
    std::size_t first_open_ = 0;  // all before are acknowledged
    std::size_t acknowledged_ = 0;
    bool end_known_ = false;
    bool is_complete_ = false;  // as the file's writer says
    std::vector<time::ClockSnapshot> clocks_;
    time::ClockMap map_;
    std::uint64_t events_ = 0;
    std::uint64_t missed_ = 0;
};

}  // namespace sla::publish
