#include "viewer/capture_tools/lane_edge.h"

#include "viewer/capture_tools/edge_state.h"

#include "proto/capture/summary/state_row.h"
#include "proto/wire/batch_cut.h"
#include "proto/wire/missing_rows.h"
#include "viewer/store/rows/row_types.h"

#include <algorithm>
#include <utility>

namespace sla::capture_tools {

namespace {

using wire::Kind;

}  // namespace

LaneEdge::LaneEdge(std::uint64_t tick, const capture::CaptureIndex::Lane& lane)
    : lane_(&lane), tick_(tick), looks_for_(kHolding) {
    if (lane.summaries.front().first_tick >= tick) return;
    at_ = std::min(lane.lower_bound(tick), lane.summaries.size() - 1) + 1;
    find_losses();
}

// Those before the moment that say they last beyond it: events may be missing behind it too. Those that do not say until when last
// until a row of their thread (of any, for thread 0), but for so many rows at most: as analysis::LossReach has it.
void LaneEdge::find_losses() {
    constexpr std::uint64_t kMostRows = 65'536;
    std::uint64_t rows = 0;
    std::size_t oldest = at_ - 1;
    for (; oldest > 0 && rows < kMostRows; --oldest) rows += lane_->summaries[oldest - 1].rows;
    const std::uint64_t first_tick = lane_->summaries[oldest].first_tick;
    for (const capture::GapRow& gap : lane_->gaps) {
        if (gap.tick >= tick_) break;
        if (gap.tick >= first_tick && gap.until_tick <= gap.tick) endless_.push_back(&gap);
        if (gap.until_tick <= tick_) continue;
        across_.push_back(wire::gap_row(lane_->channel, gap.cause, gap.lost, gap.tick, gap.until_tick));
        across_.back().threads.front() = gap.thread;
    }
}

std::optional<std::uint32_t> LaneEdge::wanted() const {
    if (at_ == 0) return std::nullopt;
    return lane_->chunk_numbers[at_ - 1];
}

bool LaneEdge::may_hold(std::size_t place) const {
    const capture::LaneSummary& summary = lane_->summaries[place];
    return looks_for_ != 0 && (summary.kinds & (looks_for_ | store::kind_bit(Kind::kGap))) != 0 &&
           summary.first_tick < tick_;
}

bool LaneEdge::may_lose(std::size_t place) const {
    if (endless_.empty()) return false;
    const std::uint64_t last_tick = lane_->summaries[place].last_tick;
    return std::any_of(endless_.begin(), endless_.end(),
                       [&](const capture::GapRow* gap) { return gap->tick <= last_tick && !heard_.is_over(gap->thread); });
}

void LaneEdge::take_span(const wire::EventBatch& batch, std::size_t row) {
    const std::uint8_t code = batch.codes[row];
    const std::uint32_t thread = batch.threads[row];
    capture::OpenSpan closed;
    std::vector<capture::OpenSpan> cut;
    if (wire::kind_of(code) == Kind::kBegin)
        open_.begin({lane_->channel, batch.ticks[row], batch.values[row], thread, code, 0, 0, 0, 0});
    if (wire::kind_of(code) == Kind::kEnd) open_.end(thread, closed);
    if (wire::kind_of(code) == Kind::kGap) open_.gap(thread, cut);
}

void LaneEdge::take(const wire::EventBatch& batch) {
    const bool may_hold_here = may_hold(at_ - 1);
    const bool has_rows_to_see = is_first_ || may_hold_here;
    for (std::size_t row = 0; has_rows_to_see && row < batch.size() && batch.ticks[row] < tick_; ++row) {
        if (is_first_) take_span(batch, row);
        if (!may_hold_here) continue;
        const Kind kind = wire::kind_of(batch.codes[row]);
        if ((store::kind_bit(kind) & looks_for_) != 0) holding_[kind] = wire::rows_at(batch, row, row + 1);
        if (kind != Kind::kGap) continue;
        forget_holding();
        is_lost_ = true;
    }
    if (may_lose(at_ - 1)) batches_.push_back(batch);
}

// What this chunk held; what was found behind it stays.
void LaneEdge::forget_holding() {
    std::erase_if(holding_, [this](const auto& held) { return (store::kind_bit(held.first) & looks_for_) != 0; });
}

bool LaneEdge::is_level_unknown() const {
    return !holding_.contains(Kind::kLevel) && (is_lost_ || lane_->summaries.front().first_index > 0);
}

void LaneEdge::look_for_losses() {
    for (auto batch = batches_.rbegin(); batch != batches_.rend(); ++batch) {
        for (std::size_t row = batch->size(); row-- > 0;) {
            if (batch->ticks[row] >= tick_) continue;
            const std::uint32_t thread = batch->threads[row];
            const bool is_loss = batch->codes[row] == SLA_CODE_GAP && !heard_.is_over(thread);
            if (is_loss && capture::state_row(*batch, row).until_tick <= batch->ticks[row])
                lost_.push_back(wire::rows_at(*batch, row, row + 1));
            heard_.add(thread);
        }
    }
    batches_.clear();
}

void LaneEdge::end_chunk(bool is_sound) {
    if (may_hold(at_ - 1)) {
        if (!is_sound) forget_holding();
        is_lost_ = is_lost_ || !is_sound;
        for (const auto& [kind, row] : holding_) looks_for_ &= ~store::kind_bit(kind);
        if (is_lost_) looks_for_ = 0;
    }
    look_for_losses();
    if (is_first_ && is_sound) open_.append_to(spans_);
    if (std::exchange(is_first_, false)) open_ = capture::OpenSpans();
    step_back();
}

void LaneEdge::step_back() {
    do --at_;
    while (at_ > 0 && !may_hold(at_ - 1) && !may_lose(at_ - 1));
}

wire::EventBatch LaneEdge::rows() const {
    std::vector<wire::EventBatch> rows = across_;
    rows.insert(rows.end(), lost_.rbegin(), lost_.rend());
    for (const auto& [kind, row] : holding_) rows.push_back(row);
    for (const capture::OpenSpan& span : spans_)
        rows.emplace_back().add(span.begin_tick, span.code, span.value, span.thread);
    // Of one tick: what a loss has not made unknown came behind it.
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.ticks[0] < b.ticks[0]; });
    wire::EventBatch out;
    out.channel = lane_->channel;
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

}  // namespace sla::capture_tools
