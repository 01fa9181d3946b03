#include "viewer/analysis/intervals/hidden.h"

#include "viewer/analysis/intervals/orphan_ends.h"
#include "viewer/analysis/intervals/pair_walk.h"
#include "viewer/analysis/limits/interval_check.h"

#include <algorithm>

namespace sla::analysis {

namespace {

constexpr std::size_t kMaxLookedUp = 1000;  // losses of a pair or of levels; each may cost a page

// Where a level is said again, at that tick or behind it: no pulse that began in a loss before lasts longer unseen.
std::uint64_t first_level(const store::Lane& lane, std::uint64_t tick) {
    if (tick == store::kNever) return tick;
    for (std::uint64_t row = lane.lower_bound(tick); row < lane.size(); ++row) {
        const store::Event event = lane[row];
        if (event.code == SLA_CODE_LEVEL) return event.tick;
    }
    return store::kNever;
}

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

Hidden hidden_by_lost_begins(const store::Lane& lane, const Selection& range) {
    Hidden hidden;
    if (lane.gaps().empty()) return hidden;
    OrphanEnds orphans;
    each_loss_in(lane, range.from, range.from,
                 [&](const store::Gap& gap) { orphans.lose(lane.thread(gap.index), range.from); });
    const IndexRange rows = indices_of(lane, range);
    orphans.go_on(lane, rows.first, rows.last, hidden);
    return hidden;
}

}  // namespace

Hidden hidden_by_losses(const store::Lane& lane, const store::Lane* end, const Selection& range) {
    const bool is_of_spans = end == nullptr && !lane.has_levels();
    Hidden hidden = is_of_spans ? hidden_by_lost_begins(lane, range) : Hidden{};
    std::size_t looked_up = 0;
    each_loss_in(lane, range.from, range.until, [&](const store::Gap& gap) {
        // A span is a begin and an end; one of both alone leaves the other.
        const std::uint64_t lost = is_of_spans ? gap.lost / 2 : gap.lost;
        if (lost == 0 && !gap.is_uncounted()) return;
        add_lost(hidden, gap, lost);
        std::uint64_t until = end_of_loss(lane, gap);
        if (!is_of_spans && ++looked_up > kMaxLookedUp) until = store::kNever;
        if (!is_of_spans) until = end == nullptr ? first_level(lane, until) : first_start(*end, until);
        hidden.longest = std::max(hidden.longest, until == store::kNever ? store::kNever : until - gap.tick);
    });
    return hidden;
}

Hidden hidden_gaps(const store::Lane& lane, const Selection& range) {
    Hidden hidden;
    each_loss_in(lane, range.from, range.until, [&](const store::Gap& gap) { add_lost(hidden, gap, gap.lost); });
    return hidden;
}

void add_lost(Hidden& hidden, const store::Gap& gap, std::uint64_t lost) {
    if (gap.is_uncounted() || hidden.most == store::kNever) {
        hidden.most = store::kNever;
    } else {
        hidden.most += std::min(lost, store::kNever - hidden.most);
    }
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
