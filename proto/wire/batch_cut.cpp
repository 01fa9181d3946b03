#include "proto/wire/batch_cut.h"

#include <algorithm>

namespace sla::wire {

EventBatch rows_at(const EventBatch& batch, std::size_t begin, std::size_t end) {
    EventBatch part;
    const auto cut = [&](const auto& from, auto& to) {
        const auto last = static_cast<std::ptrdiff_t>(std::min(end, from.size()));
        to.assign(from.begin() + std::min(static_cast<std::ptrdiff_t>(begin), last), from.begin() + last);
    };
    part.channel = batch.channel;
    part.first_index = batch.first_index + begin;
    cut(batch.ticks, part.ticks);
    cut(batch.codes, part.codes);
    cut(batch.values, part.values);
    cut(batch.threads, part.threads);
    for (std::size_t word = 0; word < part.details.size(); word++) cut(batch.details[word], part.details[word]);
    part.texts.add_of(batch.texts, begin, end, 0);
    for (const Extra& extra : batch.extras) {
        if (extra.position < begin || extra.position >= end) continue;
        part.extras.push_back(extra);
        part.extras.back().position -= static_cast<std::uint32_t>(begin);
    }
    return part;
}

EventBatch rows_between(const EventBatch& batch, std::uint64_t from, std::uint64_t until) {
    EventBatch part;
    part.channel = batch.channel;
    if (from > until) return part;
    const auto first = std::lower_bound(batch.ticks.begin(), batch.ticks.end(), from);
    const auto last = std::upper_bound(first, batch.ticks.end(), until);
    return rows_at(batch, static_cast<std::size_t>(first - batch.ticks.begin()),
                   static_cast<std::size_t>(last - batch.ticks.begin()));
}

EventBatch losses_across(const EventBatch& batch, std::uint64_t tick) {
    EventBatch losses;
    losses.channel = batch.channel;
    for (const Extra& extra : batch.extras) {
        if (batch.ticks[extra.position] >= tick || extra.until_tick < tick) continue;
        losses.extras.push_back({static_cast<std::uint32_t>(losses.size()), extra.cause, extra.until_tick});
        losses.add(tick, SLA_CODE_GAP, 0, batch.threads[extra.position]);
    }
    return losses;
}

}  // namespace sla::wire
