// The frames of a capture in a fleet, chunk after chunk in order of its pieces.
#pragma once

#include "proto/capture/capture_index.h"
#include "proto/capture/chunk_reader.h"
#include "proto/capture/frame_source.h"
#include "proto/capture/pieces/repeated_names.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sla::fleet {

// A chunk that cannot be fetched is damage; the names in it come from its summary.
class FleetFrames final : public capture::FrameSource {
public:
    // `names_first`: those that the index knows come before all else, since the frames that gave them are gone. `head`, where
    // it is not empty, before these.
    FleetFrames(std::shared_ptr<const capture::CaptureIndex> index, capture::ChunkReader chunks, bool names_first,
                const std::string& head);

    std::optional<std::string_view> next() override;
    [[nodiscard]] const std::vector<capture::Damage>& damage() const override { return damage_; }
    [[nodiscard]] bool finished() const override { return true; }
    [[nodiscard]] std::uint64_t bytes() const override { return index_->file_bytes(); }
    [[nodiscard]] std::uint64_t position() const override { return position_; }

private:
    std::optional<std::string_view> next_of_chunk();
    void load_next();

    std::shared_ptr<const capture::CaptureIndex> index_;
    capture::ChunkReader chunks_;
    std::vector<capture::Damage> damage_;
    std::map<std::uint64_t, capture::Damage> gone_;  // by place: chunks that are known to be
    std::size_t begun_ = 0;                          // chunks
    std::uint64_t position_ = 0;
    std::vector<std::string> rescued_;  // given without the frames that are gone; the last one first
    std::string frame_;                 // handed out of those
    capture::RepeatedNames names_;
};

}  // namespace sla::fleet
