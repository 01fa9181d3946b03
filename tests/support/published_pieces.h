// Publishes capture files as pieces of a capture in a fleet, message after message as an agent does, to wherever put() takes
// them.
#pragma once

#include "proto/capture/chunk_scanner.h"
#include "proto/capture/summary.pb.h"
#include "proto/fleet/fleet.pb.h"
#include "proto/fleet/headers.h"
#include "proto/fleet/names.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace sla::support {

struct PublishedName {
    std::string fleet = "lab";
    std::uint32_t shard = 0;
    std::string host = "web-1";
    std::string capture = "20261124T170000-1234";
};

// put(subject, headers, body) -> where it is in the stream.
using PutMessage = std::function<std::uint64_t(const std::string&, const fleet::MessageHeaders&, const std::string&)>;

class PiecePublisher {
public:
    PiecePublisher(PublishedName name, PutMessage put) : name_(std::move(name)), put_(std::move(put)) {}

    // False: the file is no sound capture. Without its index messages when not `with_index`: as of one that is being published.
    bool publish(const std::string& file, std::uint64_t piece, bool with_index = true) {
        auto opened = capture::File::open(file);
        auto second = capture::File::open(file);
        if (!opened || !second) return false;
        capture::ChunkScanner scanner(std::move(*opened), capture::kFileHeaderBytes);
        std::vector<capture::ChunkScanner::Chunk> chunks;
        std::vector<std::string> contents;
        std::string raw;
        while (const auto chunk = scanner.next(raw)) {
            chunks.push_back(*chunk);
            contents.push_back(chunk->header.kind == capture::ChunkKind::kFrames ? std::string() : raw);
        }
        std::map<std::uint64_t, std::uint64_t> frames_at;  // by sequence of the frames
        std::map<std::uint64_t, std::uint64_t> summaries_at;
        for (std::size_t i = 0; i < chunks.size(); ++i) {
            std::string body(capture::kChunkHeaderBytes + chunks[i].header.stored_bytes, '\0');
            if (second->read_at(chunks[i].offset, body.data(), body.size()) != body.size()) return false;
            const std::uint64_t sequence = chunks[i].header.sequence;
            switch (chunks[i].header.kind) {
                case capture::ChunkKind::kFrames:
                    frames_at[sequence] = put(piece, sequence, fleet::Kind::kFrames, 0, false, body);
                    break;
                case capture::ChunkKind::kSummary: {
                    const std::uint64_t of = sequence - 1;
                    summaries_at[of] = put(piece, sequence, fleet::Kind::kSummary, frames_at[of], false, body);
                    break;
                }
                case capture::ChunkKind::kIndex: {
                    if (!with_index) break;
                    capture::Index index;
                    if (!index.ParseFromString(contents[i])) return false;
                    fleet::FleetIndex message;
                    message.set_chunk(body);
                    for (const auto& chunk : index.chunks()) {
                        message.add_frames_at(frames_at[chunk.sequence()]);
                        message.add_summaries_at(summaries_at[chunk.sequence()]);
                    }
                    put(piece, sequence, fleet::Kind::kIndex, 0, i + 1 == chunks.size(), message.SerializeAsString());
                    break;
                }
            }
        }
        return !chunks.empty();
    }

private:
    std::uint64_t put(std::uint64_t piece, std::uint64_t sequence, fleet::Kind kind, std::uint64_t of, bool is_end,
                      const std::string& body) {
        fleet::MessageHeaders headers;
        headers.id = {name_.host, "boot", name_.capture, piece, sequence, kind};
        headers.frames_at = of;
        headers.is_end = is_end;
        return put_(fleet::Subject{name_.fleet, name_.shard, name_.host, name_.capture, kind}.text(), headers, body);
    }

    PublishedName name_;
    PutMessage put_;
};

}  // namespace sla::support
