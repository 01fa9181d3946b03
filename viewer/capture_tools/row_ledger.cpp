#include "viewer/capture_tools/row_ledger.h"

#include <algorithm>

namespace sla::capture_tools {

namespace {

std::uint64_t lagged_at(const wire::EventBatch& batch, std::size_t position) {
    if (batch.codes[position] != SLA_CODE_GAP) return 0;
    for (const wire::Extra& extra : batch.extras) {
        if (extra.position == position) return extra.cause == wire::LossCause::kLagged ? batch.values[position] : 0;
    }
    return 0;
}

}  // namespace

RowLedger::Step RowLedger::take(const wire::EventBatch& batch) {
    Step step;
    step.from_tick = started_ ? last_tick_ : batch.ticks.front();
    if (started_ && batch.first_index < next_) {
        step.known = std::min<std::uint64_t>(next_ - batch.first_index, batch.size());
    } else if (started_ && batch.first_index > next_) {
        const std::uint64_t gone = batch.first_index - next_;
        step.missing = gone - std::min(gone, explained_ + lagged_at(batch, 0));
    }
    if (step.known == batch.size()) return step;
    step.back = started_ && batch.ticks[step.known] < last_tick_;
    started_ = true;
    next_ = batch.first_index + batch.size();
    explained_ = lagged_at(batch, batch.size() - 1);
    last_tick_ = std::max(last_tick_, batch.ticks.back());
    rows_ += batch.size() - step.known;
    for (std::size_t row = step.known; row < batch.size(); ++row) {
        if (batch.codes[row] != SLA_CODE_GAP) continue;
        ++gap_rows_;
        lost_ += batch.values[row];
    }
    return step;
}

}  // namespace sla::capture_tools
