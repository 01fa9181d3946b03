// The index of a capture file: where its chunks are and what is in them. Collected while writing, read back for random
// access; reading the file in order needs none of it.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/frame_facts.h"
#include "proto/capture/index.pb.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sla::capture {

// One owner, one thread. Memory is bounded by taking the index out now and then.
class IndexCollector {
public:
    void add_frame(const FrameFacts& facts);
    // The frames added since the last chunk are in the chunk at that offset.
    void close_chunk(std::uint64_t offset);

    [[nodiscard]] int chunks() const { return index_.chunks_size(); }
    // The index chunk's contents for the chunks closed since the last call; `previous` is the offset of the index chunk
    // before.
    std::string take(std::uint64_t previous);

private:
    Index index_;
    std::uint32_t frames_ = 0;
    std::uint32_t other_frames_ = 0;
    std::map<std::uint32_t, Index::Channel> channels_;
};

// The chunks of frames in file order, of a file that was finished. Any file that was not, or whose index is damaged, gives
// an error: read it in order then.
Result<std::vector<Index::Chunk>> read_index(const std::string& path);

}  // namespace sla::capture
