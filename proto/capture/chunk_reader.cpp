#include "proto/capture/chunk_reader.h"

#include "proto/capture/file_chunks.h"
#include "proto/capture/summary.pb.h"
#include "proto/wire/frame_codec.h"

namespace sla::capture {

Result<ChunkReader> ChunkReader::open(const std::string& path) {
    Result<FileChunks> file = FileChunks::open(path);
    if (!file) return file.error();
    return ChunkReader(std::make_unique<FileChunks>(std::move(*file)));
}

ChunkReader::ChunkReader(File file) : store_(std::make_unique<FileChunks>(std::move(file))) {}

Result<ChunkHeader> ChunkReader::fetch(const ChunkPlace& place) {
    Result<ChunkHeader> header = store_->fetch_frames(place, stored_);
    if (header && header->kind != ChunkKind::kFrames) return damaged(store_->describe(place) + ": these are no frames");
    return header;
}

Result<void> ChunkReader::check(const ChunkPlace& place) {
    const Result<ChunkHeader> header = fetch(place);
    if (!header) return header.error();
    const Result<void> checked = check_stored(*header, stored_);
    return checked ? checked : damaged(store_->describe(place) + ": " + checked.error().message);
}

Result<void> ChunkReader::load(const ChunkPlace& place) {
    contents_ = {};
    const Result<ChunkHeader> header = fetch(place);
    if (!header) return header.error();
    if (Result<void> unpacked = unpacker_.unpack(*header, stored_, raw_); !unpacked) {
        return damaged(store_->describe(place) + ": " + unpacked.error().message);
    }
    contents_ = raw_;
    return {};
}

bool ChunkReader::load_summary(const ChunkPlace& place) {
    const Result<ChunkHeader> header = store_->fetch_summary(place, stored_);
    return header.ok() && header->kind == ChunkKind::kSummary && unpacker_.unpack(*header, stored_, summary_);
}

bool ChunkReader::intervals(const ChunkPlace& place, ChunkIntervals& out) {
    return load_summary(place) && read_intervals(summary_, place.sequence, out);
}

Result<ChunkDetail> ChunkReader::detail(const ChunkPlace& place) {
    ChunkSummary message;
    ChunkDetail detail;
    const bool sound = load_summary(place) && wire::parse_message(summary_, message) && decode_detail(message, detail) &&
                       detail.place.sequence == place.sequence;
    if (!sound) return damaged(store_->describe(place) + ": its summary is missing or damaged");
    detail.place = place;
    return detail;
}

}  // namespace sla::capture
