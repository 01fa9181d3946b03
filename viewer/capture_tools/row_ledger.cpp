#include "viewer/capture_tools/row_ledger.h"

#include "proto/wire/missing_rows.h"

#include <algorithm>

namespace sla::capture_tools {

void RowLedger::start_at(std::uint64_t ordinal, std::uint64_t tick) {
    if (started_) return;
    started_ = true;
    next_ = ordinal;
    last_tick_ = tick;
}

RowLedger::Step RowLedger::take(const wire::EventBatch& batch) {
    Step step;
    step.from_tick = started_ ? last_tick_ : batch.ticks.front();
    if (started_ && batch.first_index < next_) {
        step.known = std::min<std::uint64_t>(next_ - batch.first_index, batch.size());
    } else if (started_ && batch.first_index > next_) {
        const std::uint64_t gone = batch.first_index - next_;
        step.first_missing = next_;
        step.missing = gone - std::min(gone, wire::explained_at_begin(batch, explained_));
    }
    if (step.known == batch.size()) return step;
    step.back = started_ && batch.ticks[step.known] < last_tick_;
    started_ = true;
    next_ = batch.first_index + batch.size();
    explained_ = wire::explained_at_end(batch);
    last_tick_ = std::max(last_tick_, batch.ticks.back());
    rows_ += batch.size() - step.known;
    for (std::size_t row = step.known; row < batch.size(); ++row) {
        if (batch.codes[row] != SLA_CODE_GAP) continue;
        ++gap_rows_;
        lost_ += batch.values[row];
        if (batch.values[row] == 0) ++uncounted_;
    }
    for (const wire::Extra& extra : batch.extras) {
        if (extra.position < step.known) continue;
        const std::uint64_t lost = batch.values[extra.position];
        const bool is_of_before = extra.cause == wire::LossCause::kNotKept;
        if (is_of_before) not_kept_ += lost;
        if (lost == 0 && (is_of_before || extra.cause == wire::LossCause::kLeftOut)) --uncounted_;
    }
    return step;
}

}  // namespace sla::capture_tools
