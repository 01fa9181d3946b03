#include "viewer/analysis/limits/followed_number.h"

#include "proto/base/check.h"
#include "proto/base/how_many.h"
#include "viewer/analysis/filter/lane_filter.h"
#include "viewer/analysis/intervals/growing_walks.h"
#include "viewer/analysis/intervals/loss_reach.h"
#include "viewer/analysis/limits/judge.h"

#include <algorithm>
#include <utility>

namespace sla::analysis {

FollowedNumber::FollowedNumber(const Limit& limit, const std::string& channel) : limit_(&limit), name_{limit.text, channel} {
    if (limit.filter.empty()) return;
    auto filter = EventFilter::parse(limit.filter);
    SLA_CHECK(filter.ok());  // the limit was parsed
    filter_ = std::move(filter).value();
}

void FollowedNumber::add(const FollowedLane& lane) {
    lanes_.push_back(&lane);
    count_losses_before(*lane.lane, tick_from(*lane.lane, lane.row), limit_->measure == Measure::kLost, counts_);
}

void FollowedNumber::go_on(const store::Session& session, BreakListener& to) {
    for (const FollowedLane* one : lanes_) {
        if (one->lane == nullptr || one->end <= one->row) continue;
        count_losses(*one->lane, one->row, one->end, to);
        count_events(session, *one->lane, one->row, one->end, to);
    }
}

void FollowedNumber::count_losses(const store::Lane& lane, std::uint64_t first, std::uint64_t last, BreakListener& to) {
    const bool is_of_losses = limit_->measure == Measure::kLost;
    const auto [from, until] = gaps_among(lane, first, last);
    for (std::size_t i = from; i < until; ++i) {
        const store::Gap& gap = lane.gaps()[i];
        add_up(counts_.not_kept, gap.is_not_kept() ? gap.lost : 0);
        if (is_of_losses && gap.is_not_kept()) continue;
        add_up(counts_.lost, gap.lost);
        counts_.uncounted |= gap.is_uncounted();
        if (counts_.first_gap_tick == 0 || gap.tick < counts_.first_gap_tick) counts_.first_gap_tick = gap.tick;
        if (is_of_losses && gap.lost > 0 && is_broken_by(counts_.lost))
            say(counts_.lost, gap.tick, std::to_string(gap.lost) + " of them here", to);
    }
}

void FollowedNumber::count_events(const store::Session& session, const store::Lane& lane, std::uint64_t first,
                                  std::uint64_t last, BreakListener& to) {
    std::optional<LaneFilter> chosen;
    if (filter_) chosen.emplace(*filter_, session, lane);
    const bool may_break = limit_->measure == Measure::kCount && is_broken_by(counts_.events + (last - first));
    if (!filter_ && !may_break) {
        counts_.events += lane.events_in(first, last);
        return;
    }
    const auto next = [&](std::uint64_t row) { return chosen ? chosen->next(row, last) : row; };
    for (std::uint64_t row = next(first); row < last; row = next(row + 1)) {
        const store::Event event = lane[row];
        if (event.code == SLA_CODE_GAP) continue;
        ++counts_.events;
        if (limit_->measure == Measure::kCount && is_broken_by(counts_.events))
            say(counts_.events, event.tick, "beyond the bound", to);
    }
}

// A lane that its session does not have any more has no time of its own.
Finding FollowedNumber::finish(const store::Session& session, const Selection& range, const KnownExtents& extents) const {
    std::vector<const store::Lane*> lanes;
    NumberCounts counts = counts_;
    for (const FollowedLane* one : lanes_) {
        if (one->lane == nullptr) continue;
        lanes.push_back(one->lane);
        if (limit_->measure == Measure::kLost) part_losses_behind(*one->lane, range, counts);
    }
    Finding finding = number_finding(session, *limit_, range, name_.channel, counts, extents.of(lanes));
    name_lane(finding);
    return finding;
}

void FollowedNumber::name_lane(Finding& finding) const {
    const bool is_of_one = !name_.channel.empty() && lanes_.size() == 1 && lanes_.front()->lane != nullptr;
    if (is_of_one) finding.lane = lanes_.front()->lane->channel().id;
}

bool FollowedNumber::is_broken_by(std::uint64_t number) const {
    return judge({static_cast<double>(number), kInfinite}, limit_->compare, limit_->bound) == Verdict::kFail;
}

void FollowedNumber::say(std::uint64_t number, std::uint64_t tick, const std::string& why, BreakListener& to) const {
    if (!to.wants(name_)) return;
    Finding finding;
    finding.limit = limit_->text;
    finding.channel = name_.channel;
    finding.verdict = Verdict::kFail;
    finding.measured_any = true;
    finding.measured = static_cast<double>(number);
    finding.at_tick = tick;
    finding.why = why;
    name_lane(finding);
    to.on_break(std::move(finding));
}

}  // namespace sla::analysis
