#include "agent/publish/chunk_walker.h"

#include <fmt/format.h>

#include <array>

namespace sla::publish {

using capture::kChunkHeaderBytes;
using capture::kClosingMarkBytes;

Result<ChunkWalker> ChunkWalker::open(const std::string& path) {
    Result<capture::File> file = capture::File::open(path);
    if (!file) return file.error();
    Result<capture::File> growing = file->read_while_written();
    if (!growing) return growing.error();
    return ChunkWalker(std::move(*growing));
}

Result<std::optional<ChunkWalker::Place>> ChunkWalker::nothing(bool is_complete) const {
    if (!is_complete) return std::optional<Place>();
    return damaged(
        fmt::format("'{}' was complete, and at {}, where chunk {} or its closing mark should be, it cannot be read",
                    file_.path(), position_, chunks_));
}

Result<std::optional<ChunkWalker::Place>> ChunkWalker::next(bool is_complete) {
    std::array<char, kChunkHeaderBytes> record;
    const std::size_t got = file_.read_at(position_, record.data(), record.size());
    const std::string_view bytes(record.data(), got);
    if (got >= kClosingMarkBytes && capture::decode_closing_mark(bytes)) {
        is_finished_ = true;
        return std::optional<Place>();
    }
    if (got < kChunkHeaderBytes) return nothing(is_complete);
    const auto header = capture::decode_chunk_header(bytes);
    if (!header || header->sequence != chunks_)
        return damaged(
            fmt::format("'{}' holds no chunk at {}, where number {} should be", file_.path(), position_, chunks_));
    const Place place{position_, *header};
    char last = 0;
    const std::uint64_t end = position_ + place.bytes();
    if (header->stored_bytes > 0 && file_.read_at(end - 1, &last, 1) != 1) return nothing(is_complete);
    position_ = end;
    chunks_++;
    return std::optional<Place>(place);
}

Result<std::string> ChunkWalker::read(const Place& place) const {
    std::string bytes(place.bytes(), '\0');
    if (file_.read_at(place.offset, bytes.data(), bytes.size()) != bytes.size())
        return unavailable(fmt::format("chunk {} of '{}' cannot be read any more", place.header.sequence, file_.path()));
    return bytes;
}

}  // namespace sla::publish
