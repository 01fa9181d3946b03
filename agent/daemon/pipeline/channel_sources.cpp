// The channels and threads of a source: how they come into the table, and how they leave it.
#include "agent/daemon/pipeline/channel_table.h"

#include "agent/daemon/health/status.h"
#include "proto/base/check.h"
#include "proto/wire/frame_codec.h"

#include <algorithm>
#include <utility>

namespace sla::daemon {
namespace {

constexpr const char* kTooManyChannels = "sla.too-many-channels";

}  // namespace

SourceId ChannelTable::begin_source(std::uint64_t segment_id, std::uint64_t start_time) {
    const SourceId id = directory_.source(segment_id, start_time).id;
    Source& source = sources_[id];
    if (std::exchange(source.ending, false)) std::erase(ending_, id);
    if (!source.ended) return id;
    if (!retention_.begin_source(id)) {
        forget_retired();
        return begin_source(segment_id, start_time);  // as one that nobody knows
    }
    source.ended = false;
    for (OpenChannel* channel : source.channels) {
        if (channel->closed > 0) channel->closed = std::max(channel->closed, round_.watermark);
        living_.push_back(channel);
    }
    return id;
}

void ChannelTable::announce_source(const SourceFacts& facts) {
    Source& source = sources_[facts.id];
    if (facts.clock_domain != 0 && !std::exchange(source.has_own_time, true)) retention_.set_own_time(facts.id);
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
    // More than all, with the shared one, which may be there before the program's last. Most often the first look is all.
    const auto is_beyond = [&] {
        return owner.channels.size() > SLA_MAX_CHANNELS || !directory_.knows(source, kTooManyChannels);
    };
    if (owner.channels.size() >= SLA_MAX_CHANNELS && name != kTooManyChannels && !directory_.knows(source, name) &&
        is_beyond()) {
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
    channel->is_off = !channel->settings.enabled;
    Source& owner = sources_[source];
    triggers_.add_channel(id, name, owner.has_own_time ? source : trigger::kMachineTime);
    owner.channels.push_back(channel.get());
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

void ChannelTable::settle_ended(std::uint64_t now) {
    const auto is_waiting = [](const OpenChannel* channel) { return channel->waiting_rows() > 0 || !channel->open.empty(); };
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
        channel->give_back_open();
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
        if (source->second.has_own_time) triggers_.forget_time(id);
        retired_.sources++;
        sources_.erase(source);
        directory_.forget(id);
    }
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

}  // namespace sla::daemon
