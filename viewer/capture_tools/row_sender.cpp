#include "viewer/capture_tools/row_sender.h"

#include "proto/wire/batch_codec.h"
#include "proto/wire/batch_cut.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "proto/wire/missing_rows.h"

#include <algorithm>

namespace sla::capture_tools {

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
    const bool is_inside = begin < end;
    // Behind the part, too: what is missing before it may lie inside.
    const bool may_miss = is_inside || batch.ticks.front() >= until_;
    if (step.missing > 0 && may_miss) {
        missing_ += step.missing;
        const MissingRows missing{batch.channel, step.first_missing, batch.first_index,
                                  step.missing,  step.from_tick,     batch.ticks.front()};
        if (Result<void> sent = send_missing(lane, missing); !sent) return sent;
    }
    if (!is_inside) return {};
    wire::EventBatch rows = wire::rows_at(batch, begin, end);
    return append(lane, rows);
}

void RowSender::begin_at(ChannelId channel, std::uint64_t ordinal, std::uint64_t tick, std::uint64_t numbering) {
    lanes_[channel].ledgers[numbering].start_at(ordinal, tick);
}

void RowSender::begin_late(ChannelId channel) {
    std::uint64_t& next_index = lanes_[channel].next_index;
    next_index = std::max<std::uint64_t>(next_index, 1);
}

Result<void> RowSender::end_before(ChannelId channel, std::uint64_t ordinal, std::uint64_t tick) {
    Lane& lane = lanes_[channel];
    const RowLedger& ledger = lane.ledgers[0];
    const std::uint64_t missing = ledger.missing_of(ordinal);
    if (missing == 0) return {};
    missing_ += missing;
    return send_missing(lane, {channel, ordinal - missing, ordinal, missing, ledger.last_tick(), tick});
}

// What of it lies in the part; false: nothing. Of events that are told together nobody knows when each of them was.
bool RowSender::clip(capture::GapRow& loss) const {
    if (loss.cause != wire::LossCause::kDamaged) return loss.tick >= from_ && loss.tick < until_;
    if (loss.until_tick < from_ || loss.tick >= until_) return false;
    if (loss.tick < from_ || loss.until_tick >= until_) loss.lost = 0;
    loss.tick = std::max(loss.tick, from_);
    loss.until_tick = std::min(loss.until_tick, until_ - 1);
    return true;
}

Result<void> RowSender::send_loss(Lane& lane, const capture::GapRow& loss, std::uint64_t from_tick,
                                  std::uint64_t until_tick) {
    capture::GapRow inside = loss;
    if (!clip(inside)) return {};
    const std::uint64_t tick = std::max({std::min(inside.tick, until_tick), from_tick, lane.last_tick, from_});
    wire::EventBatch gap = wire::gap_row(loss.channel, inside.cause, inside.lost, tick, inside.until_tick);
    gap.threads.front() = inside.thread;
    ++told_;
    return append(lane, gap);
}

Result<void> RowSender::send_loss(const capture::GapRow& loss) {
    return send_loss(lanes_[loss.channel], loss, loss.tick, loss.until_tick);
}

Result<void> RowSender::send_missing(Lane& lane, const MissingRows& missing) {
    const ingest::KnownRows::Missing known = missing_of_(missing.channel, missing.first, missing.end);
    const std::uint64_t known_rows = missing.end - missing.first - known.unknown_rows;
    if (missing.rows > known_rows) {
        capture::GapRow loss;
        loss.channel = missing.channel;
        loss.tick = std::max(missing.from_tick, lane.last_tick);
        loss.until_tick = std::max(loss.tick, missing.until_tick);
        loss.cause = wire::LossCause::kDamaged;
        if (Result<void> sent = send_loss(lane, loss, missing.from_tick, loss.until_tick); !sent) return sent;
    }
    for (const capture::GapRow& loss : known.losses) {
        if (Result<void> sent = send_loss(lane, loss, missing.from_tick, missing.until_tick); !sent) return sent;
    }
    return {};
}

Result<void> RowSender::end(const Promised& promised, std::uint64_t numbering) {
    Lane& lane = lanes_[promised.channel];
    RowLedger& ledger = lane.ledgers[numbering];
    const std::uint64_t missing = ledger.missing_of(promised.rows);
    if (missing == 0) return {};
    ledger.end_at(promised.rows);
    const std::uint64_t tick = std::max(lane.last_tick, promised.from_tick);
    if (promised.is_exact && ledger.has_started()) {
        missing_ += missing;
        return send_missing(lane,
                            {promised.channel, promised.rows - missing, promised.rows, missing, tick, promised.until_tick});
    }
    wire::EventBatch gap = wire::gap_row(promised.channel, wire::LossCause::kDamaged, 0, tick, promised.until_tick);
    return append(lane, gap);
}

Result<void> RowSender::send_states(const wire::EventBatch& rows) {
    wire::EventBatch copy = rows;
    return append(lanes_[rows.channel], copy);
}

}  // namespace sla::capture_tools
