#include "viewer/capture_tools/row_sender.h"

#include "proto/wire/batch_codec.h"
#include "proto/wire/batch_cut.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

#include <algorithm>

namespace sla::capture_tools {

wire::EventBatch gap_row(ChannelId channel, wire::LossCause cause, std::uint64_t lost, std::uint64_t tick,
                         std::uint64_t until_tick) {
    wire::EventBatch row;
    row.channel = channel;
    row.add(tick, SLA_CODE_GAP, lost, 0);
    row.extras.push_back({0, cause, std::max(tick, until_tick)});
    return row;
}

Result<void> RowSender::append(Lane& lane, wire::EventBatch& rows) {
    rows.first_index = lane.next_index;
    lane.next_index += rows.size();
    lane.last_tick = rows.ticks.back();
    newest_tick_ = std::max(newest_tick_, lane.last_tick);
    rows_ += rows.size();
    wire::Frame frame;
    encode_batch(rows, *frame.mutable_batch());
    return writer_.append(frame.SerializeAsString());
}

Result<void> RowSender::send(const wire::EventBatch& batch, std::size_t begin, std::size_t end, std::uint64_t numbering) {
    Lane& lane = lanes_[batch.channel];
    const RowLedger::Step step = lane.ledgers[numbering].take(batch);
    begin = std::max<std::size_t>(begin, step.known);
    if (begin >= end) return {};
    if (step.missing > 0) {
        missing_ += step.missing;
        if (Result<void> sent = send_missing(lane, batch, step); !sent) return sent;
    }
    wire::EventBatch rows = wire::rows_at(batch, begin, end);
    return append(lane, rows);
}

// Those before the batch.
Result<void> RowSender::send_missing(Lane& lane, const wire::EventBatch& before, const RowLedger::Step& step) {
    const std::uint64_t until = before.ticks.front();
    ingest::KnownRows::Missing missing;
    std::uint64_t unknown = step.missing;
    if (known_ != nullptr) {
        missing = known_->missing(before.channel, step.first_missing, before.first_index);
        const std::uint64_t told = before.first_index - step.first_missing - missing.unknown_rows;
        unknown -= std::min(unknown, told);
    }
    if (unknown > 0) {
        const std::uint64_t tick = std::max(step.from_tick, lane.last_tick);
        wire::EventBatch gap =
            gap_row(before.channel, wire::LossCause::kDamaged, known_ == nullptr ? unknown : 0, tick, until);
        if (Result<void> sent = append(lane, gap); !sent) return sent;
    }
    for (const capture::GapRow& loss : missing.losses) {
        const std::uint64_t tick = std::max({std::min(loss.tick, until), step.from_tick, lane.last_tick});
        wire::EventBatch gap = gap_row(before.channel, loss.cause, loss.lost, tick, loss.until_tick);
        gap.threads.front() = loss.thread;
        if (Result<void> sent = append(lane, gap); !sent) return sent;
    }
    return {};
}

Result<void> RowSender::end(const Promised& promised, std::uint64_t numbering) {
    Lane& lane = lanes_[promised.channel];
    const RowLedger& ledger = lane.ledgers[numbering];
    const std::uint64_t missing = ledger.missing_of(promised.rows);
    if (missing == 0) return {};
    const bool is_counted = promised.is_exact && ledger.has_started();
    const std::uint64_t tick = std::max(lane.last_tick, promised.from_tick);
    if (is_counted) missing_ += missing;
    wire::EventBatch gap =
        gap_row(promised.channel, wire::LossCause::kDamaged, is_counted ? missing : 0, tick, promised.until_tick);
    return append(lane, gap);
}

Result<void> RowSender::send_states(const wire::EventBatch& rows) {
    wire::EventBatch copy = rows;
    return append(lanes_[rows.channel], copy);
}

}  // namespace sla::capture_tools
