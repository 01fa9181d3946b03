// What readers get of the retention; everything here but read and skip_before runs under its lock.
#include "agent/retain/lag_gap.h"
#include "agent/retain/retention.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sla::retain {
namespace {

std::string unheard_notice(std::uint64_t tick, std::uint64_t events, std::uint64_t channels, bool is_exact) {
    wire::Frame frame;
    frame.mutable_notice()->set_tick(tick);
    frame.mutable_notice()->set_text((is_exact ? "" : "up to ") + std::to_string(events) + " events of " +
                                     std::to_string(channels) +
                                     " channels of ended programs were forgotten before this reader took them");
    frame.mutable_notice()->set_damage(true);
    return wire::encode_frame(frame);
}

}  // namespace

void Retention::skip_before(Cursor& cursor, std::uint64_t tick) {
    std::lock_guard lock(mutex_);
    cursor.joined = true;
    cursor.retired = retired_before_ + retired_.size();
    cursor.retired_offered = offered_before_;
    for (const Retired& retired : retired_) cursor.retired_offered += retired.offered;
    for (const auto& [id, lane] : lanes_) {
        auto first = std::partition_point(lane.entries.begin(), lane.entries.end(),
                                          [&](const Entry& entry) { return entry.facts.last_tick < tick; });
        Cursor::Place& place = cursor.places[id];
        place.wanted = !cursor.wants || cursor.wants(lane.name);
        place.next_number = lane.first_number + static_cast<std::uint64_t>(first - lane.entries.begin());
        place.offered_seen = first == lane.entries.end() ? lane.offered : first->offered_before;
        if (first == lane.entries.begin()) continue;
        const BatchFacts& before = std::prev(first)->facts;
        place.last_tick = before.last_tick;
        place.next_index = before.first_index + before.rows;
    }
}

bool Retention::read(Cursor& cursor, std::size_t max_bytes, std::vector<Delivery>& out) {
    std::lock_guard lock(mutex_);
    std::size_t room = max_bytes;
    read_retired(cursor, out);
    if (!read_announcements(cursor, room, out)) return true;
    std::optional<std::uint64_t> left;
    if (cursor.batches) left = read_batches(cursor, room, out);
    const std::uint64_t complete = left ? *left - std::min<std::uint64_t>(*left, 1) : watermark_;
    read_state(cursor, std::min(complete, watermark_), out);
    if (left || !end_) return true;
    out.push_back({end_, {}});
    return false;
}

// Channels that were retired since the last read: those that this reader heard of end for it, with a gap where it lacks
// events; what it never heard of it is told in a sum.
void Retention::read_retired(Cursor& cursor, std::vector<Delivery>& out) {
    const std::uint64_t all = retired_before_ + retired_.size();
    if (!cursor.joined) {
        cursor.joined = true;
        cursor.retired = all;
        cursor.retired_offered = offered_before_;
        for (const Retired& retired : retired_) cursor.retired_offered += retired.offered;
    }
    if (cursor.retired == all) return;
    std::uint64_t events = 0;
    std::uint64_t channels = 0;
    const bool is_exact = cursor.retired >= retired_before_ || !cursor.wants;
    skip_forgotten(cursor, events, channels);
    wire::Frame frame;
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
            events += retired.offered - place.offered_seen;
            channels++;
            continue;
        }
        if (is_missing)
            deliver_end({retired.channel, retired.offered, retired.begin_tick, retired.last_tick}, place, cursor, out);
        if (retired.channel.value != 0) frame.mutable_retired()->add_channels(retired.channel.value);
        if (retired.source != newest) frame.mutable_retired()->add_sources(retired.source.value);
        newest = retired.source;
    }
    if (frame.has_retired()) out.push_back({share(wire::encode_frame(frame)), {}});
    if (events == 0 || !cursor.batches) return;
    cursor.lagged += events;
    out.push_back({share(unheard_notice(watermark_, events, channels, is_exact)), {}});
}

// This reader stood still for so long that they are not even remembered one by one.
void Retention::skip_forgotten(Cursor& cursor, std::uint64_t& events, std::uint64_t& channels) {
    if (cursor.retired >= retired_before_) return;
    events = offered_before_ - cursor.retired_offered;
    channels = retired_before_ - cursor.retired;
    std::unordered_map<std::uint32_t, bool> remembered;
    for (const Retired& retired : retired_) remembered[retired.channel.value] = true;
    std::erase_if(cursor.places, [&](const auto& known) {
        if (lanes_.contains(known.first) || remembered.contains(known.first)) return false;
        events -= std::min(events, known.second.offered_seen);
        return true;
    });
    cursor.retired = retired_before_;
    cursor.retired_offered = offered_before_;
}

// Of a channel of which nothing is held any more: what this reader did not get of it.
void Retention::deliver_end(const Gone& gone, Cursor::Place& place, Cursor& cursor, std::vector<Delivery>& out) {
    BatchFacts facts;
    facts.channel = gone.channel;
    facts.first_index = place.next_index;
    facts.first_tick = std::max(place.last_tick > 0 ? place.last_tick : gone.begin_tick, cursor.watermark + 1);
    facts.last_tick = facts.first_tick;
    facts.rows = 1;
    facts.offered = gone.offered - place.offered_seen;
    cursor.lagged += facts.offered;
    const std::uint64_t until = std::max(facts.first_tick, gone.last_tick);
    out.push_back({share(lag_gap_frame(facts.channel, facts.first_index, facts.first_tick, until, facts.offered)), facts});
    place.offered_seen = gone.offered;
    place.next_index++;
    place.last_tick = facts.last_tick;
}

// True when all announcements are delivered.
bool Retention::read_announcements(Cursor& cursor, std::size_t& room, std::vector<Delivery>& out) {
    bool is_all = true;
    announcements_.each_from(cursor.next_announcement, [&](std::uint64_t number, const Announcements::Frame& frame) {
        is_all = frame->size() <= room || out.empty();
        if (!is_all) return false;
        room -= std::min(room, frame->size());
        out.push_back({frame, {}});
        cursor.next_announcement = number + 1;
        return true;
    });
    if (is_all) cursor.next_announcement = announcements_.next();
    return is_all;
}

// False: it has nothing that this reader did not get.
bool Retention::enqueue(const HeldChannel& lane, const Cursor::Place& place, Waiting& waiting) {
    const std::uint64_t number = std::max(place.next_number, lane.first_number);
    if (number - lane.first_number >= lane.entries.size()) return false;
    waiting.emplace(lane.entries[number - lane.first_number].facts.first_tick, lane.id.value);
    return true;
}

// All that an ended source's channel had may have had to go, while others of it are still held.
void Retention::visit(const HeldChannel& lane, Cursor& cursor, Waiting& waiting, std::vector<Delivery>& out) {
    Cursor::Place& place = cursor.places.at(lane.id.value);
    if (!place.wanted || enqueue(lane, place, waiting) || place.offered_seen >= lane.offered) return;
    deliver_end({lane.id, lane.offered, lane.begin_tick, lane.last_tick}, place, cursor, out);
}

// Channels with something new, and those that found no room before.
Retention::Waiting Retention::waiting_for(Cursor& cursor, std::vector<Delivery>& out) {
    Waiting waiting;
    const std::vector<std::uint32_t> behind = std::exchange(cursor.behind, {});
    for (auto at = changed_.rbegin(); at != changed_.rend() && (*at)->last_change > cursor.changes; ++at) {
        const HeldChannel& lane = **at;
        auto [known, is_new] = cursor.places.try_emplace(lane.id.value);
        if (is_new) known->second.wanted = !cursor.wants || cursor.wants(lane.name);
        if (!known->second.behind) visit(lane, cursor, waiting, out);
    }
    for (const std::uint32_t id : behind) {
        const auto lane = lanes_.find(id);
        if (lane == lanes_.end()) continue;
        cursor.places.at(id).behind = false;
        visit(lane->second, cursor, waiting, out);
    }
    cursor.changes = changes_;
    return waiting;
}

void Retention::put_behind(Cursor& cursor, Waiting& waiting) {
    for (; !waiting.empty(); waiting.pop()) {
        cursor.behind.push_back(waiting.top().second);
        cursor.places[waiting.top().second].behind = true;
    }
}

// The first tick of what is left; nothing when all batches are delivered. Always the channel whose next batch begins first,
// so that a reader's history grows in time order over all channels: all below what is left has reached it.
std::optional<std::uint64_t> Retention::read_batches(Cursor& cursor, std::size_t& room, std::vector<Delivery>& out) {
    Waiting waiting = waiting_for(cursor, out);
    while (!waiting.empty()) {
        const HeldChannel& lane = lanes_.at(waiting.top().second);
        Cursor::Place& place = cursor.places[lane.id.value];
        place.next_number = std::max(place.next_number, lane.first_number);
        const Entry& entry = lane.entries[place.next_number - lane.first_number];
        if (entry.frame->size() > room && !out.empty()) {
            put_behind(cursor, waiting);
            return entry.facts.first_tick;
        }
        waiting.pop();
        if (entry.offered_before > place.offered_seen) {
            cursor.lagged += entry.offered_before - place.offered_seen;
            deliver_gap(entry, place, cursor.watermark, out);
        }
        room -= std::min(room, entry.frame->size());
        out.push_back({entry.frame, entry.facts});
        place.next_number++;
        place.offered_seen = entry.offered_before + entry.facts.offered;
        place.next_index = entry.facts.first_index + entry.facts.rows;
        place.last_tick = entry.facts.last_tick;
        enqueue(lane, place, waiting);
    }
    return std::nullopt;
}

// Behind what the reader was told to have all of: from there on it was too slow.
void Retention::deliver_gap(const Entry& next, Cursor::Place& place, std::uint64_t told, std::vector<Delivery>& out) {
    std::uint64_t lost = next.offered_before - place.offered_seen;
    std::uint64_t tick = next.facts.first_tick;
    if (place.last_tick > 0) tick = std::min(std::max(place.last_tick, told + 1), tick);
    BatchFacts facts;
    facts.channel = next.facts.channel;
    facts.first_index = place.next_index;
    facts.first_tick = facts.last_tick = tick;
    facts.rows = 1;
    facts.offered = lost;
    std::string frame = lag_gap_frame(facts.channel, facts.first_index, tick, next.facts.first_tick, lost);
    out.push_back({share(std::move(frame)), facts});
    place.offered_seen = next.offered_before;
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
