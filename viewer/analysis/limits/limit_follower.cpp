#include "viewer/analysis/limits/limit_follower.h"

#include "proto/wire/glob.h"
#include "viewer/analysis/intervals/loss_reach.h"
#include "viewer/analysis/limits/limit_follower_state.h"

#include <utility>

namespace sla::analysis {

namespace {

// Of one limit, before those of programs that have ended are left out.
constexpr std::size_t kMostPairs = 1000;

bool are_of_one_source(const FollowedLane& start, const FollowedLane& end) {
    return start.lane != nullptr && end.lane != nullptr && start.lane->channel().source == end.lane->channel().source;
}

}  // namespace

void LimitFollower::State::add(PerLimit& one, const FollowedLane& lane, const store::Session& session) {
    const Limit& limit = one.limit;
    if (one.together) {
        if (!one.together->may_count(session, *lane.lane)) return;
        watched_.insert(&lane);
        return one.together->add(lane);
    }
    if (limit.measure == Measure::kPair) return add_pairs(one, lane, session);
    if (!wire::glob_match(limit.channel, lane.channel)) return;
    watched_.insert(&lane);
    if (limit.is_time()) {
        one.times.emplace(Ends{&lane, nullptr}, std::make_unique<FollowedLimit>(limit, session, lane));
    } else {
        one.numbers.emplace(&lane, FollowedNumber(limit, lane.channel)).first->second.add(lane);
    }
}

// With the lanes that were there before (Partners says with which), which go on where they are. Programs that are started again
// and again make pairs with all that ever were: so many, and the others are not judged.
void LimitFollower::State::add_pairs(PerLimit& one, const FollowedLane& lane, const store::Session& session) {
    const bool begins = wire::glob_match(one.limit.channel, lane.channel);
    const bool ends = wire::glob_match(one.limit.end, lane.channel);
    if (begins || ends) watched_.insert(&lane);
    if (begins && ends) one.with_own_ends.emplace(&lane, lane.channel);
    const auto join = [&](const FollowedLimit& waiting, const EndsWalk& end) {
        const FollowedLane* const start = &waiting.lane();
        const std::string& name = end.lane->channel;
        if (!are_of_one_source(*start, *end.lane)) {
            if (one.with_own_ends.contains({start, name})) return;
        } else if (one.with_own_ends.emplace(start, name).second) {
            std::erase_if(one.times, [&](const auto& of) {  // with those of others
                return of.first.first == start && of.first.second->channel == name;
            });
            one.not_paired.erase({start, name});
        }
        if (start->is_over || end.lane->is_over) {
            if (start->lane == nullptr || end.lane->lane == nullptr) return;  // nor has the session that there is now
            if (one.times.size() >= kMostPairs) return static_cast<void>(one.not_paired.emplace(start, name));
        }
        one.times.emplace(Ends{start, end.lane}, std::make_unique<FollowedLimit>(waiting, *end.lane, end.walk, session));
    };
    if (ends) {
        const EndsWalk end{&lane, GrowingPairWalk::of_ends(*lane.lane, lane.row)};
        for (const FollowedLimit& waiting : one.waiting) join(waiting, end);
        one.ends.push_back(end);
    }
    if (!begins) return;
    one.waiting.emplace_back(one.limit, session, lane);
    for (const EndsWalk& end : one.ends) {
        if (end.lane != &lane) join(one.waiting.back(), end);
    }
    if (ends)
        one.times.emplace(Ends{&lane, &lane},
                          std::make_unique<FollowedLimit>(FollowedLimit::of_one_lane(one.limit, session, lane)));
}

void LimitFollower::State::move(PerLimit& one) {
    for (auto& [ends, limit] : one.times) limit->move();
    for (FollowedLimit& waiting : one.waiting) waiting.move();
    for (EndsWalk& end : one.ends) {
        if (end.lane->lane != nullptr) end.walk.move_ends(*end.lane->lane, end.lane->row);
    }
}

void LimitFollower::State::keep_time(const store::Session& session) {
    const std::size_t snapshots = session.snapshots().size();
    if (!lanes_.have_moved() && snapshots == snapshots_ && session.health().tick == health_tick_) return;
    snapshots_ = snapshots;
    health_tick_ = session.health().tick;
    for (PerLimit& one : all_) {
        for (auto& [ends, limit] : one.times) limit->set_clock(session);
    }
}

void LimitFollower::State::tell_losses(BreakListener& to) const {
    for (const FollowedLane* one : watched_) {
        if (one->lane == nullptr || one->lane->gaps().empty()) continue;
        const auto [first, last] = gaps_among(*one->lane, one->row, one->end);
        for (std::size_t i = first; i < last; ++i) to.on_loss(*one->lane, one->lane->gaps()[i]);
    }
}

void LimitFollower::State::walk(PerLimit& one, const FinalRows& rows, std::optional<KnownExtents>& extents,
                                BreakListener& to) {
    if (one.together) one.together->go_on(rows.session, to);
    for (auto& [lane, number] : one.numbers) number.go_on(rows.session, to);
    for (auto& [ends, limit] : one.times) limit->go_on(rows.session, to);
    for (FollowedLimit& waiting : one.waiting) waiting.go_on(rows.session, to);
    for (EndsWalk& end : one.ends) {
        if (end.lane->lane != nullptr) end.walk.go_on(0, end.lane->end, [](const Interval&) {});
    }
    if (rows.until == store::kNever) return;  // what is open then is told by the findings
    if (one.times.empty()) return;
    if (!extents) {
        Selection range;
        range.from = rows.from;
        range.until = rows.until;
        extents.emplace(rows.session, range, rows.known);
    }
    for (auto& [ends, limit] : one.times) limit->look_at_open(*extents, to);
}

LimitFollower::LimitFollower(std::vector<Limit> limits) : state_(std::make_unique<State>(std::move(limits))) {}
LimitFollower::~LimitFollower() = default;

void LimitFollower::go_on(const FinalRows& rows, BreakListener& to) {
    state_->go_on(rows, to);
}

std::vector<Finding> LimitFollower::finish(const store::Session& session, const Selection& range) {
    return state_->finish(session, range);
}

bool LimitFollower::is_judged_at_end(const Limit& limit) {
    const bool at_least = limit.compare == Compare::kGreater || limit.compare == Compare::kGreaterEqual;
    const bool at_most = limit.compare == Compare::kLess || limit.compare == Compare::kLessEqual;
    switch (limit.share) {
        case Share::kEvery: break;
        case Share::kMin: return !at_least;
        case Share::kMax: return !at_most;
        default: return true;
    }
    if (limit.measure == Measure::kRate) return true;
    return !limit.is_time() && (at_least || limit.compare == Compare::kNotEqual);
}

}  // namespace sla::analysis
