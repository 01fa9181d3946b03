// What a capture holds, known without unpacking its events: opened in a moment, however large the file is.
//
// A finished file's index is read from its end. Of any other (not finished, index damaged) it is made anew: from the
// summaries between the chunks, which are some hundredths of the file, and where one is missing from the events themselves.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/damage.h"
#include "proto/capture/summary/chunk_summary.h"
#include "proto/capture/summary/summary_blocks.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sla::capture {

// Immutable once open; any number of threads may read. Memory: 48 to 132 bytes a channel and chunk it is in, bounded by the
// file's length whatever the file says.
class CaptureIndex {
public:
    // One channel: summaries[i] is of the chunk chunks()[chunk_numbers[i]]. In order of time, never empty.
    struct Lane {
        ChannelId channel;
        SummaryBlocks summaries;
        std::vector<std::uint32_t> chunk_numbers;
        std::vector<CrossedSpan> crossed;  // in order of end: the spans that lie in more than one chunk and have ended
        std::vector<GapRow> gaps;
        // What must be added to the ids of spans that a ChunkReader's detail() of its last chunk gives: in pieces of a
        // capture they begin anew.
        std::uint64_t span_base = 0;

        [[nodiscard]] std::uint64_t rows() const { return summaries.back().first_index + summaries.back().rows; }
        // The first summary whose last_tick >= tick; summaries.size() when none.
        [[nodiscard]] std::size_t lower_bound(std::uint64_t tick) const;
    };

    // Of a file, or of what else a name stands for (capture_pieces.h). `progress` (may be empty) receives 0..1 while an
    // index is made anew; false stops it with an error.
    static Result<CaptureIndex> open(const std::string& name, const std::function<bool(double)>& progress = {});
    static Result<CaptureIndex> of_file(const std::string& path, const std::function<bool(double)>& progress);

    // In file order. Where they are: CaptureStore::open_chunks().
    [[nodiscard]] const std::vector<ChunkPlace>& chunks() const { return chunks_; }
    // Rising by channel.
    [[nodiscard]] const std::vector<Lane>& lanes() const { return lanes_; }
    [[nodiscard]] const Lane* lane(ChannelId channel) const;
    // For who makes something else of them and lets go of each in turn: of a large file they are most of the index. lanes()
    // is empty afterwards.
    [[nodiscard]] std::vector<Lane> take_lanes() { return std::exchange(lanes_, {}); }
    // Hello, sources, channels, threads, clocks, notices, shots, the end, and the newest status or more; serialized
    // wire::Frames in the stream's order.
    [[nodiscard]] const std::vector<std::string>& lasting() const { return lasting_; }

    [[nodiscard]] std::uint64_t file_bytes() const { return file_bytes_; }
    [[nodiscard]] bool finished() const { return finished_; }
    // The index was not in the file; damage() is what the search for it met.
    [[nodiscard]] bool made_anew() const { return made_anew_; }
    [[nodiscard]] const std::vector<Damage>& damage() const { return damage_; }
    // False: some chunk had no sound summary, so that levels, open spans and their numbers begin anew in it.
    [[nodiscard]] bool states_known() const { return states_known_; }

private:
    friend class IndexAssembler;
    friend class IndexJoin;
    CaptureIndex() = default;

    std::vector<ChunkPlace> chunks_;
    std::vector<Lane> lanes_;
    std::vector<std::string> lasting_;
    std::vector<Damage> damage_;
    std::uint64_t file_bytes_ = 0;
    bool finished_ = false;
    bool made_anew_ = false;
    bool states_known_ = true;
};

}  // namespace sla::capture
