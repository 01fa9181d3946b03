// What readers get of the retention; everything here but read and skip_before runs under its lock.
#include "agent/retain/missed_frame.h"
#include "agent/retain/retention.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace sla::retain {

// Rows that stand for what this reader does not get, so many events, as a batch of their own.
void Retention::deliver_missed(ChannelId channel, const std::vector<Missed>& missed, const Cursor::Place& place,
                               std::uint64_t offered, std::vector<Delivery>& out) const {
    BatchFacts facts;
    facts.channel = channel;
    facts.first_index = place.next_index;
    facts.first_tick = missed.front().tick;
    facts.last_tick = missed.back().tick;
    facts.rows = static_cast<std::uint32_t>(missed.size());
    facts.offered = offered;
    out.push_back({share(missed_frame(channel, facts.first_index, missed)), facts});
}

// What is there when a reader joins is history to it: of that, what goes before it is fetched was not kept. Of what was
// retired before it came it never learns.
void Retention::join(Cursor& cursor) {
    if (std::exchange(cursor.joined, true)) return;
    cursor.retired = retired_before_ + retired_.size();
    cursor.retired_offered = offered_before_;
    for (const Retired& retired : retired_) cursor.retired_offered += retired.offered;
    if (!cursor.batches) return;
    for (const auto& [id, lane] : lanes_) {
        Cursor::Place& place = cursor.places[id];
        place.wanted = !cursor.wants || cursor.wants(lane.name);
        place.joined_number = lane.first_number + lane.entries.size();
        place.joined_offered = lane.offered;
        place.joined_tick = lane.last_tick;
    }
}

std::optional<std::uint64_t> Retention::oldest_tick() {
    std::lock_guard lock(mutex_);
    std::optional<std::uint64_t> oldest;
    const auto add = [&](const Entry& entry) {
        oldest = std::min(oldest.value_or(entry.facts.first_tick), entry.facts.first_tick);
    };
    for (const auto& [id, lane] : lanes_) {
        if (!lane.pinned.empty()) add(lane.pinned.begin()->second.entry);
        if (!lane.entries.empty()) add(lane.entries.front());
    }
    return oldest;
}

void Retention::skip_before(Cursor& cursor, std::uint64_t tick, Keep of_others) {
    std::lock_guard lock(mutex_);
    join(cursor);
    for (const auto& [id, lane] : lanes_) {
        Cursor::Place& place = cursor.places[id];
        const auto reaches = [&](const Entry& entry) { return entry.facts.last_tick >= tick; };
        const auto pinned =
            std::find_if(lane.pinned.begin(), lane.pinned.end(), [&](const auto& one) { return reaches(one.second.entry); });
        auto first = lane.entries.begin();
        if (pinned == lane.pinned.end()) {
            first = std::partition_point(first, lane.entries.end(), [&](const Entry& entry) { return !reaches(entry); });
            if (of_others == Keep::kNewest && first == lane.entries.end() && !lane.entries.empty()) --first;
        }
        place.next_number = pinned != lane.pinned.end()
                                ? pinned->first
                                : lane.first_number + static_cast<std::uint64_t>(first - lane.entries.begin());
        const Next next = next_of(lane, place);
        place.offered_seen = next.entry == nullptr ? lane.offered : next.entry->offered_before;
        place.last_tick = std::min(tick, place.joined_tick);
        if (next.entry == nullptr) {
            if (!lane.entries.empty())
                place.next_index = lane.entries.back().facts.first_index + lane.entries.back().facts.rows;
            continue;
        }
        place.next_index = next.entry->facts.first_index;
        const GivenUp& gone = *next.before;
        if (!gone.any() || gone.last_tick < tick) continue;
        place.next_number -= gone.batches;
        place.offered_seen -= gone.offered;
        place.next_index -= gone.rows;
        place.is_count_known = gone.first_tick >= tick;
    }
    charge(cursor);
}

bool Retention::read(Cursor& cursor, std::size_t max_bytes, std::vector<Delivery>& out) {
    std::lock_guard lock(mutex_);
    const bool goes_on = read_all(cursor, max_bytes, out);
    charge(cursor);
    return goes_on;
}

bool Retention::read_all(Cursor& cursor, std::size_t max_bytes, std::vector<Delivery>& out) {
    std::size_t space = max_bytes;
    join(cursor);
    read_retired(cursor, out);
    if (!read_announcements(cursor, space, out)) return true;
    std::optional<std::uint64_t> left;
    if (cursor.batches) left = read_batches(cursor, space, out);
    const std::uint64_t complete = left ? *left - std::min<std::uint64_t>(*left, 1) : watermark_;
    read_state(cursor, std::min(complete, watermark_), out);
    if (left || !end_) return true;
    out.push_back({end_, {}});
    return false;
}

// Channels that were retired since the last read: those that this reader saw end for it, with a gap where it lacks
// events; what it never saw it receives as a sum.
void Retention::read_retired(Cursor& cursor, std::vector<Delivery>& out) {
    const std::uint64_t all = retired_before_ + retired_.size();
    if (cursor.retired == all) return;
    Unseen unseen;
    wire::Frame frame;
    skip_forgotten(cursor, unseen, frame);
    SourceId newest;
    for (; cursor.retired < all; cursor.retired++) {
        const Retired& retired = retired_[cursor.retired - retired_before_];
        cursor.retired_offered += retired.offered;
        const auto at = cursor.places.find(retired.channel.value);
        Cursor::Place place;
        if (at != cursor.places.end()) {
            place = at->second;
            cursor.places.erase(at);
        } else {
            place.wanted = !cursor.wants || cursor.wants(retired.name);
        }
        const bool is_missing = cursor.batches && place.wanted && retired.offered > place.offered_seen;
        if (retired.announced >= cursor.next_announcement) {
            if (!is_missing) continue;
            unseen.events += retired.offered - place.offered_seen;
            unseen.history += std::max(place.joined_offered, place.offered_seen) - place.offered_seen;
            unseen.channels++;
            continue;
        }
        if (is_missing)
            deliver_end({retired.channel, retired.offered, retired.begin_tick, retired.last_tick}, place, cursor, out);
        if (retired.channel.value != 0) frame.mutable_retired()->add_channels(retired.channel.value);
        if (retired.source != newest) frame.mutable_retired()->add_sources(retired.source.value);
        newest = retired.source;
    }
    if (frame.has_retired()) out.push_back({share(wire::encode_frame(frame)), {}});
    if (unseen.events > 0 && cursor.batches) deliver_unseen(unseen, cursor, out);
}

// This reader stood still for so long that they are not even remembered one by one.
void Retention::skip_forgotten(Cursor& cursor, Unseen& unseen, wire::Frame& frame) {
    if (cursor.retired >= retired_before_) return;
    unseen.is_exact = !cursor.wants;
    unseen.events = offered_before_ - cursor.retired_offered;
    unseen.channels = retired_before_ - cursor.retired;
    std::unordered_map<std::uint32_t, bool> remembered;
    for (const Retired& retired : retired_) remembered[retired.channel.value] = true;
    std::erase_if(cursor.places, [&](const auto& known) {
        if (lanes_.contains(known.first) || remembered.contains(known.first)) return false;
        const Cursor::Place& place = known.second;
        unseen.events -= std::min(unseen.events, place.offered_seen);
        if (place.wanted) unseen.history += std::max(place.joined_offered, place.offered_seen) - place.offered_seen;
        frame.mutable_retired()->add_channels(known.first);
        return true;
    });
    cursor.retired = retired_before_;
    cursor.retired_offered = offered_before_;
}

void Retention::deliver_unseen(const Unseen& unseen, Cursor& cursor, std::vector<Delivery>& out) const {
    const std::uint64_t history = std::min(unseen.history, unseen.events);
    cursor.not_kept += history;
    cursor.lagged += unseen.events - history;
    wire::Frame frame;
    wire::Notice& notice = *frame.mutable_notice();
    notice.set_tick(watermark_);
    notice.set_text((unseen.is_exact ? "" : "up to ") + std::to_string(unseen.events) + " events of " +
                    std::to_string(unseen.channels) +
                    " channels of ended programs were forgotten before this reader took them" +
                    (history > 0 ? ", " + std::to_string(history) + " of them from before it joined" : ""));
    notice.set_damage(true);
    out.push_back({share(wire::encode_frame(frame)), {}});
}

// Of a channel of which nothing is held any more: what this reader did not get of it.
void Retention::deliver_end(const Gone& gone, Cursor::Place& place, Cursor& cursor, std::vector<Delivery>& out) const {
    const std::uint64_t complete = cursor.watermark;
    const std::uint64_t first = std::max({gone.begin_tick, place.last_tick, complete > 0 ? complete + 1 : 0});
    const std::uint64_t last = std::max(first, gone.last_tick);
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
    cursor.not_kept += not_kept;
    cursor.lagged += lagged;
    deliver_missed(gone.channel, missed, place, not_kept + lagged, out);
    place.offered_seen = gone.offered;
    place.next_index += missed.size();
    place.last_tick = last;
}

// True when all announcements are delivered.
bool Retention::read_announcements(Cursor& cursor, std::size_t& space, std::vector<Delivery>& out) {
    bool is_all = true;
    announcements_.each_from(cursor.next_announcement, [&](std::uint64_t number, const SharedFrame& frame) {
        is_all = frame->size() <= space || out.empty();
        if (!is_all) return false;
        space -= std::min(space, frame->size());
        out.push_back({frame, {}});
        cursor.next_announcement = number + 1;
        return true;
    });
    if (is_all) cursor.next_announcement = announcements_.next();
    return is_all;
}

// When what comes next begins: its batch, or the gap before it.
std::uint64_t Retention::tick_of(const Next& next, const Cursor::Place& place, std::uint64_t complete) {
    return next.number > place.next_number ? gap_tick(next, place, complete) : next.entry->facts.first_tick;
}

void Retention::put_due(Cursor& cursor, Cursor::Due due) {
    cursor.due.push_back(due);
    std::push_heap(cursor.due.begin(), cursor.due.end(), std::greater<>());
}

void Retention::take_due(Cursor& cursor) {
    std::pop_heap(cursor.due.begin(), cursor.due.end(), std::greater<>());
    cursor.due.pop_back();
}

// What it has becomes due. All that an ended source's channel had may have had to go, while others of it are still held.
void Retention::visit(const HeldChannel& lane, Cursor::Place& place, Cursor& cursor, std::vector<Delivery>& out) const {
    if (!place.wanted) return;
    if (const Next next = next_of(lane, place); next.entry != nullptr) {
        put_due(cursor, {tick_of(next, place, cursor.watermark), lane.id.value});
        place.is_due = true;
    } else if (place.offered_seen < lane.offered) {
        deliver_end({lane.id, lane.offered, lane.begin_tick, lane.last_tick}, place, cursor, out);
    }
}

// Channels with something new; those that found no space before are due already.
void Retention::visit_changed(Cursor& cursor, std::vector<Delivery>& out) const {
    for (auto at = changed_.rbegin(); at != changed_.rend() && (*at)->last_change > cursor.changes; ++at) {
        const HeldChannel& lane = **at;
        auto [known, is_new] = cursor.places.try_emplace(lane.id.value);
        if (is_new) known->second.wanted = !cursor.wants || cursor.wants(lane.name);
        if (!known->second.is_due) visit(lane, known->second, cursor, out);
    }
    cursor.changes = changes_;
}

// The first tick of what is left; nothing when all batches are delivered. Always the channel whose next batch begins first,
// so that a reader's history grows in time order over all channels: all below what is left has reached it.
std::optional<std::uint64_t> Retention::read_batches(Cursor& cursor, std::size_t& space, std::vector<Delivery>& out) {
    visit_changed(cursor, out);
    while (!cursor.due.empty()) {
        const auto [tick, id] = cursor.due.front();
        const auto lane = lanes_.find(id);
        const auto known = cursor.places.find(id);
        if (lane == lanes_.end() || known == cursor.places.end()) {  // retired meanwhile
            take_due(cursor);
            continue;
        }
        Cursor::Place& place = known->second;
        const Next next = next_of(lane->second, place);
        const bool is_later = next.entry != nullptr && tick_of(next, place, cursor.watermark) > tick;
        if (next.entry != nullptr && !is_later) {
            if (next.entry->frame->size() > space && !out.empty()) return tick;
            deliver_next(next, place, cursor, space, out);
        }
        take_due(cursor);
        place.is_due = false;
        visit(lane->second, place, cursor, out);
    }
    return std::nullopt;
}

void Retention::deliver_next(const Next& next, Cursor::Place& place, Cursor& cursor, std::size_t& space,
                             std::vector<Delivery>& out) const {
    if (next.number > place.next_number) return deliver_gap(next, place, cursor, out);
    const Entry& entry = *next.entry;
    space -= std::min(space, entry.frame->size());
    out.push_back(
        {entry.frame, entry.facts, cursor.is_recorder ? summaries_.find(entry.facts.channel.value, next.number) : nullptr});
    place.next_number++;
    place.offered_seen = entry.offered_before + entry.facts.offered;
    place.next_index = entry.facts.first_index + entry.facts.rows;
    place.last_tick = entry.facts.last_tick;
}

// The oldest batch held that the reader has not had.
Retention::Next Retention::next_of(const HeldChannel& lane, const Cursor::Place& place) {
    if (!lane.pinned.empty()) {
        const auto pinned = lane.pinned.lower_bound(place.next_number);
        if (pinned != lane.pinned.end()) return {&pinned->second.entry, pinned->first, &pinned->second.before};
    }
    const std::uint64_t number = std::max(place.next_number, lane.first_number);
    if (number - lane.first_number >= lane.entries.size()) return {};
    static constexpr GivenUp kNothing;
    return {&lane.entries[number - lane.first_number], number, number == lane.first_number ? &lane.before : &kNothing};
}

// Where the gap before `next` begins: behind all that the reader had, or was promised to have all of; exact when it had
// nothing of the batches that went.
std::uint64_t Retention::gap_tick(const Next& next, const Cursor::Place& place, std::uint64_t complete) {
    const std::uint64_t tick = std::max({next.before->first_tick, place.last_tick, complete > 0 ? complete + 1 : 0});
    return std::min(tick, next.entry->facts.first_tick);
}

void Retention::deliver_gap(const Next& next, Cursor::Place& place, Cursor& cursor, std::vector<Delivery>& out) const {
    const BatchFacts& behind = next.entry->facts;
    const std::uint64_t first = gap_tick(next, place, cursor.watermark);
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
    cursor.not_kept += not_kept;
    cursor.lagged += lagged;
    deliver_missed(behind.channel, missed, place, not_kept + lagged, out);
    place.offered_seen = next.entry->offered_before;
    place.next_number = next.number;
    place.next_index = behind.first_index;
    place.last_tick = last;
}

// How far this reader can be sure of having everything, and how the agent is. Also in the middle of much to read: a reader
// that never catches up would show nothing otherwise.
void Retention::read_state(Cursor& cursor, std::uint64_t watermark, std::vector<Delivery>& out) {
    if (watermark > cursor.watermark) {
        wire::Frame frame;
        frame.mutable_watermark()->set_tick(watermark);
        out.push_back({share(wire::encode_frame(frame)), {}});
        cursor.watermark = watermark;
    }
    if (status_.empty() || status_number_ == cursor.status_number) return;
    for (const auto& page : status_) out.push_back({page, {}});
    cursor.status_number = status_number_;
}

}  // namespace sla::retain
