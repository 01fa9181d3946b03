#include "viewer/analysis/limits/limit_follower.h"

#include "proto/wire/glob.h"
#include "viewer/analysis/intervals/loss_reach.h"
#include "viewer/analysis/known_extents.h"
#include "viewer/analysis/limits/followed_limit.h"
#include "viewer/analysis/limits/followed_number.h"
#include "viewer/analysis/limits/limit_judge.h"

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace sla::analysis {

namespace {

bool are_of_one_source(const FollowedLane& start, const FollowedLane& end) {
    return start.lane != nullptr && end.lane != nullptr && start.lane->channel().source == end.lane->channel().source;
}

}  // namespace

class LimitFollower::State {
public:
    explicit State(std::vector<Limit> limits) {
        for (Limit& limit : limits) all_.emplace_back().limit = std::move(limit);
        for (PerLimit& one : all_) {
            const Limit& limit = one.limit;
            const bool is_of_all = !limit.filter.empty() || (limit.measure == Measure::kLost && limit.channel.empty());
            if (is_of_all) one.together.emplace(limit, "");
        }
    }

    void go_on(const FinalRows& rows, BreakListener& to) {
        lanes_.take(rows);
        if (lanes_.have_moved()) {
            for (PerLimit& one : all_) move(one);
        }
        for (std::size_t i = lanes_.first_new(); i < lanes_.all().size(); ++i) {
            for (PerLimit& one : all_) add(one, lanes_.all()[i], rows.session);
        }
        keep_time(rows.session);
        tell_losses(to);
        std::optional<KnownExtents> extents;
        for (PerLimit& one : all_) walk(one, rows, extents, to);
        lanes_.pass();
    }
    std::vector<Finding> finish(const store::Session& session, const Selection& range);

private:
    using Ends = std::pair<const FollowedLane*, const FollowedLane*>;
    // Starts of a pair's end that no lane waits for yet.
    struct EndsWalk {
        const FollowedLane* lane;
        GrowingPairWalk walk;
    };
    struct PerLimit {
        Limit limit;
        std::map<Ends, std::unique_ptr<FollowedLimit>> times;                 // the second is null but of pairs
        std::deque<FollowedLimit> waiting;                                    // of pairs: for lanes that come
        std::deque<EndsWalk> ends;                                            // and the other way round
        std::set<std::pair<const FollowedLane*, std::string>> with_own_ends;  // starts whose program has ends of that name
        std::map<const FollowedLane*, FollowedNumber> numbers;                // each channel's own,
        std::optional<FollowedNumber> together;                               // or that of all
    };

    void add(PerLimit& one, const FollowedLane& lane, const store::Session& session);
    void add_pairs(PerLimit& one, const FollowedLane& lane, const store::Session& session);
    static void move(PerLimit& one);
    void keep_time(const store::Session& session);
    void tell_losses(BreakListener& to) const;
    // `extents`: of these rows, made when the first limit wants them.
    void walk(PerLimit& one, const FinalRows& rows, std::optional<KnownExtents>& extents, BreakListener& to);
    [[nodiscard]] std::vector<Finding> findings_of(PerLimit& one, const store::Session& session, const Selection& range,
                                                   const KnownExtents& extents);

    std::deque<PerLimit> all_;
    FollowedLanes lanes_;
    std::set<const FollowedLane*> watched_;
    std::size_t snapshots_ = 0;      // of the clock that the checks have
    std::uint64_t health_tick_ = 0;  // and what was known of its cores
};

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

// With the lanes that were there before (Partners says with which), which go on where they are, but for those of programs
// that have ended: programs that are started again and again would make pairs with all that ever were.
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
        }
        one.times.emplace(Ends{&waiting.lane(), end.lane},
                          std::make_unique<FollowedLimit>(waiting, *end.lane, end.walk, session));
    };
    if (ends) {
        const EndsWalk end{&lane, GrowingPairWalk::of_ends(*lane.lane, lane.row)};
        for (const FollowedLimit& waiting : one.waiting) {
            if (!waiting.lane().is_over) join(waiting, end);
        }
        one.ends.push_back(end);
    }
    if (!begins) return;
    one.waiting.emplace_back(one.limit, session, lane);
    for (const EndsWalk& end : one.ends) {
        if (end.lane != &lane && !end.lane->is_over) join(one.waiting.back(), end);
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
    for (auto& [ends, limit] : one.times) limit->go_on(to);
    for (FollowedLimit& waiting : one.waiting) waiting.go_on(to);
    for (EndsWalk& end : one.ends) {
        if (end.lane->lane != nullptr) end.walk.go_on(0, end.lane->end, [](const Interval&) {});
    }
    if (rows.until == store::kNever) return;  // what is open then is told by the findings
    if (one.times.empty()) return;
    if (!extents) {
        Selection range;
        range.from = rows.from;
        range.until = rows.until;
        extents.emplace(rows.session, range);
    }
    for (auto& [ends, limit] : one.times) limit->look_at_open(*extents, to);
}

std::vector<Finding> LimitFollower::State::finish(const store::Session& session, const Selection& range) {
    const KnownExtents extents(session, range);
    std::vector<Finding> findings;
    const bool is_whole = is_undamaged(session, range);
    for (PerLimit& one : all_) {
        for (Finding& finding : findings_of(one, session, range, extents)) {
            if (!is_whole) doubt_damaged(finding, one.limit);
            findings.push_back(std::move(finding));
        }
    }
    return findings;
}

// As LimitJudge has them; then those of lanes that are gone.
std::vector<Finding> LimitFollower::State::findings_of(PerLimit& one, const store::Session& session, const Selection& range,
                                                       const KnownExtents& extents) {
    const Limit& limit = one.limit;
    if (!limit.filter.empty()) {
        const auto filter = EventFilter::parse(limit.filter);
        if (const auto known = check_channels(session, *filter); !known.ok())
            return {about_nothing(limit, known.error().message)};
    }
    if (one.together) return {one.together->finish(session, range, extents)};
    std::vector<Finding> findings;
    const auto take = [&](const auto& of, const store::Lane* lane, const store::Lane* end) {
        const auto found = of.find({lanes_.find(*lane), end == nullptr ? nullptr : lanes_.find(*end)});
        if (found != of.end()) findings.push_back(found->second->finish(session, range, extents));
    };
    std::vector<const store::Lane*> lanes = matching_lanes(session, limit.channel);
    if (lanes.empty() && one.times.empty() && one.numbers.empty())
        return {about_nothing(limit, unknown_channel(session, limit.channel).message)};
    if (limit.measure == Measure::kWidth) lanes = with_widths(std::move(lanes));
    const bool is_pair = limit.measure == Measure::kPair;
    const auto ends = is_pair ? matching_lanes(session, limit.end) : std::vector<const store::Lane*>();
    if (is_pair && ends.empty() && one.times.empty())
        return {about_nothing(limit, unknown_channel(session, limit.end).message)};
    const Partners partners(ends);
    for (const store::Lane* lane : lanes) {
        const FollowedLane* known = lanes_.find(*lane);
        if (const auto number = one.numbers.find(known); number != one.numbers.end())
            findings.push_back(number->second.finish(session, range, extents));
        if (!is_pair) take(one.times, lane, nullptr);
        for (const store::Lane* end : ends) {
            if (partners.are(*lane, *end)) take(one.times, lane, end);
        }
    }
    for (auto& [lane, number] : one.numbers) {
        if (lane->lane == nullptr) findings.push_back(number.finish(session, range, extents));
    }
    for (auto& [of, limit_of] : one.times) {
        const bool is_gone = of.first->lane == nullptr || (of.second != nullptr && of.second->lane == nullptr);
        if (is_gone) findings.push_back(limit_of->finish(session, range, extents));
    }
    if (findings.empty()) return {about_nothing(limit, "no program that ran meanwhile has marked it")};
    return findings;
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
