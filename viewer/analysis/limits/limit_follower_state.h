// What a LimitFollower keeps of each of its limits. Private to the room.
#pragma once

#include "viewer/analysis/known_extents.h"
#include "viewer/analysis/limits/followed_limit.h"
#include "viewer/analysis/limits/followed_number.h"
#include "viewer/analysis/limits/limit_follower.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sla::analysis {

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
        known_ = rows.known;
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
        std::set<std::pair<const FollowedLane*, std::string>> not_paired;     // those with too many of them
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
    std::uint64_t known_ = store::kNever;  // of the rows walked over last
    std::size_t snapshots_ = 0;            // of the clock that the checks have
    std::uint64_t health_tick_ = 0;        // and what was known of its cores
};

}  // namespace sla::analysis
