#include "agent/retain/reading.h"

#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace sla::retain {
namespace {

// Of batches before `first`, whose rows are all before the tick, a loss may last beyond it, and other threads' batches follow it.
std::size_t first_that_reaches(const HeldChannel& lane, std::uint64_t tick, std::size_t first) {
    std::uint64_t reach = first < lane.entries.size() ? lane.entries[first].reach_before : lane.reach;
    for (std::size_t at = first; at > 0 && reach >= tick; reach = lane.entries[at].reach_before) {
        if (lane.entries[--at].facts.reach() >= tick) first = at;
    }
    return first;
}

}  // namespace

// What is there when a reader joins is history to it: of that, what goes before it is fetched was not kept. Of what was
// retired before it came it never learns.
void Reading::join() {
    if (std::exchange(cursor_.joined, true)) return;
    cursor_.retired = held_.retired_before + held_.retired.size();
    cursor_.retired_offered = held_.offered_before;
    for (const Retired& retired : held_.retired) cursor_.retired_offered += retired.offered;
    if (!cursor_.batches) return;
    for (const auto& [id, lane] : held_.channels) {
        Cursor::Place& place = cursor_.places[id];
        place.wanted = !cursor_.wants || cursor_.wants(lane.name);
        place.joined_number = lane.first_number + lane.entries.size();
        place.joined_offered = lane.offered;
        place.joined_tick = lane.last_tick;
    }
}

void Reading::skip_before(std::uint64_t tick, Keep of_others) {
    join();
    for (const auto& [id, lane] : held_.channels) skip_before(lane, tick, of_others);
}

void Reading::skip_older(std::uint64_t age, std::uint64_t now, Keep of_others) {
    join();
    for (const auto& [id, lane] : held_.channels) {
        const std::uint64_t now_there = lane.now(now);
        skip_before(lane, now_there - std::min(now_there, age), of_others);
    }
}

void Reading::skip_before(const HeldChannel& lane, std::uint64_t tick, Keep of_others) {
    Cursor::Place& place = cursor_.places[lane.id.value];
    const auto reaches = [&](const HeldBatch& entry) { return entry.facts.reach() >= tick; };
    const auto is_before = [&](const HeldBatch& entry) { return entry.facts.last_tick < tick; };
    const auto pinned =
        std::find_if(lane.pinned.begin(), lane.pinned.end(), [&](const auto& one) { return reaches(one.second.entry); });
    std::size_t first = 0;
    if (pinned == lane.pinned.end()) {
        first = first_that_reaches(lane, tick, lane.entries.count_of_first(is_before));
        if (of_others == Keep::kNewest && first == lane.entries.size() && !lane.entries.empty()) --first;
    }
    place.next_number = pinned != lane.pinned.end() ? pinned->first : lane.first_number + first;
    const Next next = next_of(lane, place);
    place.offered_seen = next.entry == nullptr ? lane.offered : next.entry->offered_before;
    place.last_tick = std::min(tick, place.joined_tick);
    if (next.entry == nullptr) {
        if (!lane.entries.empty()) place.next_index = lane.entries.back().facts.first_index + lane.entries.back().facts.rows;
        return;
    }
    place.next_index = next.entry->facts.first_index;
    const GivenUp& gone = *next.before;
    if (!gone.any() || gone.last_tick < tick) return;
    place.next_number -= gone.batches;
    place.offered_seen -= gone.offered;
    place.next_index -= gone.rows;
    place.is_count_known = gone.first_tick >= tick;
}

bool Reading::read(std::size_t max_bytes, std::vector<Delivery>& out) {
    out_ = &out;
    space_ = max_bytes;
    join();
    read_retired();
    if (!read_announcements()) return true;
    std::optional<std::uint64_t> left;
    if (cursor_.batches) left = read_batches();
    const std::uint64_t complete = left ? *left - std::min<std::uint64_t>(*left, 1) : held_.watermark;
    read_state(std::min(complete, held_.watermark));
    if (left || !held_.end) return true;
    out_->push_back({held_.end, {}});
    return false;
}

// Of many small frames the list of them takes more than they do.
void Reading::take_space(const std::string& frame) {
    space_ -= std::min(space_, frame.size() + sizeof(Delivery));
}

// True when all announcements are delivered.
bool Reading::read_announcements() {
    bool is_all = true;
    held_.announcements.each_from(cursor_.next_announcement, [&](std::uint64_t number, const SharedFrame& frame) {
        is_all = frame->size() <= space_ || out_->empty();
        if (!is_all) return false;
        take_space(*frame);
        out_->push_back({frame, {}});
        cursor_.next_announcement = number + 1;
        return true;
    });
    if (is_all) cursor_.next_announcement = held_.announcements.next();
    return is_all;
}

// When what comes next has its turn: its batch, or the gap before it, which begins earlier. Of a time that a source makes up
// both have it when the batch came: no tick of theirs says anything about other channels.
std::uint64_t Reading::tick_of(const Next& next, const Cursor::Place& place) const {
    const bool is_gap = next.number > place.next_number && !next.has_own_time;
    return is_gap ? gap_tick(next, place) : next.entry->turn;
}

void Reading::put_due(Cursor::Due due) {
    cursor_.due.push_back(due);
    std::push_heap(cursor_.due.begin(), cursor_.due.end(), std::greater<>());
}

void Reading::take_due() {
    std::pop_heap(cursor_.due.begin(), cursor_.due.end(), std::greater<>());
    cursor_.due.pop_back();
}

// What it has becomes due. All that an ended source's channel had may have had to go, while others of it are still held.
void Reading::visit(const HeldChannel& lane, Cursor::Place& place) {
    if (!place.wanted) return;
    if (const Next next = next_of(lane, place); next.entry != nullptr) {
        put_due({tick_of(next, place), lane.id.value});
        place.is_due = true;
    } else if (place.offered_seen < lane.offered) {
        deliver_end({lane.id, lane.offered, lane.begin_tick, lane.reach, lane.owner->has_own_time}, place);
        place.next_number = lane.first_number + lane.entries.size();  // should its source come again
    }
}

// Channels with something new; those that found no space before are due already.
void Reading::visit_changed() {
    for (auto at = held_.changed.rbegin(); at != held_.changed.rend() && (*at)->last_change > cursor_.changes; ++at) {
        const HeldChannel& lane = **at;
        auto [known, is_new] = cursor_.places.try_emplace(lane.id.value);
        if (is_new) known->second.wanted = !cursor_.wants || cursor_.wants(lane.name);
        if (!known->second.is_due) visit(lane, known->second);
    }
    cursor_.changes = held_.changes;
}

// The first tick of what is left; nothing when all batches are delivered. Always the channel whose next batch begins first,
// so that a reader's history grows in time order over all channels: all below what is left has reached it.
std::optional<std::uint64_t> Reading::read_batches() {
    visit_changed();
    while (!cursor_.due.empty()) {
        const auto [tick, id] = cursor_.due.front();
        const auto lane = held_.channels.find(id);
        const auto known = cursor_.places.find(id);
        if (lane == held_.channels.end() || known == cursor_.places.end()) {  // retired meanwhile
            take_due();
            continue;
        }
        Cursor::Place& place = known->second;
        const Next next = next_of(lane->second, place);
        const bool is_later = next.entry != nullptr && tick_of(next, place) > tick;
        if (next.entry != nullptr && !is_later) {
            if (next.entry->frame->size() > space_ && !out_->empty()) return tick;
            deliver_next(next, place);
        }
        take_due();
        place.is_due = false;
        visit(lane->second, place);
    }
    return std::nullopt;
}

void Reading::deliver_next(const Next& next, Cursor::Place& place) {
    if (next.number > place.next_number) return deliver_gap(next, place);
    const HeldBatch& entry = *next.entry;
    take_space(*entry.frame);
    out_->push_back({entry.frame, entry.facts, cursor_.is_recorder ? held_.summaries.find(entry.summary) : nullptr});
    place.next_number++;
    place.offered_seen = entry.offered_before + entry.facts.offered;
    place.next_index = entry.facts.first_index + entry.facts.rows;
    place.last_tick = entry.facts.last_tick;
}

// The oldest batch held that the reader has not had.
Reading::Next Reading::next_of(const HeldChannel& lane, const Cursor::Place& place) {
    const bool is_own = lane.owner->has_own_time;
    if (!lane.pinned.empty()) {
        const auto pinned = lane.pinned.lower_bound(place.next_number);
        if (pinned != lane.pinned.end()) return {&pinned->second.entry, pinned->first, &pinned->second.before, is_own};
    }
    const std::uint64_t number = std::max(place.next_number, lane.first_number);
    if (number - lane.first_number >= lane.entries.size()) return {};
    static constexpr GivenUp kNothing;
    return {&lane.entries[number - lane.first_number], number, number == lane.first_number ? &lane.before : &kNothing,
            is_own};
}

// How far this reader can be sure of having everything, and how the agent is. Also in the middle of much to read: a reader
// that never catches up would show nothing otherwise.
void Reading::read_state(std::uint64_t watermark) {
    if (watermark > cursor_.watermark) {
        wire::Frame frame;
        frame.mutable_watermark()->set_tick(watermark);
        out_->push_back({held_.share(wire::encode_frame(frame)), {}});
        cursor_.watermark = watermark;
    }
    if (held_.status.empty() || held_.status_number == cursor_.status_number) return;
    for (const auto& page : held_.status) out_->push_back({page, {}});
    cursor_.status_number = held_.status_number;
}

}  // namespace sla::retain
