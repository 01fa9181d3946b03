// What a reader is told of what it does not get: gaps, channels that ended, and those it never saw.
#include "agent/retain/missed_frame.h"
#include "agent/retain/reading.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

namespace sla::retain {

// Rows that stand for what this reader does not get, so many events, as a batch of their own.
void Reading::deliver_missed(ChannelId channel, const std::vector<Missed>& missed, const Cursor::Place& place,
                             std::uint64_t offered) {
    BatchFacts facts;
    facts.channel = channel;
    facts.first_index = place.next_index;
    facts.first_tick = missed.front().tick;
    facts.last_tick = missed.back().tick;
    facts.rows = static_cast<std::uint32_t>(missed.size());
    facts.offered = offered;
    for (const Missed& one : missed) facts.loss_until = std::max(facts.loss_until, one.until_tick);
    out_->push_back({held_.share(missed_frame(channel, facts.first_index, missed)), facts});
}

// The first tick of which the reader was not told that it has all before it; of times that sources make up it is told nothing.
std::uint64_t Reading::promised_until(bool has_own_time) const {
    return has_own_time || cursor_.watermark == 0 ? 0 : cursor_.watermark + 1;
}

// Where the gap before `next` begins: behind all that the reader had, or was promised to have all of; exact when it had
// nothing of the batches that went.
std::uint64_t Reading::gap_tick(const Next& next, const Cursor::Place& place) const {
    const std::uint64_t tick = std::max({next.before->first_tick, place.last_tick, promised_until(next.has_own_time)});
    return std::min(tick, next.entry->facts.first_tick);
}

void Reading::deliver_gap(const Next& next, Cursor::Place& place) {
    const BatchFacts& behind = next.entry->facts;
    const std::uint64_t first = gap_tick(next, place);
    const std::uint64_t last = std::max(first, next.before->last_tick);
    const std::uint64_t history_end = std::clamp(place.joined_offered, place.offered_seen, next.entry->offered_before);
    const std::uint64_t not_kept = history_end - place.offered_seen;
    const std::uint64_t lagged = next.entry->offered_before - history_end;
    // Rows that stand for nothing, as of a time without agent, are no events.
    const bool is_counted = place.is_count_known && behind.first_index - place.next_index <= not_kept + lagged;
    const bool was_there = next.number > place.joined_number;  // while some of it came
    std::vector<Missed> missed;
    if (place.next_number < place.joined_number) {
        const std::uint64_t until = was_there ? std::clamp(place.joined_tick, first, last) : last;
        missed.push_back({wire::LossCause::kNotKept, first, until, is_counted ? not_kept : 0});
    }
    if (was_there) {
        const std::uint64_t from = missed.empty() ? first : missed.back().until_tick;
        missed.push_back({wire::LossCause::kLagged, from, last, is_counted ? lagged : 0});
    }
    place.is_count_known = true;
    cursor_.not_kept += not_kept;
    cursor_.lagged += lagged;
    deliver_missed(behind.channel, missed, place, not_kept + lagged);
    place.offered_seen = next.entry->offered_before;
    place.next_number = next.number;
    place.next_index = behind.first_index;
    place.last_tick = last;
}

// Channels that were retired since the last read: those that this reader saw end for it, with a gap where it lacks
// events; what it never saw it receives as a sum.
void Reading::read_retired() {
    const std::uint64_t all = held_.retired_before + held_.retired.size();
    if (cursor_.retired == all) return;
    Unseen unseen;
    wire::Frame frame;
    skip_forgotten(unseen, frame);
    SourceId newest;
    for (; cursor_.retired < all; cursor_.retired++) {
        const Retired& retired = held_.retired[cursor_.retired - held_.retired_before];
        cursor_.retired_offered += retired.offered;
        const auto at = cursor_.places.find(retired.channel.value);
        Cursor::Place place;
        if (at != cursor_.places.end()) {
            place = at->second;
            cursor_.places.erase(at);
        } else {
            place.wanted = !cursor_.wants || cursor_.wants(retired.name);
        }
        const bool is_missing = cursor_.batches && place.wanted && retired.offered > place.offered_seen;
        if (retired.announced >= cursor_.next_announcement) {
            if (!is_missing) continue;
            unseen.events += retired.offered - place.offered_seen;
            unseen.history += std::max(place.joined_offered, place.offered_seen) - place.offered_seen;
            unseen.channels++;
            continue;
        }
        if (is_missing)
            deliver_end({retired.channel, retired.offered, retired.begin_tick, retired.reach, retired.has_own_time}, place);
        if (retired.channel.value != 0) frame.mutable_retired()->add_channels(retired.channel.value);
        if (retired.source != newest) frame.mutable_retired()->add_sources(retired.source.value);
        newest = retired.source;
    }
    if (frame.has_retired()) out_->push_back({held_.share(wire::encode_frame(frame)), {}});
    if (unseen.events > 0 && cursor_.batches) deliver_unseen(unseen);
}

// This reader stood still for so long that they are not even remembered one by one.
void Reading::skip_forgotten(Unseen& unseen, wire::Frame& frame) {
    if (cursor_.retired >= held_.retired_before) return;
    unseen.is_exact = !cursor_.wants;
    unseen.events = held_.offered_before - cursor_.retired_offered;
    unseen.channels = held_.retired_before - cursor_.retired;
    std::unordered_map<std::uint32_t, bool> remembered;
    for (const Retired& retired : held_.retired) remembered[retired.channel.value] = true;
    std::erase_if(cursor_.places, [&](const auto& known) {
        if (held_.channels.contains(known.first) || remembered.contains(known.first)) return false;
        const Cursor::Place& place = known.second;
        unseen.events -= std::min(unseen.events, place.offered_seen);
        if (place.wanted) unseen.history += std::max(place.joined_offered, place.offered_seen) - place.offered_seen;
        frame.mutable_retired()->add_channels(known.first);
        return true;
    });
    cursor_.retired = held_.retired_before;
    cursor_.retired_offered = held_.offered_before;
}

void Reading::deliver_unseen(const Unseen& unseen) {
    const std::uint64_t history = std::min(unseen.history, unseen.events);
    cursor_.not_kept += history;
    cursor_.lagged += unseen.events - history;
    wire::Frame frame;
    wire::Notice& notice = *frame.mutable_notice();
    notice.set_tick(held_.watermark);
    notice.set_text((unseen.is_exact ? "" : "up to ") + std::to_string(unseen.events) + " events of " +
                    std::to_string(unseen.channels) +
                    " channels of ended programs were forgotten before this reader took them" +
                    (history > 0 ? ", " + std::to_string(history) + " of them from before it joined" : ""));
    notice.set_damage(true);
    out_->push_back({held_.share(wire::encode_frame(frame)), {}});
}

// Of a channel of which nothing is held any more: what this reader did not get of it.
void Reading::deliver_end(const Gone& gone, Cursor::Place& place) {
    const std::uint64_t first = std::max({gone.begin_tick, place.last_tick, promised_until(gone.has_own_time)});
    const std::uint64_t last = std::max(first, gone.reach);
    const std::uint64_t history_end = std::clamp(place.joined_offered, place.offered_seen, gone.offered);
    const std::uint64_t not_kept = history_end - place.offered_seen;
    const std::uint64_t lagged = gone.offered - history_end;
    std::vector<Missed> missed;
    if (not_kept > 0) {
        const std::uint64_t until = lagged > 0 ? std::clamp(place.joined_tick, first, last) : last;
        missed.push_back({wire::LossCause::kNotKept, first, until, place.is_count_known ? not_kept : 0});
    }
    if (lagged > 0) {
        const std::uint64_t from = missed.empty() ? first : missed.back().until_tick;
        missed.push_back({wire::LossCause::kLagged, from, last, place.is_count_known ? lagged : 0});
    }
    cursor_.not_kept += not_kept;
    cursor_.lagged += lagged;
    deliver_missed(gone.channel, missed, place, not_kept + lagged);
    place.offered_seen = gone.offered;
    place.next_index += missed.size();
    place.last_tick = last;
}

}  // namespace sla::retain
