// FollowedNumber: one limit on how many events there are, how many a second or how many are lost, of lanes that grow.
// Private to the room.
#pragma once

#include "viewer/analysis/filter/event_filter.h"
#include "viewer/analysis/followed_lanes.h"
#include "viewer/analysis/limits/break_listener.h"
#include "viewer/analysis/limits/number_check.h"

#include <optional>
#include <string>
#include <vector>

namespace sla::analysis {

class FollowedNumber {
public:
    // `limit` outlives it. `channel`: "" for all together.
    FollowedNumber(const Limit& limit, const std::string& channel);

    // They outlive it.
    void add(const FollowedLane& lane);
    [[nodiscard]] bool may_count(const store::Session& session, const store::Lane& lane) const {
        return !filter_ || filter_->may_match(session, lane);
    }
    // Over the rows that are final.
    void go_on(const store::Session& session, BreakListener& to);
    [[nodiscard]] Finding finish(const store::Session& session, const Selection& range, const KnownExtents& extents) const;

private:
    void count_losses(const store::Lane& lane, std::uint64_t first, std::uint64_t last, BreakListener& to);
    void count_events(const store::Session& session, const store::Lane& lane, std::uint64_t first, std::uint64_t last,
                      BreakListener& to);
    // Of one channel's own.
    void name_lane(Finding& finding) const;
    // Whatever comes, it is broken by so many.
    [[nodiscard]] bool is_broken_by(std::uint64_t number) const;
    void say(std::uint64_t number, std::uint64_t tick, const std::string& why, BreakListener& to) const;

    const Limit* limit_;
    LimitName name_;
    std::optional<EventFilter> filter_;
    std::vector<const FollowedLane*> lanes_;
    NumberCounts counts_;
};

}  // namespace sla::analysis
