#include "viewer/analysis/intervals/hidden.h"

#include "viewer/analysis/intervals/pair_walk.h"
#include "viewer/analysis/limits/interval_check.h"

#include <algorithm>

namespace sla::analysis {

namespace {

constexpr std::size_t kMaxLookedUp = 1000;  // losses of a pair; each may cost a page

// The first sure start behind a loss of the other lane: there the latest pair ends that began in it.
std::uint64_t first_start(const store::Lane& lane, std::uint64_t tick) {
    if (tick == store::kNever) return tick;
    Selection behind;
    behind.from = tick;
    for (StartsWalk starts(lane, behind); !starts.over(); starts.step()) {
        if (!starts.is_gap() && starts.is_sure()) return starts.event().tick;
    }
    return store::kNever;
}

// No loss before this one lasts into the range. One that does not say for how long may be some rows before it.
std::size_t first_loss(const store::Lane& lane, std::uint64_t from) {
    const std::size_t touching = lane.first_gap_touching(from);
    if (touching == 0) return 0;
    const std::uint64_t row = lane.lower_bound(from);
    return std::min(touching, gaps_among(lane, row - std::min(row, LossReach::kMostRows), row).first);
}

}  // namespace

Hidden hidden_by_losses(const store::Lane& lane, const store::Lane* end, const Selection& range) {
    Hidden hidden;
    std::size_t looked_up = 0;
    for (std::size_t i = first_loss(lane, range.from); i < lane.gaps().size(); ++i) {
        const store::Gap& gap = lane.gaps()[i];
        if (gap.tick >= range.until) break;
        // A span is a begin and an end; one of both alone leaves the other, which reveals it.
        const std::uint64_t lost = end == nullptr ? gap.lost / 2 : gap.lost;
        if (lost == 0 && !gap.is_uncounted()) continue;
        std::uint64_t until = end_of_loss(lane, gap);
        if (until < range.from) continue;
        hidden.most = gap.is_uncounted() ? store::kNever : hidden.most + std::min(lost, store::kNever - hidden.most);
        if (end != nullptr) until = ++looked_up > kMaxLookedUp ? store::kNever : first_start(*end, until);
        hidden.longest = std::max(hidden.longest, until == store::kNever ? store::kNever : until - gap.tick);
    }
    return hidden;
}

double most_of(const Hidden& hidden, const time::ClockMap& clock, Measure measure) {
    if (hidden.longest == store::kNever) return kInfinite;
    const auto ps = static_cast<double>(clock.ticks_to_ps(static_cast<std::int64_t>(hidden.longest)));
    return ps + greatest_error(clock, hidden.longest, measure);
}

bool may_break(const Hidden& hidden, const Limit& limit, const time::ClockMap& clock) {
    if (!hidden.any()) return false;
    const bool upper = limit.compare == Compare::kLess || limit.compare == Compare::kLessEqual;
    const bool lower = limit.compare == Compare::kGreater || limit.compare == Compare::kGreaterEqual;
    // One more cannot take away that the longest is longer, or the shortest shorter, than the bound.
    if ((limit.share == Share::kMax && lower) || (limit.share == Share::kMin && upper)) return false;
    return !upper || judge({0, most_of(hidden, clock, limit.measure)}, limit.compare, limit.bound) != Verdict::kPass;
}

}  // namespace sla::analysis
