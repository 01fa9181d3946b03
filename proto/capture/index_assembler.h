// Puts a CaptureIndex together, chunk by chunk. Private to the room, and to other places that captures are kept in.
#pragma once

#include "proto/capture/capture_index.h"

#include <cstdint>
#include <map>

namespace sla::capture {

class IndexAssembler {
public:
    explicit IndexAssembler(std::uint64_t bytes);

    // False when the capture claims more than it can hold.
    bool add(const ChunkDetail& detail);
    // In all there will be so many times what was added so far, or about: memory for it is taken once.
    void expect(std::size_t times);
    [[nodiscard]] std::size_t chunks() const { return index_.chunks_.size(); }
    // Of some chunk the states before it are not known.
    void set_states_unknown() { index_.states_known_ = false; }
    // The same.
    [[nodiscard]] bool add_lasting(std::string frame);
    // Everything was added last chunk first.
    void turn_round();
    void set_made_anew(std::vector<Damage> damage);
    CaptureIndex finish(bool finished);

private:
    CaptureIndex index_;
    std::map<ChannelId, CaptureIndex::Lane> lanes_;
    std::uint64_t rows_left_;
    std::uint64_t lasting_left_;  // bytes
};

}  // namespace sla::capture
