// The chunks of a capture file one after the other, as they stand in it, also of one that is being written: what is not whole
// yet comes when it is. One owner, one thread.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/file.h"
#include "proto/capture/file_format.h"

#include <optional>
#include <string>

namespace sla::publish {

class ChunkWalker {
public:
    static Result<ChunkWalker> open(const std::string& path);

    struct Place {
        std::uint64_t offset = 0;
        capture::ChunkHeader header;
        [[nodiscard]] std::size_t bytes() const { return capture::kChunkHeaderBytes + header.stored_bytes; }
    };
    // The next one, if it is whole. An error: what is there is no chunk, and never will be. Of a file that has its closing mark
    // (`is_complete`), which nobody writes any more, that is also what cannot be read.
    Result<std::optional<Place>> next(bool is_complete = false);
    // Header and stored bytes.
    [[nodiscard]] Result<std::string> read(const Place& place) const;
    // The closing mark was met.
    [[nodiscard]] bool is_finished() const { return is_finished_; }
    [[nodiscard]] std::uint64_t chunks() const { return chunks_; }

private:
    [[nodiscard]] Result<std::optional<Place>> nothing(bool is_complete) const;
    explicit ChunkWalker(capture::File file) : file_(std::move(file)) {}

    capture::File file_;
    std::uint64_t position_ = capture::kFileHeaderBytes;
    std::uint64_t chunks_ = 0;
    bool is_finished_ = false;
};

}  // namespace sla::publish
