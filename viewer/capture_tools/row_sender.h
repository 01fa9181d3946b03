// RowSender: rows of one stream, some left out, as a stream of their own: ordinals count anew without holes, what was
// missing in the source is a gap row.
#pragma once

#include "proto/capture/capture_writer.h"
#include "viewer/capture_tools/row_ledger.h"

#include <cstdint>
#include <map>
#include <optional>

namespace sla::capture_tools {

// One owner, one thread.
class RowSender {
public:
    explicit RowSender(capture::CaptureWriter& writer) : writer_(writer) {}

    // Of a batch of the source, in the source's order: rows [begin, end) are sent under the channel's id in `batch`. Rows
    // that came before are left out.
    Result<void> send(const wire::EventBatch& batch, std::size_t begin, std::size_t end);
    // Rows of our own choice, before any of that channel.
    Result<void> send_states(const wire::EventBatch& rows);

    [[nodiscard]] std::uint64_t rows() const { return rows_; }
    // Rows that should have been in the source and were not.
    [[nodiscard]] std::uint64_t missing() const { return missing_; }

private:
    struct Lane {
        RowLedger ledger;
        std::uint64_t next_index = 0;
        std::uint64_t last_tick = 0;  // sent
    };
    Result<void> append(Lane& lane, wire::EventBatch& rows);

    capture::CaptureWriter& writer_;
    std::map<ChannelId, Lane> lanes_;
    std::uint64_t rows_ = 0;
    std::uint64_t missing_ = 0;
};

// Rows [begin, end) of a batch.
wire::EventBatch slice(const wire::EventBatch& batch, std::size_t begin, std::size_t end);

}  // namespace sla::capture_tools
