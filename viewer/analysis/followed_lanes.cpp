#include "viewer/analysis/followed_lanes.h"

#include "proto/wire/glob_list.h"
#include "viewer/analysis/known_extents.h"

#include <algorithm>
#include <utility>

namespace sla::analysis {

namespace {

bool has_ended(const store::Session& session, const store::Lane& lane) {
    const store::Source* source = session.source_of(lane);
    return source != nullptr && source->ended;
}

}  // namespace

bool is_called_any_of(const std::string& channel, const std::vector<std::string>& globs) {
    return wire::any_glob_matches(globs, channel);
}

void FollowedLanes::take(const FinalRows& rows) {
    have_moved_ = session_ != nullptr && session_ != &rows.session;
    if (session_ == nullptr || (have_moved_ && !is_on_same_axis(rows.session))) begin_ = rows.from;
    if (have_moved_) move_to(rows);
    first_new_ = lanes_.size();
    session_ = &rows.session;
    boot_id_ = rows.session.origin().boot_id;
    start_tick_ = rows.session.origin().start_tick;
    if (places_.size() < rows.session.lanes().size()) add_new(rows);
    const bool is_ahead = rows.machine_until() < rows.until;
    for (FollowedLane& one : lanes_) {
        if (one.lane == nullptr) continue;
        const bool is_cut = is_ahead && !has_own_time(rows.session, *one.lane);
        const std::uint64_t until = is_cut ? rows.machine_until() : rows.until;
        const std::uint64_t end = until == store::kNever ? one.lane->size() : one.lane->lower_bound(until);
        one.is_beyond = is_cut && rows.from >= until;
        one.end = std::max(one.row, end);
        one.is_over = one.row == one.lane->size() && has_ended(rows.session, *one.lane);
    }
    passed_ = std::max(passed_, rows.until);
}

void FollowedLanes::pass() {
    for (FollowedLane& one : lanes_) {
        if (one.lane != nullptr && one.end > one.row) one.newest = one.lane->tick(one.end - 1);
        one.row = one.end;
    }
}

const FollowedLane* FollowedLanes::find(const store::Lane& lane) const {
    const auto at = places_.find(&lane);
    return at == places_.end() || at->second == kNowhere ? nullptr : &lanes_[at->second];
}

bool FollowedLanes::is_on_same_axis(const store::Session& session) const {
    return session.origin().boot_id == boot_id_ && session.origin().start_tick == start_tick_;
}

// Those that are there go on behind what was walked over; of a time that counts from elsewhere none does.
void FollowedLanes::move_to(const FinalRows& rows) {
    places_.clear();
    for (FollowedLane& one : lanes_) one.lane = nullptr;
    if (!is_on_same_axis(rows.session)) {
        names_.clear();
        passed_ = 0;
    }
    for (const store::Lane* lane : rows.session.lanes()) {
        const auto known = names_.find(rows.name_of(*lane));
        if (known == names_.end()) continue;
        FollowedLane& one = lanes_[known->second];
        one.lane = lane;
        one.row = one.end = std::max(lane->lower_bound(passed_), rows.given_of(*lane));
        places_.emplace(lane, known->second);
    }
}

// A source that makes up its time may be behind the machine's clock from the beginning.
void FollowedLanes::add_new(const FinalRows& rows) {
    for (const store::Lane* lane : rows.session.lanes()) {
        if (places_.contains(lane)) continue;
        const std::uint64_t from = has_own_time(rows.session, *lane) ? begin_ : rows.from;
        const std::uint64_t row = std::max(lane->lower_bound(from), rows.given_of(*lane));
        const bool was_over = row == lane->size() && has_ended(rows.session, *lane);
        places_.emplace(lane, was_over ? kNowhere : lanes_.size());
        if (was_over) continue;
        FollowedLane one{lane, lane->channel().name, false, false, row, row};
        if (rows.name_of) names_[rows.name_of(*lane)] = lanes_.size();
        lanes_.push_back(std::move(one));
    }
}

}  // namespace sla::analysis
