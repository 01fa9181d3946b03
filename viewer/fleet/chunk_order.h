// How a capture's chunks of frames follow on one another: by piece, and by their sequence in it, which summaries and indices
// share.
//
//   piece 1   F S F S ... F S I       F: frames, S: summary, I: index        piece 2   F S ...
//             0 1 2 3                 the next F is 2 further, or 3 behind an index
#pragma once

#include <cstdint>

namespace sla::fleet {

struct ChunkKey {
    std::uint64_t piece = 0;
    std::uint64_t sequence = 0;  // of the frames, in the piece
    auto operator<=>(const ChunkKey&) const = default;
};

// Nothing lies between the two. `ends_piece`: the first one is the last of its piece.
constexpr bool follows(const ChunkKey& before, bool ends_piece, const ChunkKey& next) {
    if (next.piece == before.piece && !ends_piece)
        return next.sequence - before.sequence == 2 || next.sequence - before.sequence == 3;
    return ends_piece && next.piece == before.piece + 1 && next.sequence == 0;
}

// An agent has so many chunks on their way at most, so that the last ones may be there in any order.
inline constexpr std::size_t kChunksOnTheWay = 64;

// Where someone goes on who has all chunks up to `last`.
struct TailStart {
    ChunkKey last;           // 0, 0: he has none
    bool ends_piece = true;  // it is the last of its piece
    std::uint64_t from_sequence = 0;  // of the stream: no later chunk's frames are before it
};

}  // namespace sla::fleet
