#include "agent/daemon/pipeline/channel_table.h"

#include "agent/drain/channel_merge.h"
#include "proto/base/check.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/frame_codec.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sla::daemon {
namespace {

constexpr std::uint32_t kIdleLooks = 40;  // some ten seconds: a channel that is used now and then keeps its columns

// Events in the batch, plus those that its gap rows stand for.
std::uint64_t offered_in(const wire::EventBatch& batch) {
    std::uint64_t offered = batch.size();
    if (std::memchr(batch.codes.data(), SLA_CODE_GAP, batch.size()) == nullptr) return offered;
    for (std::size_t i = 0; i < batch.size(); i++) offered += batch.codes[i] == SLA_CODE_GAP ? batch.values[i] - 1 : 0;
    return offered;
}

std::uint64_t loss_until(const wire::EventBatch& batch) {
    std::uint64_t until = 0;
    for (const wire::Extra& extra : batch.extras) until = std::max(until, extra.until_tick);
    return until;
}

std::uint64_t bytes_of(const wire::EventBatch& batch) {
    return batch.ticks.capacity() * sizeof(batch.ticks[0]) + batch.codes.capacity() * sizeof(batch.codes[0]) +
           batch.values.capacity() * sizeof(batch.values[0]) + batch.threads.capacity() * sizeof(batch.threads[0]) +
           (batch.details[0].capacity() + batch.details[1].capacity()) * sizeof(std::uint64_t) + batch.texts.memory_bytes() +
           batch.extras.capacity() * sizeof(wire::Extra);
}

// What a walk over channels looks at soon, in the order in which it hangs together: of thousands of them nothing is in the cache
// any more.
void prefetch_behind(const std::vector<OpenChannel*>& channels, std::size_t at, bool with_rows) {
    constexpr std::size_t kApart = 3;  // channels, each walked while lines come
    constexpr std::size_t kLine = 64;
    const auto run_of = [&](std::size_t place) {
        return place < channels.size() && !channels[place]->runs.empty() ? channels[place]->runs.front().get() : nullptr;
    };
    if (at + 3 * kApart < channels.size()) {
        const auto* const channel = reinterpret_cast<const char*>(channels[at + 3 * kApart]);
        for (std::size_t byte = 0; byte < sizeof(OpenChannel); byte += kLine) __builtin_prefetch(channel + byte);
    }
    if (const drain::Run* const run = run_of(at + 2 * kApart)) run->prefetch();
    if (!with_rows) return;
    if (const drain::Run* const run = run_of(at + kApart)) run->prefetch_rows();
}

}  // namespace

void ChannelTable::apply_settings() {
    for (const auto& [id, channel] : channels_) {
        channel->settings = channel_policy_.apply(id, channel->name);
        channel->is_off &= !channel->settings.enabled;
    }
}

void ChannelTable::show_to_triggers(OpenChannel& channel, const wire::EventBatch& batch) {
    if (channel.watched == batch.size()) return;
    if (triggers_.wants(channel.id)) triggers_.take(batch, channel.watched);
    open_rows_ += batch.size() - channel.watched;
    channel.watched = batch.size();
}

void ChannelTable::close_batch(OpenChannel& channel, wire::EventBatch& batch) {
    if (batch.empty()) return;
    show_to_triggers(channel, batch);
    retain::BatchFacts facts;
    facts.channel = channel.id;
    facts.first_index = batch.first_index = channel.next_index;
    facts.first_tick = batch.ticks.front();
    facts.last_tick = batch.ticks.back();
    facts.rows = static_cast<std::uint32_t>(batch.size());
    facts.offered = offered_in(batch);
    facts.loss_until = loss_until(batch);
    wire::encode_batch(batch, *frame_.mutable_batch());
    retention_.append(facts, wire::encode_frame(frame_), &batch);
    channel.next_index += facts.rows;
    open_rows_ -= batch.size();
    batch.clear();
    channel.watched = 0;
    channel.idle_looks = 0;
    appended_ = true;
}

void ChannelTable::make_space(OpenChannel& channel, std::size_t count) {
    SLA_CHECK(count <= kBatchEvents);
    if (channel.open.size() + count > kBatchEvents) close_batch(channel, channel.open);
}

// One that is closed in this pass needs no columns of its own: those of the one before it are still in the cache.
void ChannelTable::merge_channel(OpenChannel& channel, std::uint64_t watermark, bool closes) {
    wire::EventBatch& batch = closes && channel.open.empty() ? passing_ : channel.open;
    batch.channel = channel.id;
    while (!drain::merge_up_to(watermark, kBatchEvents - batch.size(), channel, batch)) close_batch(channel, batch);
    show_to_triggers(channel, batch);
    if (closes || batch.size() == kBatchEvents) close_batch(channel, batch);
    if (closes && are_columns_too_many_) give_back_empty(channel);
}

std::size_t ChannelTable::merge(std::uint64_t watermark, bool closes) {
    for (drain::DrainedChannel* channel : round_.woken) awake_.push_back(static_cast<OpenChannel*>(channel));
    round_.woken.clear();
    std::size_t waiting = 0;
    std::size_t at = 0;
    std::erase_if(awake_, [&](OpenChannel* channel) {
        prefetch_behind(awake_, at++, true);
        merge_channel(*channel, watermark, closes);
        if (!channel->open.empty() && !std::exchange(channel->is_among_open, true)) open_.push_back(channel);
        const std::size_t rows = channel->waiting_rows();
        if (!channel->own_limit) waiting += rows;  // what counts in a time of its own waits for that
        const bool rests = !channel->catch_up_limit && rows == 0;
        channel->is_awake = !rests;
        return rests;
    });
    round_.watermark = std::max(round_.watermark, watermark);
    unmerged_rows_ = 0;
    return waiting;
}

bool ChannelTable::close_batches() {
    for (OpenChannel* channel : open_) {
        channel->is_among_open = false;
        close_batch(*channel, channel->open);
        if (are_columns_too_many_) give_back_empty(*channel);
    }
    open_.clear();
    return std::exchange(appended_, false);
}

void ChannelTable::give_back_empty(OpenChannel& channel) {
    if (channel.open.empty()) channel.give_back_open();
    for (const auto& run : channel.runs) run->give_back();
}

std::uint64_t ChannelTable::trim(std::uint64_t most) {
    std::uint64_t held = bytes_of(passing_);
    for (std::size_t at = 0; at < living_.size(); at++) {
        prefetch_behind(living_, at, false);
        OpenChannel* const channel = living_[at];
        if (channel->open.empty() && ++channel->idle_looks == kIdleLooks) give_back_empty(*channel);
        held += bytes_of(channel->open);
        for (const auto& run : channel->runs) held += run->bytes();
    }
    are_columns_too_many_ = held > most;
    most_open_rows_ = most / wire::EventBatch::kRowBytes / 3;  // columns grow by doubling, and those of runs are beside
    return held;
}

drain::LossLedger ChannelTable::total() const {
    drain::LossLedger total = retired_.ledger;
    for (const auto& [id, channel] : channels_) total.add(channel->ledger);
    return total;
}

}  // namespace sla::daemon
