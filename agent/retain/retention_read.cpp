// What readers get of the retention; everything here runs under its lock.
#include "agent/retain/lag_gap.h"
#include "agent/retain/retention.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

#include <algorithm>
#include <iterator>
#include <queue>
#include <utility>

namespace sla::retain {

void Retention::skip_before(Cursor& cursor, std::uint64_t tick) {
    std::lock_guard lock(mutex_);
    cursor.places.resize(lanes_.size());
    for (std::size_t id = 0; id < lanes_.size(); id++) {
        if (!lanes_[id]) continue;
        const Lane& lane = *lanes_[id];
        auto first = std::partition_point(lane.entries.begin(), lane.entries.end(),
                                          [&](const Entry& entry) { return entry.facts.last_tick < tick; });
        Cursor::Place& place = cursor.places[id];
        place.met = true;
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
    if (cursor.places.size() < lanes_.size()) cursor.places.resize(lanes_.size());
    using Next = std::pair<std::uint64_t, std::size_t>;  // first tick, channel id
    std::priority_queue<Next, std::vector<Next>, std::greater<>> waiting;
    auto enqueue = [&](std::size_t id) {
        const Lane& lane = *lanes_[id];
        std::uint64_t number = std::max(cursor.places[id].next_number, lane.first_number);
        if (number - lane.first_number < lane.entries.size()) {
            waiting.emplace(lane.entries[number - lane.first_number].facts.first_tick, id);
        }
    };
    for (std::size_t id = 0; id < lanes_.size(); id++) {
        if (!lanes_[id]) continue;
        Cursor::Place& place = cursor.places[id];
        if (!place.met) place.wanted = !cursor.wants || cursor.wants(lanes_[id]->name);
        place.met = true;
        if (place.wanted) enqueue(id);
    }
    while (!waiting.empty()) {
        std::size_t id = waiting.top().second;
        waiting.pop();
        const Lane& lane = *lanes_[id];
        Cursor::Place& place = cursor.places[id];
        place.next_number = std::max(place.next_number, lane.first_number);
        const Entry& entry = lane.entries[place.next_number - lane.first_number];
        if (entry.frame->size() > room && !out.empty()) return entry.facts.first_tick;
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
        enqueue(id);
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
    if (status_ && status_number_ != cursor.status_number) {
        out.push_back({status_, {}});
        cursor.status_number = status_number_;
    }
}

}  // namespace sla::retain
