// What readers get of the retention; everything here runs under its lock.
#include "agent/retain/missed_frame.h"
#include "agent/retain/retention.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

#include <algorithm>
#include <iterator>
#include <queue>
#include <utility>

namespace sla::retain {

// What is there when a reader joins is history to it: of that, what goes before it is fetched was not kept.
void Retention::join(Cursor& cursor) {
    if (!cursor.joined) cursor.places.resize(lanes_.size());
    for (std::size_t id = 0; id < lanes_.size() && !cursor.joined; id++) {
        if (!lanes_[id]) continue;
        const Lane& lane = *lanes_[id];
        Cursor::Place& place = cursor.places[id];
        place.joined_number = lane.first_number + lane.entries.size();
        place.joined_offered = lane.offered;
        place.joined_tick = lane.entries.empty() ? 0 : lane.entries.back().facts.last_tick;
    }
    cursor.joined = true;
    if (cursor.places.size() < lanes_.size()) cursor.places.resize(lanes_.size());
}

void Retention::skip_before(Cursor& cursor, std::uint64_t tick) {
    std::lock_guard lock(mutex_);
    join(cursor);
    for (std::size_t id = 0; id < lanes_.size(); id++) {
        if (!lanes_[id]) continue;
        const Lane& lane = *lanes_[id];
        Cursor::Place& place = cursor.places[id];
        place.met = true;
        place.wanted = !cursor.wants || cursor.wants(lane.name);
        const auto reaches = [&](const Entry& entry) { return entry.facts.last_tick >= tick; };
        const auto pinned =
            std::find_if(lane.pinned.begin(), lane.pinned.end(), [&](const auto& one) { return reaches(one.second.entry); });
        auto first = lane.entries.begin();
        if (pinned == lane.pinned.end()) {
            first = std::partition_point(first, lane.entries.end(), [&](const Entry& entry) { return !reaches(entry); });
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
}

bool Retention::read(Cursor& cursor, std::size_t max_bytes, std::vector<Delivery>& out) {
    std::lock_guard lock(mutex_);
    std::size_t room = max_bytes;
    if (!read_announcements(cursor, room, out)) return true;
    std::optional<std::uint64_t> left;
    if (cursor.batches) left = read_batches(cursor, room, out);
    const std::uint64_t complete = left ? *left - std::min<std::uint64_t>(*left, 1) : watermark_;
    read_state(cursor, std::min(complete, watermark_), out);
    if (left || !end_) return true;
    out.push_back({end_, {}});
    return false;
}

// True when all announcements are delivered.
bool Retention::read_announcements(Cursor& cursor, std::size_t& room, std::vector<Delivery>& out) {
    while (cursor.announcements < announcements_.size()) {
        const auto& frame = announcements_[cursor.announcements];
        if (frame->size() > room && !out.empty()) return false;
        room -= std::min(room, frame->size());
        out.push_back({frame, {}});
        cursor.announcements++;
    }
    return true;
}

// The first tick of what is left; nothing when all batches are delivered. Always the channel whose next batch begins first,
// so that a reader's history grows in time order over all channels: all below what is left has reached it.
std::optional<std::uint64_t> Retention::read_batches(Cursor& cursor, std::size_t& room, std::vector<Delivery>& out) {
    join(cursor);
    using Due = std::pair<std::uint64_t, std::size_t>;  // first tick, channel id
    std::priority_queue<Due, std::vector<Due>, std::greater<>> waiting;
    auto enqueue = [&](std::size_t id) {
        const Cursor::Place& place = cursor.places[id];
        const Next next = next_of(*lanes_[id], place);
        if (next.entry == nullptr) return;
        const bool is_gap_first = next.number > place.next_number;
        waiting.emplace(is_gap_first ? gap_tick(next, place, cursor.watermark) : next.entry->facts.first_tick, id);
    };
    for (std::size_t id = 0; id < lanes_.size(); id++) {
        if (!lanes_[id]) continue;
        Cursor::Place& place = cursor.places[id];
        if (!place.met) place.wanted = !cursor.wants || cursor.wants(lanes_[id]->name);
        place.met = true;
        if (place.wanted) enqueue(id);
    }
    while (!waiting.empty()) {
        const auto [tick, id] = waiting.top();
        waiting.pop();
        Cursor::Place& place = cursor.places[id];
        const Next next = next_of(*lanes_[id], place);
        const Entry& entry = *next.entry;
        if (entry.frame->size() > room && !out.empty()) return tick;
        if (next.number > place.next_number) {
            deliver_gap(next, place, cursor, out);
        } else {
            room -= std::min(room, entry.frame->size());
            out.push_back({entry.frame, entry.facts});
            place.next_number++;
            place.offered_seen = entry.offered_before + entry.facts.offered;
            place.next_index = entry.facts.first_index + entry.facts.rows;
            place.last_tick = entry.facts.last_tick;
        }
        enqueue(id);
    }
    return std::nullopt;
}

// The oldest batch held that the reader has not had.
Retention::Next Retention::next_of(const Lane& lane, const Cursor::Place& place) {
    if (!lane.pinned.empty()) {
        const auto pinned = lane.pinned.lower_bound(place.next_number);
        if (pinned != lane.pinned.end()) return {&pinned->second.entry, pinned->first, &pinned->second.before};
    }
    const std::uint64_t number = std::max(place.next_number, lane.first_number);
    if (number - lane.first_number >= lane.entries.size()) return {};
    static constexpr GivenUp kNothing;
    return {&lane.entries[number - lane.first_number], number, number == lane.first_number ? &lane.before : &kNothing};
}

// Where the gap before `next` begins: behind all that the reader had, or was told to have all of; exact when it had nothing
// of the batches that went.
std::uint64_t Retention::gap_tick(const Next& next, const Cursor::Place& place, std::uint64_t told) {
    const std::uint64_t tick = std::max({next.before->first_tick, place.last_tick, told > 0 ? told + 1 : 0});
    return std::min(tick, next.entry->facts.first_tick);
}

void Retention::deliver_gap(const Next& next, Cursor::Place& place, Cursor& cursor, std::vector<Delivery>& out) {
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
    BatchFacts facts;
    facts.channel = behind.channel;
    facts.first_index = place.next_index;
    facts.first_tick = missed.front().tick;
    facts.last_tick = missed.back().tick;
    facts.rows = static_cast<std::uint32_t>(missed.size());
    facts.offered = not_kept + lagged;
    out.push_back({share(missed_frame(facts.channel, facts.first_index, missed)), facts});
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
    if (status_ && status_number_ != cursor.status_number) {
        out.push_back({status_, {}});
        cursor.status_number = status_number_;
    }
}

}  // namespace sla::retain
