#include "viewer/fleet/fleet_chunks.h"

#include <fmt/format.h>

#include <algorithm>

namespace sla::fleet {

const ChunkAddress* FleetPlaces::find(std::uint64_t frames_at) const {
    const auto at = std::lower_bound(addresses.begin(), addresses.end(), frames_at,
                                     [](const ChunkAddress& one, std::uint64_t wanted) { return one.frames_at < wanted; });
    return at == addresses.end() || at->frames_at != frames_at ? nullptr : &*at;
}

std::string FleetChunks::describe(const capture::ChunkPlace& place) const {
    return fmt::format("{} (message {})", places_->text, place.offset);
}

Result<capture::ChunkHeader> FleetChunks::fetch(const capture::ChunkPlace& place, Kind kind, std::string& stored) {
    const auto wrong = [&](std::string_view what) { return damaged(fmt::format("{}: {}", describe(place), what)); };
    const ChunkAddress* const address = places_->find(place.offset);
    const std::uint64_t at = address == nullptr ? 0 : kind == Kind::kFrames ? address->frames_at : address->summary_at;
    if (at == 0) return wrong("this chunk was dropped before it reached the cluster");
    constexpr std::string_view kGone = "the stream does not keep it any more";
    if (address->is_gone && kind == Kind::kFrames) return wrong(kGone);
    Result<StoredMessage> message = store_->get(at, timeout_);
    if (!message && message.error().code == ErrorCode::kNotFound) return wrong(kGone);
    if (!message) return message.error();
    if (message->sequence != at || !message->headers) return wrong("the cluster answers with something else");
    const MessageId& id = message->headers->id;
    const bool is_listed = id.host == places_->name.host && id.capture == places_->name.capture &&
                           id.piece == address->piece && id.kind == kind &&
                           (kind != Kind::kFrames || id.sequence == address->sequence);
    if (!is_listed) return wrong("the message is not the one that the index tells of");
    const auto header = capture::decode_chunk_header(message->body);
    if (!header || header->sequence != id.sequence) return wrong("these bytes are no chunk");
    if (message->body.size() != capture::kChunkHeaderBytes + header->stored_bytes) return wrong("its length is wrong");
    stored = std::move(message->body);
    stored.erase(0, capture::kChunkHeaderBytes);
    return *header;
}

Result<capture::ChunkHeader> FleetChunks::fetch_frames(const capture::ChunkPlace& place, std::string& stored) {
    return fetch(place, Kind::kFrames, stored);
}

Result<capture::ChunkHeader> FleetChunks::fetch_summary(const capture::ChunkPlace& place, std::string& stored) {
    return fetch(place, Kind::kSummary, stored);
}

}  // namespace sla::fleet
