// FollowedLimit: one limit on times about one channel or pair that grows: the checks of LimitJudge, fed as rows become final,
// and a look at what has no end yet. Private to the room.
#pragma once

#include "viewer/analysis/followed_lanes.h"
#include "viewer/analysis/intervals/growing_hidden.h"
#include "viewer/analysis/intervals/growing_walks.h"
#include "viewer/analysis/intervals/level_walk.h"
#include "viewer/analysis/known_extents.h"
#include "viewer/analysis/limits/break_listener.h"
#include "viewer/analysis/limits/interval_check.h"
#include "viewer/analysis/limits/last_event.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace sla::analysis {

class FollowedLimit {
public:
    // `limit` and the lanes outlive it. Of a pair without its end: it waits for lanes to come, of which each takes over a copy.
    FollowedLimit(const Limit& limit, const store::Session& session, const FollowedLane& lane);
    // x->x.
    static FollowedLimit of_one_lane(const Limit& limit, const store::Session& session, const FollowedLane& lane);
    // What has begun there, and ends in that lane.
    FollowedLimit(const FollowedLimit& waiting, const FollowedLane& end, const GrowingPairWalk& of_ends,
                  const store::Session& session);

    // Over the rows that are final.
    void go_on(const store::Session& session, BreakListener& to);
    // What has begun and not ended as far as its lane is known: does it break the limit already?
    void look_at_open(const KnownExtents& extents, BreakListener& to);
    // Nothing comes any more. Once.
    Finding finish(const Selection& range, const KnownExtents& extents);

    // The clock is known better; of another session's lanes, which go on.
    void set_clock(const store::Session& session);
    void move();

    [[nodiscard]] const FollowedLane& lane() const { return *lane_; }
    [[nodiscard]] const FollowedLane* end() const { return end_; }
    [[nodiscard]] const Limit& limit() const { return *limit_; }

private:
    using Walk = std::variant<ChannelWalk, GrowingSpanWalk, GrowingPairWalk>;
    FollowedLimit(const Limit& limit, const store::Session& session, const FollowedLane& lane, Walk walk);

    [[nodiscard]] bool has_one_place() const;
    // Of a pair: rows that were walked over already should have come behind these.
    void note_order(const store::Session& session);
    void take(const Interval& interval, bool is_noted, BreakListener& to);
    void go_on_levels(std::uint64_t rows, BreakListener& to);
    void say(const Interval& interval, const char* why, BreakListener& to) const;
    // Says it, when it breaks the limit and was not said before.
    void look_at(const Interval& interval, const char* why, BreakListener& to);
    [[nodiscard]] LastEvent last_event() const;
    void name_lanes(Finding& finding) const;
    Finding find(const Selection& range, const KnownExtents& extents);
    [[nodiscard]] SilentUntil silent_until(const KnownExtents& extents) const;
    [[nodiscard]] Hidden hidden(const KnownExtents& extents) const;
    void end_walk(const Selection& range, const KnownExtents& extents);

    const Limit* limit_;
    const FollowedLane* lane_;
    const FollowedLane* end_ = nullptr;
    LimitName name_;
    Walk walk_;
    std::optional<LevelWalk> levels_;  // of widths
    IntervalCheck check_;              // of every interval, the longest or the shortest;
    Intervals counted_;                // of the others
    GrowingHidden hidden_;
    std::optional<std::uint64_t> noted_;  // where what was said began
    bool is_of_two_clocks_ = false;       // whatever has come, what comes may lie before it
    bool is_out_of_order_ = false;        // it did
};

}  // namespace sla::analysis
