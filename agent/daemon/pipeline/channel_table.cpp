#include "agent/daemon/pipeline/channel_table.h"

#include "agent/daemon/health/status.h"
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
constexpr const char* kTooManyChannels = "sla.too-many-channels";

// Events in the batch, plus those that its gap rows stand for.
std::uint64_t offered_in(const wire::EventBatch& batch) {
    std::uint64_t offered = batch.size();
    if (std::memchr(batch.codes.data(), SLA_CODE_GAP, batch.size()) == nullptr) return offered;
    for (std::size_t i = 0; i < batch.size(); i++) offered += batch.codes[i] == SLA_CODE_GAP ? batch.values[i] - 1 : 0;
    return offered;
}

std::uint64_t bytes_of(const wire::EventBatch& batch) {
    return batch.ticks.capacity() * sizeof(batch.ticks[0]) + batch.codes.capacity() * sizeof(batch.codes[0]) +
           batch.values.capacity() * sizeof(batch.values[0]) + batch.threads.capacity() * sizeof(batch.threads[0]) +
           batch.extras.capacity() * sizeof(wire::Extra);
}

void give_back(wire::EventBatch& batch) {
    const ChannelId channel = batch.channel;
    batch = {};
    batch.channel = channel;
}

}  // namespace

SourceId ChannelTable::begin_source(std::uint64_t segment_id, std::uint64_t start_time) {
    const SourceId id = directory_.source(segment_id, start_time).id;
    Source& source = sources_[id];
    if (std::exchange(source.ending, false)) std::erase(ending_, id);
    if (!std::exchange(source.ended, false)) return id;
    retention_.begin_source(id);
    for (OpenChannel* channel : source.channels) {
        if (channel->closed > 0) channel->closed = std::max(channel->closed, round_.watermark);
        living_.push_back(channel);
    }
    return id;
}

void ChannelTable::announce_source(const SourceFacts& facts) {
    Source& source = sources_[facts.id];
    const std::uint64_t number = retention_.announce_of(facts.id, source_frame(facts));
    if (!std::exchange(source.is_announced, true)) return;  // the first stands before its channels, for who joins later
    if (const std::uint64_t before = std::exchange(source.newest_word, number)) retention_.drop_of(facts.id, before);
}

void ChannelTable::end_source(SourceId id) {
    Source& source = sources_.at(id);
    if (source.ending || source.ended) return;
    source.ending = true;
    ending_.push_back(id);
}

OpenChannel& ChannelTable::channel(SourceId source, const ring::ChannelDescription& description) {
    const std::string& name = description.name;
    Source& owner = sources_[source];
    if (owner.channels.size() >= SLA_MAX_CHANNELS && name != kTooManyChannels && !directory_.knows(source, name)) {
        if (!std::exchange(owner.has_too_many, true)) {
            notices_.say("a program gives its channels new names without end: events beyond " +
                             std::to_string(SLA_MAX_CHANNELS) + " names are on channel " + kTooManyChannels,
                         source);
        }
        return channel(source, {.name = kTooManyChannels, .format = ""});
    }
    const source::Known<ChannelId> known = directory_.channel(source, name);
    if (!known.is_new) return *channels_.at(known.id);
    retention_.announce_channel(known.id, name, channel_frame(known.id, source, description), source);
    return add_channel(known.id, source, name);
}

OpenChannel& ChannelTable::add_channel(ChannelId id, SourceId source, const std::string& name) {
    std::unique_ptr<OpenChannel>& channel = channels_[id];
    channel = std::make_unique<OpenChannel>();
    channel->id = id;
    channel->source = source;
    channel->round = &round_;
    channel->name = name;
    channel->open.channel = id;
    channel->settings = channel_policy_.apply(id, name);
    triggers_.add_channel(id, name);
    sources_[source].channels.push_back(channel.get());
    living_.push_back(channel.get());
    channel->wake();  // what the watermark has passed now is late from here on
    return *channel;
}

ThreadId ChannelTable::thread(SourceId source, std::uint32_t tid, const std::string& name) {
    const source::Known<ThreadId> known = directory_.thread(source, tid, name);
    std::map<ThreadId, Thread>& threads = sources_[source].threads;
    if (known.is_new) {
        const std::uint64_t number = retention_.announce_of(source, thread_frame(known.id, source, tid, name));
        threads.emplace(known.id, Thread{tid, name, number, 0});
    }
    threads.at(known.id).rings++;
    return known.id;
}

void ChannelTable::release_thread(SourceId id, ThreadId thread) {
    Source& source = sources_.at(id);
    if (--source.threads.at(thread).rings > 0) return;
    source.idle_threads.push_back(thread);
    if (source.idle_threads.size() <= kMaxIdleThreads) return;
    const auto oldest = source.threads.find(source.idle_threads.front());
    source.idle_threads.pop_front();
    if (oldest == source.threads.end() || oldest->second.rings > 0) return;
    retention_.drop_of(id, oldest->second.announcement);
    directory_.forget_thread(id, oldest->second.tid, oldest->second.name);
    source.threads.erase(oldest);
}

void ChannelTable::apply_settings() {
    for (const auto& [id, channel] : channels_) channel->settings = channel_policy_.apply(id, channel->name);
}

void ChannelTable::show_to_triggers(OpenChannel& channel) {
    if (channel.watched == channel.open.size()) return;
    if (triggers_.wants(channel.id)) triggers_.take(channel.open, channel.watched);
    open_rows_ += channel.open.size() - channel.watched;
    channel.watched = channel.open.size();
}

void ChannelTable::close_batch(OpenChannel& channel) {
    if (channel.open.empty()) return;
    show_to_triggers(channel);
    retain::BatchFacts facts;
    facts.channel = channel.id;
    facts.first_index = channel.open.first_index = channel.next_index;
    facts.first_tick = channel.open.ticks.front();
    facts.last_tick = channel.open.ticks.back();
    facts.rows = static_cast<std::uint32_t>(channel.open.size());
    facts.offered = offered_in(channel.open);
    wire::encode_batch(channel.open, *frame_.mutable_batch());
    retention_.append(facts, wire::encode_frame(frame_), &channel.open);
    channel.next_index += facts.rows;
    drain::Run::take_back(channel.open.extras);
    open_rows_ -= channel.open.size();
    channel.open.clear();
    channel.watched = 0;
    channel.idle_looks = 0;
    appended_ = true;
}

void ChannelTable::make_space(OpenChannel& channel, std::size_t count) {
    SLA_CHECK(count <= kBatchEvents);
    if (channel.open.size() + count > kBatchEvents) close_batch(channel);
}

void ChannelTable::merge_channel(OpenChannel& channel, std::uint64_t watermark) {
    while (!drain::merge_up_to(watermark, kBatchEvents - channel.open.size(), channel, channel.open)) close_batch(channel);
    show_to_triggers(channel);
    if (channel.open.size() == kBatchEvents) close_batch(channel);
}

void ChannelTable::merge(std::uint64_t watermark) {
    for (drain::DrainedChannel* channel : round_.woken) awake_.push_back(static_cast<OpenChannel*>(channel));
    round_.woken.clear();
    std::erase_if(awake_, [&](OpenChannel* channel) {
        merge_channel(*channel, watermark);
        if (!channel->open.empty() && !std::exchange(channel->is_among_open, true)) open_.push_back(channel);
        const bool rests = !channel->catch_up_limit && !channel->has_waiting_rows();
        channel->is_awake = !rests;
        return rests;
    });
    round_.watermark = std::max(round_.watermark, watermark);
}

bool ChannelTable::close_batches() {
    for (OpenChannel* channel : open_) {
        channel->is_among_open = false;
        close_batch(*channel);
    }
    open_.clear();
    return std::exchange(appended_, false);
}

void ChannelTable::settle_ended(std::uint64_t now) {
    const auto is_waiting = [](const OpenChannel* channel) { return channel->has_waiting_rows() || !channel->open.empty(); };
    bool any = false;
    std::erase_if(ending_, [&](SourceId id) {
        Source& source = sources_.at(id);
        if (std::any_of(source.channels.begin(), source.channels.end(), is_waiting)) return false;
        hand_over(id, source, now);
        any = true;
        return true;
    });
    if (!any) return;
    const auto has_ended = [this](const OpenChannel* channel) { return sources_.at(channel->source).ended; };
    std::erase_if(living_, has_ended);
    std::erase_if(awake_, has_ended);
}

// The last word on its channels is an announcement of the source: who joins later has it as well.
void ChannelTable::hand_over(SourceId id, Source& source, std::uint64_t now) {
    source.ending = false;
    source.ended = true;
    std::vector<const OpenChannel*> channels(source.channels.begin(), source.channels.end());
    for (const std::uint64_t number : std::exchange(source.ledgers, {})) retention_.drop_of(id, number);
    for (std::string& frame : ledger_frames(channels, retention_, channel_policy_, now)) {
        source.ledgers.push_back(retention_.announce_of(id, std::move(frame)));
    }
    for (OpenChannel* channel : source.channels) {
        give_back(channel->open);
        channel->is_awake = false;
        std::erase_if(channel->runs, [](const auto& run) { return run.use_count() == 1; });
        channel->runs.shrink_to_fit();
    }
    retention_.end_source(id, now);
}

void ChannelTable::forget_retired() {
    for (const SourceId id : retention_.take_retired()) {
        const auto source = sources_.find(id);
        SLA_CHECK(source != sources_.end() && source->second.ended);
        for (const OpenChannel* channel : source->second.channels) {
            const ChannelId gone = channel->id;
            retired_.ledger.add(channel->ledger);
            triggers_.remove_channel(gone);
            channels_.erase(gone);
        }
        retired_.channels += source->second.channels.size();
        retired_.sources++;
        sources_.erase(source);
        directory_.forget(id);
    }
}

std::uint64_t ChannelTable::trim() {
    std::uint64_t held = 0;
    for (OpenChannel* channel : living_) {
        if (channel->open.empty() && ++channel->idle_looks == kIdleLooks) {
            give_back(channel->open);
            for (const auto& run : channel->runs) run->give_back();
        }
        held += bytes_of(channel->open);
        for (const auto& run : channel->runs) held += run->bytes();
    }
    return held;
}

std::vector<const OpenChannel*> ChannelTable::some_ended(std::size_t count) {
    std::vector<const OpenChannel*> found;
    auto at = channels_.upper_bound(shown_);
    for (std::size_t left = std::min(count, channels_.size()); left > 0; left--, ++at) {
        if (at == channels_.end()) at = channels_.begin();
        if (sources_.at(at->second->source).ended) found.push_back(at->second.get());
        shown_ = at->first;
    }
    return found;
}

drain::LossLedger ChannelTable::total() const {
    drain::LossLedger total = retired_.ledger;
    for (const auto& [id, channel] : channels_) total.add(channel->ledger);
    return total;
}

}  // namespace sla::daemon
