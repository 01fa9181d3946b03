// Single chunks of a capture, in any order: what a CaptureIndex points at.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/chunk.h"
#include "proto/capture/chunk_store.h"
#include "proto/capture/file.h"
#include "proto/capture/summary/chunk_summary.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sla::capture {

// One owner, one thread; open one for each thread that reads. Unpacking takes about a millisecond a chunk.
class ChunkReader {
public:
    // Of one file.
    static Result<ChunkReader> open(const std::string& path);
    // Of a file that is being written by this program.
    explicit ChunkReader(File file);
    explicit ChunkReader(std::unique_ptr<ChunkStore> store) : store_(std::move(store)) {}

    // ChunkStore's.
    bool set_timeout(std::chrono::milliseconds timeout) { return store_->set_timeout(timeout); }

    // Of the chunk's bytes only the checksum is looked at; some 100 us of 512 KiB. The same errors but those of unpacking.
    Result<void> check(const ChunkPlace& place);
    // ChunkStore's.
    [[nodiscard]] bool is_elsewhere() const { return store_->is_elsewhere(); }

    // Unpacks a chunk of frames. The error says what is damaged, and where.
    Result<void> load(const ChunkPlace& place);
    // The loaded chunk's next serialized wire::Frame (valid until the next load), or nothing at its end.
    std::optional<std::string_view> next() { return take_frame(contents_); }

    // Cells and open spans, from the chunk's summary. An error when that is missing or damaged: load the chunk then and
    // summarize its events.
    Result<ChunkDetail> detail(const ChunkPlace& place);

    // Sums over the intervals of the chunk's channels, from the same summary; some 50 us. False: it has none, or is damaged.
    bool intervals(const ChunkPlace& place, ChunkIntervals& out);

private:
    // Into stored_.
    Result<ChunkHeader> fetch(const ChunkPlace& place);
    // False when it is not there, or not sound.
    bool load_summary(const ChunkPlace& place);

    std::unique_ptr<ChunkStore> store_;
    ChunkUnpacker unpacker_;
    std::string stored_;
    std::string raw_;
    std::string summary_;  // its memory is kept
    std::string_view contents_;
};

}  // namespace sla::capture
