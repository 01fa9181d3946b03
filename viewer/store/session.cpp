#include "viewer/store/session.h"

#include <algorithm>
#include <utility>

namespace sla::store {

void Session::set_origin(Origin origin) {
    facts_.origin = std::move(origin);
    facts_.has_origin = true;
    forget_clock();
    change();
}

Source& Session::add_source(Source source) {
    change();
    changes_.note_shape();
    Source& slot = facts_.sources[source.id];
    slot = std::move(source);
    return slot;
}

Lane& Session::add_channel(Channel channel) {
    touch();
    ++description_revision_;
    std::unique_ptr<Lane>& slot = by_id_[channel.id];
    if (slot != nullptr) {
        slot->describe(std::move(channel));
        return *slot;
    }
    slot = std::make_unique<Lane>(std::move(channel));
    const auto before = [](const Lane* a, const Lane* b) { return a->channel().id < b->channel().id; };
    const auto at = lanes_.insert(std::upper_bound(lanes_.begin(), lanes_.end(), slot.get(), before), slot.get());
    for (auto behind = at + 1; behind != lanes_.end(); ++behind) (*behind)->move_to((*behind)->place() + 1);
    slot->join(changes_, static_cast<std::size_t>(at - lanes_.begin()));
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
    note_numbers();
    if (std::exchange(are_ledgers_shared_, false)) {
        facts_.ledgers = std::make_shared<std::map<ChannelId, Ledger>>(*facts_.ledgers);
        viewed_facts_.reset();  // else a frame would free those of before
    }
    (*facts_.ledgers)[id] = ledger;
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
    const auto at = facts_.ledgers->find(id);
    return at == facts_.ledgers->end() ? nullptr : &at->second;
}

}  // namespace sla::store
