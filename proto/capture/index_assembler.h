// Puts a CaptureIndex together, chunk by chunk or index chunk by index chunk. Private to the room, and to other places that
// captures are kept in.
#pragma once

#include "proto/capture/capture_index.h"
#include "proto/capture/summary/lane_rows.h"

#include <cstdint>
#include <map>

namespace sla::capture {

class IndexAssembler {
public:
    explicit IndexAssembler(std::uint64_t bytes);

    // What is added from now on lies before all that was added so far: for who reads from the end.
    void begin_part_before();
    // Behind what was added to the part. False when the capture claims more than it can hold.
    [[nodiscard]] bool add(const ChunkDetail& detail);
    [[nodiscard]] bool add_lasting(std::string frame);
    // All of a channel in the chunks of a part, before those are added, which then come without their lanes.
    [[nodiscard]] bool add_lane(ChannelId channel, LaneBlock&& block);
    // Of some chunk the states before it are not known.
    void set_states_unknown() { index_.states_known_ = false; }
    void set_made_anew(std::vector<Damage> damage);
    CaptureIndex finish(bool finished);

private:
    struct Part {
        std::vector<ChunkPlace> chunks;
        std::vector<std::string> lasting;
    };
    // A channel's share of a part.
    struct Share {
        std::size_t part = 0;
        LaneBlock rows;
        std::vector<CrossedSpan> crossed;
        std::vector<GapRow> gaps;
    };
    using Shares = std::vector<Share>;

    bool claim(std::size_t entries);
    void add_singles(const ChunkDetail& detail);
    Share& share_of(Shares& shares) const;
    [[nodiscard]] CaptureIndex::Lane lane_of(ChannelId channel, Shares& shares,
                                             const std::vector<std::uint32_t>& first_chunks) const;

    CaptureIndex index_;
    std::vector<Part> parts_{1};
    std::map<ChannelId, Shares> lanes_;
    std::size_t chunks_ = 0;
    std::uint64_t rows_left_;
    std::uint64_t lasting_left_;  // bytes
};

}  // namespace sla::capture
