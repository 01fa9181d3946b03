// MergeRows: the rows of a merge, and loss rows for those that damaged inputs no longer have. Files of one recording count its
// rows by the same numbers: what one of them has is not gone, and what is gone any of them may tell of.
#pragma once

#include "proto/capture/capture_writer.h"
#include "viewer/capture_tools/merge_input.h"
#include "viewer/capture_tools/merged_recordings.h"
#include "viewer/capture_tools/row_sender.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>

namespace sla::capture_tools {

class MergeRows {
public:
    // They outlive it.
    MergeRows(const MergeInputs& inputs, const MergedRecordings& recordings, capture::CaptureWriter& writer);
    MergeRows(const MergeRows&) = delete;
    MergeRows& operator=(const MergeRows&) = delete;

    // Rows before that tick only tell what held there. Before the first row.
    void begin_at(std::uint64_t tick) { begin_ = tick; }
    // Of an input that may be damaged: where its channels begin. As soon as its index is known.
    void expect(MergeInput& input);
    Result<void> send(MergeInput& input, const MergeInput::Item& item);
    // An input is read to its end.
    Result<void> end(MergeInput& input);

    // Rows of it are gone and no gap row stands for them: at its edges, or nobody knows how many.
    [[nodiscard]] bool leaves_pending(const MergeInput& input) const;
    [[nodiscard]] std::uint64_t newest_tick() const { return sender_.newest_tick(); }
    [[nodiscard]] std::uint64_t rows() const { return sender_.rows(); }
    [[nodiscard]] std::uint64_t missing() const { return sender_.missing(); }

private:
    [[nodiscard]] bool may_have_others_before(const MergeInput& input) const;
    [[nodiscard]] ingest::KnownRows::Missing missing_of(ChannelId channel, std::uint64_t first, std::uint64_t end) const;
    Result<void> send_held(const wire::EventBatch& batch, std::size_t begin, std::size_t end);
    Result<void> end_damaged(MergeInput& input);
    Result<void> send_end_of(MergeInput& input, const RowSender::Promised& promised);

    const MergeInputs& inputs_;
    const MergedRecordings& recordings_;
    MergeInput* source_ = nullptr;  // of the rows that are sent
    RowSender sender_;
    std::set<const MergeInput*> expected_;  // damaged ones, of which the sender knows where their channels begin
    std::set<ChannelId> whole_;             // those of them that have a first row
    std::map<const MergeInput*, std::uint64_t> missing_in_;  // rows of each for which a gap row stands
    std::uint64_t begin_ = 0;
};

}  // namespace sla::capture_tools
