#include "viewer/store/rows/run.h"

#include <algorithm>
#include <utility>

namespace sla::store {

namespace {

Gap gap_of(const Event& event, std::uint64_t index, const wire::Extra* extra) {
    Gap gap;
    gap.index = index;
    gap.tick = event.tick;
    gap.until_tick = extra == nullptr ? event.tick : std::max(event.tick, extra->until_tick);
    gap.lost = event.value;
    gap.cause = extra == nullptr ? wire::LossCause::kNone : extra->cause;
    return gap;
}

// The batch's event 0 would have that index.
void note_gaps(const wire::EventBatch& batch, std::size_t skip, std::uint64_t index, GapTable& gaps) {
    auto extra = batch.extras.begin();
    const auto is_gap = [](std::uint8_t code) { return code == SLA_CODE_GAP; };
    auto at = batch.codes.begin() + static_cast<std::ptrdiff_t>(skip);
    while ((at = std::find_if(at, batch.codes.end(), is_gap)) != batch.codes.end()) {
        const auto place = static_cast<std::size_t>(at++ - batch.codes.begin());
        while (extra != batch.extras.end() && extra->position < place) ++extra;
        const bool has_extra = extra != batch.extras.end() && extra->position == place;
        const Event event{batch.ticks[place], batch.values[place], batch.threads[place], SLA_CODE_GAP};
        gaps.add(gap_of(event, index + place, has_extra ? &*extra : nullptr));
    }
}

}  // namespace

Run::Run(const RunStart& start) : rows_(start.index, start.rows), index_(start), first_level_(start.level) {
    if (start.rows == 0) return;
    late_ = std::make_unique<LateIndex>();
    late_->bytes = RunIndex::bytes_for(start);
}

Run::Run(RunStart start, RunRows rows) : rows_(std::move(rows)), first_level_(start.level) {
    start.rows = rows_.size();
    index_ = RunIndex(start);
    if (start.rows == 0) return;
    late_ = std::make_unique<LateIndex>();
    late_->bytes = RunIndex::bytes_for(start);
}

RunStart Run::start() const {
    RunStart start;
    start.index = first_index();
    start.span_id = index_.spans().first_id();
    start.level = first_level_;
    start.open = index_.spans().before();
    for (NumberedSpan& one : start.open) {
        one.span.end_index = one.span.end_tick = kNever;
        one.span.state = SpanState::kOpen;
    }
    return start;
}

void Run::append(const wire::EventBatch& batch, std::size_t skip, GapTable* gaps) {
    const std::uint64_t index = end_index() - skip;
    rows_.append(batch, skip);
    if (late_ == nullptr) index_.take(rows_);
    if (gaps != nullptr) note_gaps(batch, skip, index, *gaps);
}

void Run::append_gap(const Gap& gap, std::uint32_t thread, GapTable* gaps) {
    wire::Extra extra;
    extra.cause = gap.cause;
    extra.until_tick = gap.until_tick;
    const Event event{gap.tick, gap.lost, thread, SLA_CODE_GAP};
    const std::uint64_t index = end_index();
    rows_.append(event);
    if (late_ == nullptr) index_.take(rows_);
    if (gaps != nullptr) gaps->add(gap_of(event, index, &extra));
}

void Run::make_index() const {
    if (late_ == nullptr) return;
    const std::lock_guard lock(late_->mutex);
    if (late_->is_made.load(std::memory_order_relaxed)) return;  // made under this mutex
    index_.take(rows_);
    index_.settle();
    late_->is_made.store(true, std::memory_order_release);  // has_index() acquires: who sees it sees the index whole
}

LevelState Run::level_at(std::uint64_t wanted) const {
    if (empty() || wanted < tick(first_index())) return {first_level_, 0};
    return level_behind(wanted == kNever ? end_index() : lower_bound(wanted + 1, first_index()), wanted);
}

std::uint64_t Run::memory_bytes() const {
    return sizeof(Run) + rows_.memory_bytes() + (late_ == nullptr ? index_.memory_bytes() : late_->bytes);
}

}  // namespace sla::store
