// IndexJoin: the indices of the pieces of one run, put together to one.
//
//   piece        1                2                3
//   chunks       0 1 2 3          0 1 2            0 1 2 3        numbers and places go on: 4, 5, 6 ...
//   span ids     0 1 2            -1 0 1           -2 0           less than 0: begun in an earlier piece
//   joined       0 1 2             2 3 4            3 5           plus the spans that began before it
//
// What a lane holds where a piece begins (level, spans open) is what it held where the one before it ended: then its states
// are known all through. Pieces that begin anew where something was open are not: their states are unknown (CaptureIndex).
#pragma once

#include "proto/capture/capture_index.h"
#include "proto/capture/pieces/repeated_names.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sla::capture {

class IndexJoin {
public:
    // The next piece; `begin` is added to the places of its chunks and of its damage.
    void add(CaptureIndex piece, std::uint64_t begin);
    // Another capture beside what is here: its lanes, whose channels nobody else has and whose chunk numbers count from 0, and
    // where its chunks are. Nothing of it is checked against the others; of its names only what add_frame() is given counts.
    void add_beside(const CaptureIndex& other, std::vector<CaptureIndex::Lane> lanes, std::vector<ChunkPlace> chunks);
    void add_frame(std::string lasting) { out_.lasting_.push_back(std::move(lasting)); }
    // Where pieces are missing.
    void add_damage(Damage damage) { out_.damage_.push_back(std::move(damage)); }
    // In the place of a piece that cannot be read.
    void add_unreadable(Damage damage) {
        add_damage(std::move(damage));
        out_.finished_ = false;  // unless the next one is
    }
    CaptureIndex finish(std::uint64_t bytes);

private:
    void join_lane(CaptureIndex::Lane&& piece, std::uint32_t first_chunk);
    // Its first summary follows on the last one of the lane.
    void join_states(const LaneSummary& last, LaneSummary& first);
    void add_lasting(std::vector<std::string>&& frames);

    CaptureIndex out_;
    bool has_others_ = false;                                 // beside each other
    std::unordered_map<std::uint32_t, std::size_t> lane_of_;  // by channel
    std::unordered_map<std::uint32_t, std::uint64_t> begun_;  // by channel: spans in all pieces so far
    RepeatedNames names_;
    std::size_t newest_lasting_ = 0;  // of the newest piece, from there on
};

}  // namespace sla::capture
