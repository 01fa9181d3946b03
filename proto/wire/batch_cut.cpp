#include "proto/wire/batch_cut.h"

#include <algorithm>

namespace sla::wire {

EventBatch rows_between(const EventBatch& batch, std::uint64_t from, std::uint64_t until) {
    EventBatch part;
    part.channel = batch.channel;
    if (from > until) return part;
    const auto first = std::lower_bound(batch.ticks.begin(), batch.ticks.end(), from) - batch.ticks.begin();
    const auto last = std::upper_bound(batch.ticks.begin() + first, batch.ticks.end(), until) - batch.ticks.begin();
    part.first_index = batch.first_index + static_cast<std::uint64_t>(first);
    part.ticks.assign(batch.ticks.begin() + first, batch.ticks.begin() + last);
    part.codes.assign(batch.codes.begin() + first, batch.codes.begin() + last);
    part.values.assign(batch.values.begin() + first, batch.values.begin() + last);
    part.threads.assign(batch.threads.begin() + first, batch.threads.begin() + last);
    for (const Extra& extra : batch.extras) {
        if (extra.position < first || extra.position >= last) continue;
        part.extras.push_back(extra);
        part.extras.back().position -= static_cast<std::uint32_t>(first);
    }
    return part;
}

}  // namespace sla::wire
