// Writes the stream into the spool, piece after piece, each of which opens alone.
//
//   7.sla: Hello, sources, channels, threads, clocks │ batches … │ End ── full, or old ──► 8.sla: Hello, …
//
// A frame is kept until it is in the file. So when the disk refuses, nothing is lost: the piece is brought to its end once the
// disk takes something again, and what it lacks is the next one's beginning. One of which nothing is in its file yet is begun once
// more, under its number: a number without a piece is a hole in the stream. One owner, one thread.
#pragma once

#include "agent/publish/spool.h"
#include "agent/retain/retention.h"
#include "proto/capture/capture_writer.h"
#include "proto/capture/pieces/piece_fill.h"
#include "proto/capture/pieces/stream_head.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sla::publish {

class SpoolWriter {
public:
    using Time = std::chrono::steady_clock::time_point;

    SpoolWriter(Spool& spool, std::string capture);

    // False with a problem(): it is kept, and nothing may be added until mend() says so.
    bool add(const retain::Delivery& delivery, Time now);
    // What was added is in the file and can be sent; a piece that is full or old ends. Like add.
    bool flush(Time now);
    // After a failure: tries to go on.
    bool mend(Time now);
    // The last piece ends. Like add.
    bool finish();

    [[nodiscard]] const std::string& problem() const { return problem_; }
    [[nodiscard]] bool works() const { return problem_.empty(); }
    // In files, in all pieces so far.
    [[nodiscard]] capture::CaptureWriter::Written written() const;
    // Added, and in no file: while the disk refuses.
    struct Unwritten {
        std::uint64_t events = 0;  // and those that gap rows in no file stand for
        std::uint64_t missed = 0;  // of them what whoever added it did not get either, as Written has it
    };
    [[nodiscard]] Unwritten unwritten() const;
    // Begun so far: the number of the newest.
    [[nodiscard]] std::uint64_t pieces() const { return number_; }
    // Of them, those of whose files something may be read: all but one that has nothing in it yet, which may be begun once more.
    [[nodiscard]] std::uint64_t readable_pieces() const { return writer_ && !has_chunk() ? number_ - 1 : number_; }
    [[nodiscard]] std::uint64_t memory() const;

    // A piece has so many bytes at most, about.
    static std::uint64_t piece_bytes(std::uint64_t limit);

private:
    [[nodiscard]] bool is_full() const;
    // Of the piece that is being written: something that a reader of its file can take.
    [[nodiscard]] bool has_chunk() const { return writer_->frames_taken() > writer_->frames_waiting(); }
    void take_back();
    bool fail(const Error& error, std::size_t not_taken = 0);
    bool rewrite(Time now);
    Result<void> begin(Time now);
    bool end_piece(std::size_t not_taken);
    void add_up();
    Result<void> append(const retain::Delivery& delivery);
    void count();
    void forget_written(std::size_t not_taken = 0);

    Spool& spool_;
    std::string capture_;
    std::uint64_t number_ = 0;
    std::optional<capture::CaptureWriter> writer_;  // of the piece that is being written
    std::optional<capture::CaptureWriter> ended_;  // of the piece before, until the next begins: what was open goes on there
    bool is_broken_ = false;                       // the piece's file lacks its end
    capture::StreamHead head_;
    std::vector<retain::Delivery> waiting_;   // not in the file yet
    capture::CaptureWriter::Written before_;  // of earlier pieces
    std::uint64_t counted_ = 0;               // bytes of the piece that the spool knows of
    capture::PieceFill fill_;                 // of the piece
    Time begun_;
    std::string problem_;
};

}  // namespace sla::publish
