// Summaries of the chunks of a capture while it is written: frames go in, the contents of summary and index chunks come out.
#pragma once

#include "proto/capture/frame_facts.h"
#include "proto/capture/summary.pb.h"
#include "proto/capture/summary/chunk_summary.h"
#include "proto/capture/summary/lane_rows.h"
#include "proto/capture/summary/lane_summarizer.h"
#include "proto/capture/summary/row_numbers.h"
#include "proto/wire/batch_parser.h"
#include "proto/wire/capture.pb.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sla::capture {

// Memory: one LaneSummarizer for each channel that had rows in this chunk or the one before, or has a span open; of any other
// a few bytes, and those only if it ever had a span or has a level; of one that the stream says was retired nothing. Beside
// that the index, until it is taken. One owner, one thread.
class SummaryCollector {
public:
    // kCloseHoles: of frames that are still to be written, and that with the numbers which are told here (RowNumbers).
    enum class Numbers { kAsTheyAre, kCloseHoles };
    explicit SummaryCollector(Numbers numbers = Numbers::kAsTheyAre) : closes_holes_(numbers == Numbers::kCloseHoles) {}

    // A batch that cannot be read is known by its facts; one that they have a summary of is not read. Gives what is to be taken
    // off the number of the batch's first row.
    std::uint64_t add_frame(std::string_view message, const FrameFacts& facts);
    // The summary of the chunk made of the frames since the last call.
    ChunkDetail close_chunk(const ChunkPlace& place) {
        ChunkDetail detail;
        close_chunk(place, detail);
        return detail;
    }
    // What `out` holds of memory is used again.
    void close_chunk(const ChunkPlace& place, ChunkDetail& out);

    // The next frames are of another file of the same stream: what holds of levels and open spans goes on, numbers of spans
    // and chunks begin anew. Call behind take_index().
    void begin_file();

    // In frames since the last chunk was closed; and of so many channels.
    [[nodiscard]] std::uint64_t rows() const { return rows_; }
    [[nodiscard]] std::size_t lanes_with_rows() const { return lanes_with_rows_; }
    // For tests: channels that it has a summarizer for.
    [[nodiscard]] std::size_t lane_count() const { return lanes_.size(); }
    // What channels take in memory, about: as of the last chunk, with those that came since.
    [[nodiscard]] std::size_t bytes() const { return lane_bytes_ + resting_.size() * kRestBytes + numbers_.bytes(); }
    // What waits for the next summary and the next index, in memory, about.
    [[nodiscard]] std::size_t waiting_bytes() const {
        return index_rows_.capacity() * sizeof(IndexRow) + index_singles_ * sizeof(CrossedSpan) + lasting_bytes_;
    }
    [[nodiscard]] bool index_due() const;
    // The index chunk's contents for the chunks closed since the last call; `previous` is the offset of the index chunk
    // before.
    std::string take_index(std::uint64_t previous);

private:
    std::uint64_t add_batch(const wire::Batch& batch);
    bool add_summed_up(const FrameFacts& facts);
    void keep(std::string_view message, wire::Frame::BodyCase body);
    LaneSummarizer& lane(std::uint32_t channel);
    void retire(const wire::Retired& retired);
    void put_to_rest(std::uint32_t channel, const LaneSummarizer& lane);

    static constexpr std::size_t kNodeBytes = 48;  // of a map, beside what is in it
    static constexpr std::size_t kRestBytes = 56;
    static constexpr std::size_t kStringBytes = 72;  // beside its letters

    bool closes_holes_;
    RowNumbers numbers_;
    wire::BatchParser parser_;
    wire::Frame frame_;
    wire::EventBatch events_;  // its memory is kept from call to call
    std::map<std::uint32_t, LaneSummarizer> lanes_;
    std::unordered_map<std::uint32_t, LaneSummarizer::Rest> resting_;  // channels that are in no other map
    std::size_t lane_bytes_ = 0;
    std::uint64_t rows_ = 0;
    std::size_t lanes_with_rows_ = 0;
    std::vector<std::uint32_t> retired_;  // in this chunk: nothing of them follows
    BinCounter bin_counter_;
    std::vector<std::string> lasting_;  // of the chunk
    std::string status_;                // the newest of the chunk
    std::vector<IndexRow> index_rows_;  // of the next index
    Index index_;                       // all else of it
    std::string index_status_;          // the newest of the index
    std::size_t index_bytes_ = 0;
    std::size_t index_singles_ = 0;  // spans and losses
    std::size_t lasting_bytes_ = 0;  // of the chunk and of the index, in memory
};

}  // namespace sla::capture
