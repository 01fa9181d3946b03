// RowSender: rows of one stream, some left out, as a stream of their own: ordinals count anew without holes (from 1 where rows before
// the first one are not here, so that nobody takes what it says for a change), what was
// missing in the source are gap rows: the losses that its rows told of, a number of events where it is known, and one without a
// number for rows of which nothing is: they may have been losses themselves.
#pragma once

#include "proto/capture/capture_writer.h"
#include "viewer/capture_tools/row_ledger.h"
#include "viewer/ingest/known_rows.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace sla::capture_tools {

// One owner, one thread.
class RowSender {
public:
    // What is known of rows of the source that did not come: of a channel, [first, end).
    using MissingOf = std::function<ingest::KnownRows::Missing(ChannelId channel, std::uint64_t first, std::uint64_t end)>;

    RowSender(capture::CaptureWriter& writer, MissingOf missing_of) : writer_(writer), missing_of_(std::move(missing_of)) {}

    // Only what is missing in [from, until) is told; of a chunk that lies there in part nobody knows how many events do.
    void narrow(std::uint64_t from, std::uint64_t until) {
        from_ = from;
        until_ = until;
    }
    // The first row that there should be, before any batch of the channel, and, when all have come, behind
    // which one there are no more.
    void begin_at(ChannelId channel, std::uint64_t ordinal, std::uint64_t tick, std::uint64_t numbering = 0);
    Result<void> end_before(ChannelId channel, std::uint64_t ordinal, std::uint64_t tick);

    // Does nothing once rows of the channel were sent: rows before its first ones are not here, and what they said is not known.
    void begin_late(ChannelId channel);
    // Of a batch of the source, in the source's order: rows [begin, end) are sent under the channel's id in `batch`. Rows
    // that came before are left out. Of several streams with the same channels each has a `numbering` of its own.
    Result<void> send(const wire::EventBatch& batch, std::size_t begin, std::size_t end, std::uint64_t numbering = 0);
    // A loss that no row of the source tells, as far as it lies in the part: of rows that may have come behind all that were sent.
    Result<void> send_loss(const capture::GapRow& loss);
    // What a stream should have had of a channel.
    struct Promised {
        ChannelId channel;
        std::uint64_t rows = 0;
        std::uint64_t from_tick = 0;
        std::uint64_t until_tick = 0;
        bool is_exact = true;  // all of it is wanted, so that it is known how many are missing
    };
    // The stream has ended: what is missing at its end is a gap row.
    Result<void> end(const Promised& promised, std::uint64_t numbering);
    // Rows of our own choice, which are not counted among the source's.
    Result<void> send_states(const wire::EventBatch& rows);

    [[nodiscard]] std::uint64_t rows() const { return rows_; }
    [[nodiscard]] std::uint64_t newest_tick() const { return newest_tick_; }
    // Rows, not events, that should have been in the source and were not.
    [[nodiscard]] std::uint64_t missing() const { return missing_; }
    // Of rows(): gap rows in their place.
    [[nodiscard]] std::uint64_t told() const { return told_; }

private:
    struct Lane {
        std::map<std::uint64_t, RowLedger> ledgers;  // by numbering
        std::uint64_t next_index = 0;
        std::uint64_t last_tick = 0;  // sent
    };
    Result<void> append(Lane& lane, wire::EventBatch& rows);
    // Rows [first, end) of the source, which lie between the two ticks; so many of them are missing.
    struct MissingRows {
        ChannelId channel;
        std::uint64_t first = 0;
        std::uint64_t end = 0;
        std::uint64_t rows = 0;
        std::uint64_t from_tick = 0;
        std::uint64_t until_tick = 0;
    };
    Result<void> send_missing(Lane& lane, const MissingRows& missing);
    Result<void> send_loss(Lane& lane, const capture::GapRow& loss, std::uint64_t from_tick, std::uint64_t until_tick);
    [[nodiscard]] bool clip(capture::GapRow& loss) const;

    capture::CaptureWriter& writer_;
    MissingOf missing_of_;
    std::uint64_t from_ = 0;
    std::uint64_t until_ = ~std::uint64_t{0};
    std::map<ChannelId, Lane> lanes_;
    std::uint64_t rows_ = 0;
    std::uint64_t newest_tick_ = 0;
    std::uint64_t missing_ = 0;
    std::uint64_t told_ = 0;
};

}  // namespace sla::capture_tools
