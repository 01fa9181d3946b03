#include "proto/capture/summary/state_row.h"

#include <algorithm>

namespace sla::capture {

StateRow state_row(const wire::EventBatch& batch, std::size_t row) {
    StateRow out;
    out.index = batch.first_index + row;
    out.tick = batch.ticks[row];
    out.code = batch.codes[row];
    out.value = out.code == SLA_CODE_LEVEL ? std::uint64_t{batch.values[row] != 0} : batch.values[row];
    out.thread = batch.threads[row];
    if (out.code != SLA_CODE_GAP) return out;
    const auto extra = std::lower_bound(batch.extras.begin(), batch.extras.end(), row,
                                        [](const wire::Extra& one, std::size_t wanted) { return one.position < wanted; });
    if (extra == batch.extras.end() || extra->position != row) return out;
    out.until_tick = extra->until_tick;
    out.cause = extra->cause;
    return out;
}

}  // namespace sla::capture
