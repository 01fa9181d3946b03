// The chunk in a message's body. Private to the room.
#pragma once

#include "proto/capture/chunk.h"
#include "viewer/fleet/fleet_catalog.h"
#include "viewer/fleet/message_store.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sla::fleet {

// It claims to be of this capture and that kind.
inline bool is_of(const CaptureName& name, const StoredMessage& message, Kind kind) {
    if (!message.headers) return false;
    const MessageId& id = message.headers->id;
    return id.kind == kind && id.host == name.host && id.capture == name.capture;
}

// The contents of a chunk in a message's body, when it is of that kind and says that sequence.
inline bool unpack_chunk(std::string_view body, capture::ChunkKind kind, std::uint64_t sequence, std::string& raw) {
    const auto header = capture::decode_chunk_header(body);
    if (!header || header->kind != kind || header->sequence != sequence) return false;
    static thread_local capture::ChunkUnpacker unpacker;  // to make one costs more than to unpack a summary
    return unpacker.unpack(*header, body.substr(capture::kChunkHeaderBytes), raw).ok();
}

}  // namespace sla::fleet
