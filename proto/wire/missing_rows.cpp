#include "proto/wire/missing_rows.h"

#include <algorithm>

namespace sla::wire {

EventBatch gap_row(ChannelId channel, LossCause cause, std::uint64_t lost, std::uint64_t tick, std::uint64_t until_tick) {
    EventBatch row;
    row.channel = channel;
    row.add(tick, SLA_CODE_GAP, lost, 0);
    row.extras.push_back({0, cause, std::max(tick, until_tick)});
    return row;
}

EventBatch left_out_row(ChannelId channel, std::uint64_t tick, std::uint64_t until_tick) {
    return gap_row(channel, LossCause::kLeftOut, 0, tick, std::max(until_tick, tick + 1));
}

namespace {

constexpr std::uint64_t kAny = ~std::uint64_t{0};

std::uint64_t with(std::uint64_t explained, std::uint64_t events) {
    return events == 0 ? kAny : explained + std::min(events, kAny - explained);
}

bool explains(const EventBatch& batch, const Extra& extra, std::size_t position) {
    return extra.position == position && batch.codes[position] == SLA_CODE_GAP && explains_missing_rows(extra.cause);
}

}  // namespace

std::uint64_t explained_at_begin(const EventBatch& batch, std::uint64_t before) {
    std::uint64_t explained = before;
    for (std::size_t row = 0; row < batch.extras.size() && explains(batch, batch.extras[row], row); ++row) {
        explained = with(explained, batch.values[row]);
    }
    return explained;
}

std::uint64_t explained_at_end(const EventBatch& batch) {
    std::uint64_t explained = 0;
    std::size_t row = batch.size();
    for (auto extra = batch.extras.rbegin(); extra != batch.extras.rend() && row > 0; ++extra) {
        if (!explains(batch, *extra, --row)) break;
        explained = with(explained, batch.values[row]);
    }
    return explained;
}

}  // namespace sla::wire
