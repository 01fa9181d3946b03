#include "viewer/capture_tools/edge_state.h"

#include "proto/capture/summary/open_spans.h"
#include "proto/wire/batch_cut.h"
#include "viewer/ingest/frame_item.h"
#include "viewer/store/rows/row_types.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace sla::capture_tools {

namespace {

using capture::CaptureIndex;
using wire::Kind;

constexpr unsigned bit(Kind kind) {
    return 1U << static_cast<unsigned>(kind);
}
constexpr unsigned kHolding = bit(Kind::kLevel) | bit(Kind::kValue) | bit(Kind::kText);

// Calls visit(batch) for the channel's batches in one chunk; false: it cannot be read.
template <typename Visit>
bool visit_batches(const capture::ChunkPlace& place, ChannelId channel, capture::ChunkReader& chunks, Visit visit) {
    if (!chunks.load(place)) return false;
    while (const auto frame = chunks.next()) {
        const ingest::FrameItem item = ingest::decode_frame(*frame);
        if (item.what == ingest::FrameItem::What::kBatch && item.batch.channel == channel) visit(item.batch);
    }
    return true;
}

// The newest row of a kind that holds until the next one; a loss in between ends it, and so does a chunk that is damaged.
std::optional<wire::EventBatch> newest_holding(std::uint64_t tick, const CaptureIndex& index, const CaptureIndex::Lane& lane,
                                               std::size_t from, capture::ChunkReader& chunks) {
    for (std::size_t i = from + 1; i-- > 0;) {
        const capture::LaneSummary& summary = lane.summaries[i];
        const bool worth_a_look = (summary.kinds & (kHolding | bit(Kind::kGap))) != 0 && summary.first_tick < tick;
        if (!worth_a_look) continue;
        std::optional<wire::EventBatch> found;
        bool lost = false;
        const auto look = [&](const wire::EventBatch& batch) {
            for (std::size_t row = 0; row < batch.size() && batch.ticks[row] < tick; ++row) {
                const Kind kind = wire::kind_of(batch.codes[row]);
                if ((bit(kind) & kHolding) != 0) found = wire::rows_at(batch, row, row + 1);
                if (kind == Kind::kGap) {
                    found.reset();
                    lost = true;
                }
            }
        };
        if (!visit_batches(index.chunks()[lane.chunk_numbers[i]], lane.channel, chunks, look)) return std::nullopt;
        if (found || lost) return found;
    }
    return std::nullopt;
}

// The loss rows before `tick` that say they lasted beyond it: events may be missing behind it too.
std::vector<wire::EventBatch> losses_across(std::uint64_t tick, const CaptureIndex::Lane& lane) {
    std::vector<wire::EventBatch> rows;
    for (const capture::GapRow& gap : lane.gaps) {
        if (gap.tick >= tick) break;
        if (gap.until_tick <= tick) continue;
        wire::EventBatch& row = rows.emplace_back();
        row.add(gap.tick, SLA_CODE_GAP, gap.lost, gap.thread);
        row.extras.push_back({0, gap.cause, gap.until_tick});
    }
    return rows;
}

// The spans open at `tick`, from what was open where the chunk begins and what happened in it; nobody knows of a damaged one.
std::vector<capture::OpenSpan> open_at(std::uint64_t tick, const CaptureIndex& index, const CaptureIndex::Lane& lane,
                                       std::size_t number, capture::ChunkReader& chunks) {
    const capture::ChunkPlace& place = index.chunks()[lane.chunk_numbers[number]];
    capture::OpenSpans open;
    capture::OpenSpan closed;
    std::vector<capture::OpenSpan> cut;
    if (const auto detail = chunks.detail(place); detail.ok()) {
        for (const capture::OpenSpan& span : detail->open) {
            if (span.channel == lane.channel) open.begin(span);
        }
    }
    const auto look = [&](const wire::EventBatch& batch) {
        for (std::size_t row = 0; row < batch.size() && batch.ticks[row] < tick; ++row) {
            const std::uint8_t code = batch.codes[row];
            const std::uint32_t thread = batch.threads[row];
            if (wire::kind_of(code) == Kind::kBegin)
                open.begin({lane.channel, batch.ticks[row], batch.values[row], thread, code, 0, 0, 0, 0});
            if (wire::kind_of(code) == Kind::kEnd) open.end(thread, closed);
            if (wire::kind_of(code) == Kind::kGap) open.gap(thread, cut);
        }
    };
    std::vector<capture::OpenSpan> spans;
    if (!visit_batches(place, lane.channel, chunks, look)) return spans;
    open.append_to(spans);
    return spans;
}

}  // namespace

wire::EventBatch state_before(std::uint64_t tick, const CaptureIndex& index, const CaptureIndex::Lane& lane,
                              capture::ChunkReader& chunks) {
    wire::EventBatch out;
    out.channel = lane.channel;
    if (lane.summaries.front().first_tick >= tick) return out;
    const std::size_t number = std::min(lane.lower_bound(tick), lane.summaries.size() - 1);
    std::vector<wire::EventBatch> rows = losses_across(tick, lane);
    if (const auto holding = newest_holding(tick, index, lane, number, chunks)) rows.push_back(*holding);
    for (const capture::OpenSpan& span : open_at(tick, index, lane, number, chunks))
        rows.emplace_back().add(span.begin_tick, span.code, span.value, span.thread);
    // Of one tick: what a loss has not made unknown came behind it.
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.ticks[0] < b.ticks[0]; });
    for (const wire::EventBatch& row : rows) {
        out.add(row.ticks[0], row.codes[0], row.values[0], row.threads[0]);
        out.set_details(out.size() - 1, row.details_of(0));
        out.texts.add_of(row.texts, 0, 1, out.size() - 1);
        for (wire::Extra extra : row.extras) {
            extra.position = static_cast<std::uint32_t>(out.size() - 1);
            out.extras.push_back(extra);
        }
    }
    return out;
}

std::uint64_t late_begin(const CaptureIndex& index) {
    std::uint64_t first = store::kNever;
    bool is_late = false;
    for (const CaptureIndex::Lane& lane : index.lanes()) {
        is_late = is_late || lane.summaries.front().first_index > 0;
        first = std::min<std::uint64_t>(first, lane.summaries.front().first_tick);
    }
    return is_late ? first : 0;
}

}  // namespace sla::capture_tools
