#include "viewer/analysis/limits/followed_limit.h"

#include "viewer/analysis/limits/doubts.h"
#include "viewer/analysis/limits/share_check.h"

#include <algorithm>
#include <utility>

namespace sla::analysis {

namespace {

// Of so many widths every one is kept; of more, bins.
constexpr std::uint64_t kExactWidths = std::uint64_t{1} << 20;

std::variant<ChannelWalk, GrowingSpanWalk, GrowingPairWalk> walk_of(const Limit& limit, const FollowedLane& lane) {
    switch (limit.measure) {
        case Measure::kPair: return GrowingPairWalk::of_begins(*lane.lane, lane.row);
        case Measure::kWidth: return GrowingSpanWalk(*lane.lane, lane.row);
        default:
            ChannelWalk gaps = growing_channel_walk(*lane.lane, lane.row);
            gaps.follow_threads();
            return gaps;
    }
}

}  // namespace

FollowedLimit::FollowedLimit(const Limit& limit, const store::Session& session, const FollowedLane& lane)
    : FollowedLimit(limit, session, lane, walk_of(limit, lane)) {}

FollowedLimit::FollowedLimit(const Limit& limit, const store::Session& session, const FollowedLane& lane, Walk walk)
    : limit_(&limit),
      lane_(&lane),
      name_{limit.text, lane.channel},
      walk_(std::move(walk)),
      check_(session.clock_between(*lane.lane, *lane.lane), limit, name_.channel),
      hidden_(*lane.lane, lane.row, limit.measure) {
    if (limit.measure == Measure::kWidth) levels_ = growing_level_walk(*lane.lane, lane.row);
}

FollowedLimit FollowedLimit::of_one_lane(const Limit& limit, const store::Session& session, const FollowedLane& lane) {
    FollowedLimit one(limit, session, lane, GrowingPairWalk::of_one(*lane.lane, lane.row));
    one.end_ = &lane;
    one.name_.channel = lane.channel + "->" + lane.channel;
    one.check_.set_channel(one.name_.channel);
    return one;
}

FollowedLimit::FollowedLimit(const FollowedLimit& waiting, const FollowedLane& end, const GrowingPairWalk& of_ends,
                             const store::Session& session)
    : FollowedLimit(waiting) {
    end_ = &end;
    name_.channel = lane_->channel + "->" + end.channel;
    check_.set_channel(name_.channel);
    walk_ = GrowingPairWalk::joined(std::get<GrowingPairWalk>(walk_), of_ends);
    set_clock(session);
}

bool FollowedLimit::has_one_place() const {
    return limit_->share == Share::kEvery || limit_->share == Share::kMin || limit_->share == Share::kMax;
}

void FollowedLimit::set_clock(const store::Session& session) {
    if (lane_->lane == nullptr || (end_ != nullptr && end_->lane == nullptr)) return;
    check_.set_clock(session.clock_between(*lane_->lane, end_ == nullptr ? *lane_->lane : *end_->lane));
}

void FollowedLimit::move() {
    if (auto* pairs = std::get_if<GrowingPairWalk>(&walk_)) {
        if (lane_->lane != nullptr) pairs->move_begins(*lane_->lane, lane_->row);
        if (end_ != nullptr && end_->lane != nullptr) pairs->move_ends(*end_->lane, end_->row);
    } else if (lane_->lane != nullptr) {
        if (auto* spans = std::get_if<GrowingSpanWalk>(&walk_)) spans->move_to(*lane_->lane, lane_->row);
        if (levels_) levels_->move_to(*lane_->lane, lane_->row);
        if (auto* gaps = std::get_if<ChannelWalk>(&walk_)) gaps->move_to(*lane_->lane, lane_->row);
    }
    hidden_.move_to(lane_->row);
}

// Of two clocks neither says how far the other one went.
void FollowedLimit::note_order(const store::Session& session) {
    if (end_ == nullptr || end_ == lane_) return;
    const store::Lane* begins = lane_->lane;
    const store::Lane* ends = end_->lane;
    if (begins != nullptr && ends != nullptr)
        is_of_two_clocks_ = begins->channel().source != ends->channel().source &&
                            (has_own_time(session, *begins) || has_own_time(session, *ends));
    const bool has_begins = begins != nullptr && lane_->row < lane_->end;
    const bool has_ends = ends != nullptr && end_->row < end_->end;
    // Of one tick the begin is first.
    if (has_begins && end_->newest != 0 && begins->tick(lane_->row) <= end_->newest) is_out_of_order_ = true;
    if (has_ends && ends->tick(end_->row) < lane_->newest) is_out_of_order_ = true;
}

void FollowedLimit::go_on(const store::Session& session, BreakListener& to) {
    note_order(session);
    const bool has_ends = end_ != nullptr && end_->lane != nullptr;
    if (lane_->lane == nullptr && !has_ends) return;
    const std::uint64_t rows = lane_->lane == nullptr ? 0 : lane_->end;
    const std::uint64_t end_rows = has_ends ? end_->end : 0;
    if (lane_->lane != nullptr) hidden_.go_on(*lane_->lane, rows);
    if (auto* gaps = std::get_if<ChannelWalk>(&walk_)) {
        gaps->go_on(rows, [&](const Interval& interval) { take(interval, noted_ == interval.begin_tick, to); });
    } else if (auto* spans = std::get_if<GrowingSpanWalk>(&walk_)) {
        spans->go_on(rows, [&](const Interval& interval, bool is_noted) { take(interval, is_noted, to); });
        go_on_levels(rows, to);
    } else {
        auto& pairs = std::get<GrowingPairWalk>(walk_);
        if (has_ends) hidden_.go_on_ends(pairs.ends(), end_rows);
        pairs.go_on(rows, end_rows, [&](const Interval& interval) { take(interval, noted_ == interval.begin_tick, to); });
    }
}

void FollowedLimit::go_on_levels(std::uint64_t rows, BreakListener& to) {
    levels_->go_on(rows, [&](LevelTime which, const Interval& interval) {
        if (which == LevelTime::kHigh) take(interval, noted_ == interval.begin_tick, to);
    });
}

void FollowedLimit::take(const Interval& interval, bool is_noted, BreakListener& to) {
    if (!has_one_place()) {
        counted_.add(interval);
        if (counted_.widths.size() >= kExactWidths) counted_.binned.add(std::exchange(counted_.widths, {}));
        return;
    }
    const std::uint64_t before = check_.breaks();
    check_.take(interval);
    if (check_.breaks() != before && !is_noted) say(interval, "beyond the bound", to);
}

void FollowedLimit::say(const Interval& interval, const char* why, BreakListener& to) const {
    const bool waits_for_a_lane = limit_->measure == Measure::kPair && end_ == nullptr;
    if (waits_for_a_lane || is_of_two_clocks_ || !to.wants(name_)) return;
    Finding finding = time_finding(*limit_, name_.channel);
    point_at(finding, measured(check_.clock(), interval));
    name_lanes(finding);
    finding.verdict = Verdict::kFail;
    finding.why = why;
    to.on_break(std::move(finding));
}

void FollowedLimit::look_at(const Interval& interval, const char* why, BreakListener& to) {
    if (noted_ == interval.begin_tick || !check_.is_broken_by(interval)) return;
    noted_ = interval.begin_tick;
    say(interval, why, to);
}

void FollowedLimit::look_at_open(const KnownExtents& extents, BreakListener& to) {
    if (!has_one_place() || lane_->lane == nullptr || is_of_two_clocks_) return;
    if (const auto* gaps = std::get_if<ChannelWalk>(&walk_)) {
        const LastEvent last = last_event();
        const std::uint64_t begin = last.is_lossy ? last.lost_until : last.tick;
        const bool is_known = gaps->has_begun() && (!last.is_lossy || last.are_ends_known);
        const std::uint64_t silent = extents.open_until(*lane_->lane);
        if (is_known && begin < silent) look_at({begin, silent, true, IntervalState::kUnfinished}, "and still silent", to);
    } else if (auto* spans = std::get_if<GrowingSpanWalk>(&walk_)) {
        for (GrowingSpanWalk::Open& one : spans->open()) {
            if (one.is_noted || one.is_lossy) continue;
            const Interval interval = one.interval(extents.open_until(*lane_->lane));
            if (!check_.is_broken_by(interval)) continue;
            one.is_noted = true;
            say(interval, "and still open", to);
        }
        const auto high = levels_->open_until(extents.open_until(*lane_->lane));
        if (high && high->state == IntervalState::kUnfinished) look_at(*high, "and still high", to);
    } else if (const auto* waiting = std::get<GrowingPairWalk>(walk_).waiting(); waiting != nullptr && end_ != nullptr) {
        const std::uint64_t until = end_->lane == nullptr ? extents.of(*lane_->lane).until : extents.open_until(*end_->lane);
        const Interval interval{waiting->tick, std::max(until, waiting->tick), true, IntervalState::kUnfinished};
        if (!waiting->lossy) look_at(interval, "and no end of it yet", to);
    }
}

LastEvent FollowedLimit::last_event() const {
    const auto& walk = std::get<ChannelWalk>(walk_);
    return {walk.has_begun(), walk.last_tick(), walk.is_lossy(), walk.losses().until(), !walk.losses().is_open()};
}

void FollowedLimit::end_walk(const Selection& range, const KnownExtents& extents) {
    NobodyListens nobody;
    const KnownExtent known = lane_->lane == nullptr ? extents.by_machine() : extents.of(*lane_->lane);
    const auto last_of = [&](const FollowedLane* one) {
        return one == nullptr || one->lane == nullptr ? 0 : std::min(one->lane->last_tick(), extents.of(*one->lane).until);
    };
    if (auto* spans = std::get_if<GrowingSpanWalk>(&walk_)) {
        const std::uint64_t until = lane_->lane == nullptr ? 0 : extents.open_until(*lane_->lane);
        const std::uint64_t end = std::max(last_of(lane_), until);
        spans->give_up(end, [&](const Interval& interval, bool) { take(interval, true, nobody); });
        if (const auto high = levels_->open_until(end)) take(*high, true, nobody);
    } else if (auto* pairs = std::get_if<GrowingPairWalk>(&walk_)) {
        const bool has_end = end_ != nullptr && end_->lane != nullptr;
        const std::uint64_t until = has_end ? extents.open_until(*end_->lane) : known.until;
        pairs->give_up(std::max({last_of(lane_), last_of(end_), until}),
                       [&](const Interval& interval) { take(interval, true, nobody); });
    } else if (has_one_place()) {
        take_first_gap(std::get<ChannelWalk>(walk_), check_);
        take_last_gap(last_event(), range.from, silent_until(extents), check_);
    }
}

SilentUntil FollowedLimit::silent_until(const KnownExtents& extents) const {
    if (lane_->lane != nullptr) return {extents.open_until(*lane_->lane), extents.maybe_open_until(*lane_->lane)};
    const std::uint64_t until = lane_->is_over ? 0 : extents.by_machine().until;
    return {until, until};
}

Hidden FollowedLimit::hidden(const KnownExtents& extents) const {
    const store::Lane* const ends = end_ == nullptr ? lane_->lane : end_->lane;
    return hidden_.found(ends == nullptr ? extents.by_machine().until : extents.maybe_open_until(*ends));
}

Finding FollowedLimit::finish(const Selection& range, const KnownExtents& extents) {
    Finding finding = find(range, extents);
    name_lanes(finding);
    return finding;
}

void FollowedLimit::name_lanes(Finding& finding) const {
    if (lane_->lane != nullptr) finding.lane = lane_->lane->channel().id;
    if (end_ != nullptr && end_->lane != nullptr) finding.end = end_->lane->channel().id;
}

Finding FollowedLimit::find(const Selection& range, const KnownExtents& extents) {
    if (is_out_of_order_) {
        Finding finding = time_finding(*limit_, name_.channel);
        finding.verdict = Verdict::kCannotTell;
        finding.why =
            "their events came in another order than that of their times, as those of two clocks do: a recording has it";
        return finding;
    }
    end_walk(range, extents);
    const Hidden hidden = this->hidden(extents);
    if (!has_one_place()) {
        if (!counted_.binned.empty()) counted_.binned.add(std::exchange(counted_.widths, {}));
        Finding finding = check_share(check_.clock(), *limit_, name_.channel, counted_, hidden.most);
        if (limit_->measure == Measure::kGap)
            note_last_gap(last_event(), range.from, silent_until(extents).sure, check_.clock(), *limit_, finding);
        return finding;
    }
    Finding finding = check_.result();
    if (limit_->measure != Measure::kGap) doubt_hidden(finding, *limit_, hidden, check_.clock());
    return finding;
}

}  // namespace sla::analysis
