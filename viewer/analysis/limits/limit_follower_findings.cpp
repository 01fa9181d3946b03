// What a LimitFollower has found when nothing comes any more.
#include "viewer/analysis/limits/doubts.h"
#include "viewer/analysis/limits/limit_follower_state.h"
#include "viewer/analysis/limits/limit_judge.h"

#include <optional>
#include <utility>

namespace sla::analysis {

std::vector<Finding> LimitFollower::State::finish(const store::Session& session, const Selection& range) {
    const KnownExtents extents(session, range, known_);
    std::vector<Finding> findings;
    const std::optional<Damaged> damaged = damaged_part(session, range);
    for (PerLimit& one : all_) {
        for (Finding& finding : findings_of(one, session, range, extents)) {
            if (damaged) doubt_damaged(finding, one.limit, *damaged, session.clock());
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
        if (found != of.end()) findings.push_back(found->second->finish(range, extents));
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
        if (is_gone) findings.push_back(limit_of->finish(range, extents));
    }
    if (!one.not_paired.empty())
        findings.push_back(
            about_nothing(limit, "more programs came and went than are watched in pairs: a recording has all"));
    if (findings.empty()) return {about_nothing(limit, "no program that ran meanwhile has marked it")};
    return findings;
}

}  // namespace sla::analysis
