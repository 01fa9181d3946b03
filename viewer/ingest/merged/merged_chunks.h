// The chunks of a merged capture: those of its parts, with other ids and ticks. Private to the room.
#pragma once

#include "proto/capture/chunk_reader.h"
#include "proto/capture/chunk_store.h"
#include "viewer/ingest/frame_item.h"
#include "viewer/ingest/merged/merged_parts.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sla::ingest {

class MergedChunks final : public capture::ChunkStore {
public:
    static Result<std::unique_ptr<MergedChunks>> open(std::shared_ptr<const MergedParts> parts);

    Result<capture::ChunkHeader> fetch_frames(const capture::ChunkPlace& place, std::string& stored) override;
    Result<capture::ChunkHeader> fetch_summary(const capture::ChunkPlace& place, std::string& stored) override;
    bool set_timeout(std::chrono::milliseconds timeout) override;
    // Each is moved before it is given.
    [[nodiscard]] bool is_elsewhere() const override { return true; }
    [[nodiscard]] std::string describe(const capture::ChunkPlace& place) const override;

private:
    // One part's, opened when it is asked for.
    struct Own {
        const MergedPart& part;
        capture::ChunkReader& reader;
        capture::ChunkPlace place;
    };
    explicit MergedChunks(std::shared_ptr<const MergedParts> parts)
        : parts_(std::move(parts)), readers_(parts_->parts().size()) {}
    Result<Own> find(const capture::ChunkPlace& place);

    std::shared_ptr<const MergedParts> parts_;
    std::vector<std::optional<capture::ChunkReader>> readers_;
    std::optional<std::chrono::milliseconds> timeout_;  // nothing: as each has it
};

// A serialized frame of a part as the whole has it: nothing when it has none such.
std::optional<std::string> moved_frame(const MergedPart& part, const FrameItem& item);

}  // namespace sla::ingest
