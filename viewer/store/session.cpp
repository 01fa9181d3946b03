#include "viewer/store/session.h"

#include <algorithm>

namespace sla::store {

void Session::set_origin(Origin origin) {
    facts_.origin = std::move(origin);
    facts_.has_origin = true;
    forget_clock();
    change();
}

Source& Session::add_source(Source source) {
    change();
    Source& slot = facts_.sources[source.id];
    slot = std::move(source);
    return slot;
}

Lane& Session::add_channel(Channel channel) {
    touch();
    std::unique_ptr<Lane>& slot = by_id_[channel.id];
    if (slot != nullptr) {
        slot->describe(std::move(channel));
        return *slot;
    }
    slot = std::make_unique<Lane>(std::move(channel));
    const auto before = [](const Lane* a, const Lane* b) { return a->channel().id < b->channel().id; };
    lanes_.insert(std::upper_bound(lanes_.begin(), lanes_.end(), slot.get(), before), slot.get());
    return *slot;
}

void Session::add_thread(Thread thread) {
    change();
    facts_.threads[thread.id] = std::move(thread);
}

void Session::set_watermark(std::uint64_t tick) {
    touch();
    watermark_ = std::max(watermark_, tick);
}

void Session::set_history(History history) {
    change();
    facts_.history.reset();
    if (history.oldest_tick < history.from_tick) facts_.history = history;
}

// A lane's first batch may reach back before what was asked for, or be there only for the state that it gives.
std::optional<History> Session::unfetched(const Lane& lane) const {
    if (!facts_.history) return std::nullopt;
    History part = *facts_.history;
    if (lane.empty()) {
        const Ledger* known = ledger(lane.channel().id);
        if (known == nullptr || known->events == 0) return std::nullopt;
        return part;
    }
    if (!lane.begins_late()) return std::nullopt;
    part.from_tick = std::min(part.from_tick, lane.first_tick());
    if (part.oldest_tick >= part.from_tick) return std::nullopt;
    return part;
}

void Session::set_ledger(ChannelId id, const Ledger& ledger) {
    change();
    facts_.ledgers[id] = ledger;
}

void Session::add_shot(Shot shot) {
    change();
    if (facts_.shots.size() == kMaxShots || !shots_known_.emplace(shot.trigger, shot.tick).second) return;
    // Nearly always the newest; of two triggers the later may be the first to have its window filled.
    const auto earlier = [](std::uint64_t tick, const Shot& one) { return tick < one.tick; };
    const auto place = std::upper_bound(facts_.shots.begin(), facts_.shots.end(), shot.tick, earlier);
    facts_.shots.insert(place, std::move(shot));
}

std::vector<Shot>::const_iterator Session::first_shot_from(std::uint64_t tick) const {
    const auto earlier = [](const Shot& one, std::uint64_t at) { return one.tick < at; };
    return std::lower_bound(facts_.shots.begin(), facts_.shots.end(), tick, earlier);
}

void Session::add_note(Note note) {
    change();
    if (note.damage) ++facts_.damage_count;
    if (facts_.notes.size() >= kMaxNotes) facts_.notes.erase(facts_.notes.begin(), facts_.notes.begin() + kMaxNotes / 10);
    facts_.notes.push_back(std::move(note));
}

void Session::set_ended(std::uint64_t tick, std::string reason) {
    change();
    watermark_ = std::max(watermark_, tick);
    facts_.ended = true;
    facts_.end_reason = std::move(reason);
}

void Session::reopen() {
    change();
    facts_.ended = false;
    facts_.end_reason.clear();
}

Lane* Session::lane(ChannelId id) {
    const auto at = by_id_.find(id);
    return at == by_id_.end() ? nullptr : at->second.get();
}

const Lane* Session::lane(ChannelId id) const {
    return const_cast<Session*>(this)->lane(id);
}

const Lane* Session::lane_named(std::string_view channel_name) const {
    for (const Lane* lane : lanes_) {
        if (lane->channel().name == channel_name) return lane;
    }
    return nullptr;
}

const Source* Session::source(SourceId id) const {
    const auto at = facts_.sources.find(id);
    return at == facts_.sources.end() ? nullptr : &at->second;
}

const Thread* Session::thread(ThreadId id) const {
    const auto at = facts_.threads.find(id);
    return at == facts_.threads.end() ? nullptr : &at->second;
}

const Ledger* Session::ledger(ChannelId id) const {
    const auto at = facts_.ledgers.find(id);
    return at == facts_.ledgers.end() ? nullptr : &at->second;
}

std::uint64_t Session::first_tick() const {
    std::uint64_t first = kNever;
    for (const Lane* lane : lanes_) {
        if (!lane->empty()) first = std::min(first, lane->first_tick());
    }
    return first == kNever ? 0 : first;
}

std::uint64_t Session::last_tick() const {
    std::uint64_t last = 0;
    for (const Lane* lane : lanes_) last = std::max(last, lane->last_tick());
    return last;
}

std::uint64_t Session::events() const {
    std::uint64_t sum = 0;
    for (const Lane* lane : lanes_) sum += lane->events();
    return sum;
}

std::uint64_t Session::not_kept() const {
    std::uint64_t sum = 0;
    for (const Lane* lane : lanes_) sum += lane->not_kept();
    return sum;
}

bool Session::is_empty() const {
    return std::all_of(lanes_.begin(), lanes_.end(), [](const Lane* lane) { return lane->empty(); });
}

std::uint64_t Session::lost() const {
    std::uint64_t sum = 0;
    for (const Lane* lane : lanes_) sum += lane->lost();
    return sum;
}

std::uint64_t Session::uncounted_losses() const {
    std::uint64_t sum = 0;
    for (const Lane* lane : lanes_) sum += lane->uncounted_losses();
    return sum;
}

}  // namespace sla::store
