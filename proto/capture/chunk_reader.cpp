#include "proto/capture/chunk_reader.h"

#include "proto/capture/closing.h"
#include "proto/capture/summary.pb.h"
#include "proto/wire/frame_codec.h"

#include <fmt/format.h>

#include <array>

namespace sla::capture {
namespace {

std::uint64_t summary_offset(const ChunkPlace& place) {
    return place.offset + kChunkHeaderBytes + place.stored_bytes;
}

}  // namespace

Result<ChunkReader> ChunkReader::open(const std::string& path) {
    Result<File> file = File::open(path);
    if (!file) return file.error();
    if (const Result<bool> sound = check_file_header(*file); !sound) return sound.error();
    return ChunkReader(std::move(*file));
}

Result<ChunkHeader> ChunkReader::unpack(std::uint64_t offset, std::string& raw) {
    const auto wrong = [&](const std::string& what) {
        return damaged(fmt::format("'{}': {} (chunk at {})", file_.path(), what, offset));
    };
    std::array<char, kChunkHeaderBytes> record;
    const auto header = decode_chunk_header({record.data(), file_.read_at(offset, record.data(), record.size())});
    if (!header) return wrong("these bytes are no chunk");
    if (offset + kChunkHeaderBytes + header->stored_bytes > file_.bytes()) return wrong("cut off in the middle of a chunk");
    stored_.resize(header->stored_bytes);
    if (file_.read_at(offset + kChunkHeaderBytes, stored_.data(), stored_.size()) != stored_.size()) {
        return wrong("reading failed");
    }
    if (Result<void> unpacked = unpacker_.unpack(*header, stored_, raw); !unpacked) return wrong(unpacked.error().message);
    return *header;
}

Result<void> ChunkReader::load(const ChunkPlace& place) {
    contents_ = {};
    const Result<ChunkHeader> header = unpack(place.offset, raw_);
    if (!header) return header.error();
    if (header->kind != ChunkKind::kFrames) return damaged(fmt::format("'{}': no frames at {}", file_.path(), place.offset));
    contents_ = raw_;
    return {};
}

bool ChunkReader::intervals(const ChunkPlace& place, ChunkIntervals& out) {
    const Result<ChunkHeader> header = unpack(summary_offset(place), summary_);
    return header.ok() && header->kind == ChunkKind::kSummary && read_intervals(summary_, place.sequence, out);
}

Result<ChunkDetail> ChunkReader::detail(const ChunkPlace& place) {
    const std::uint64_t offset = summary_offset(place);
    std::string raw;
    const Result<ChunkHeader> header = unpack(offset, raw);
    if (!header) return header.error();
    ChunkSummary message;
    ChunkDetail detail;
    const bool sound = header->kind == ChunkKind::kSummary && wire::parse_message(raw, message) &&
                       decode_detail(message, detail) && detail.place.sequence == place.sequence;
    if (!sound) return damaged(fmt::format("'{}': no summary at {}", file_.path(), offset));
    detail.place = place;
    return detail;
}

}  // namespace sla::capture
