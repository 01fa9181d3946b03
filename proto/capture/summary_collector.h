// Summaries of the chunks of a capture while it is written: frames go in, the contents of summary and index chunks come out.
#pragma once

#include "proto/capture/chunk_summary.h"
#include "proto/capture/frame_facts.h"
#include "proto/capture/lane_summarizer.h"
#include "proto/capture/summary.pb.h"
#include "proto/wire/capture.pb.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sla::capture {

// Memory: one LaneSummarizer a channel, until the stream says that it was retired, and the index until it is taken. One
// owner, one thread.
class SummaryCollector {
public:
    // A batch that cannot be read is known by its facts.
    void add_frame(std::string_view message, const FrameFacts& facts);
    // The summary of the chunk made of the frames since the last call.
    ChunkDetail close_chunk(const ChunkPlace& place);

    // Channels that it remembers something of.
    [[nodiscard]] std::size_t lane_count() const { return lanes_.size(); }
    [[nodiscard]] bool index_due() const;
    // The index chunk's contents for the chunks closed since the last call; `previous` is the offset of the index chunk
    // before.
    std::string take_index(std::uint64_t previous);

private:
    void add_batch(const wire::Batch& batch);
    void keep(std::string_view message, wire::Frame::BodyCase body);
    LaneSummarizer& lane(std::uint32_t channel);
    void retire(const wire::Retired& retired);

    wire::Frame frame_;        // its memory is kept from call to call,
    wire::EventBatch events_;  // as are these columns
    std::map<std::uint32_t, LaneSummarizer> lanes_;
    std::vector<std::uint32_t> retired_;  // in this chunk: nothing of them follows
    BinCounter bin_counter_;
    std::vector<std::string> lasting_;  // of the chunk
    std::string status_;                // the newest of the chunk
    Index index_;
    std::string index_status_;  // the newest of the index
    std::size_t index_bytes_ = 0;
};

}  // namespace sla::capture
