// PartRows: which rows of a capture a part of it has, by the capture's index, and what is missing at the part's edges.
//
//   summaries   ┌──────┐   hole   ┌──────┐          ┌──────┐
//   part               [───────────────────)                   what is missing in the hole may lie in it, as far as it reaches
#pragma once

#include "proto/capture/capture_index.h"
#include "viewer/capture_tools/row_sender.h"

#include <cstdint>
#include <set>

namespace sla::capture_tools {

// One owner, one thread.
class PartRows {
public:
    // Rows of the wanted channels in [from, until); index and channels outlive it.
    PartRows(const capture::CaptureIndex& index, const std::set<ChannelId>& wanted, std::uint64_t from, std::uint64_t until)
        : index_(index), wanted_(wanted), from_(from), until_(until) {}

    // The chunks that have rows of it, by number.
    [[nodiscard]] std::set<std::uint32_t> chunks() const;
    // Before any row is sent.
    void begin(RowSender& sender) const;
    // When all of the chunks were sent: what is missing behind them, and of channels that a missing file left open.
    Result<void> end(RowSender& sender) const;

private:
    Result<void> end_lane(const capture::CaptureIndex::Lane& lane, RowSender& sender) const;

    const capture::CaptureIndex& index_;
    const std::set<ChannelId>& wanted_;
    std::uint64_t from_;
    std::uint64_t until_;
};

}  // namespace sla::capture_tools
