#include "viewer/analysis/intervals/hidden.h"

#include "proto/base/how_many.h"
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

Hidden hidden_spans(const store::Lane& lane, const LostSpans& lost, const Selection& range, std::uint64_t known) {
    if (lane.gaps().empty()) return {};
    Hidden with_ends;
    OrphanEnds orphans;
    each_loss_in(lane, range.from, range.from,
                 [&](const store::Gap& gap) { orphans.lose(lane.thread(gap.index), range.from, gap); });
    const IndexRange rows = indices_of(lane, range);
    orphans.go_on(lane, rows.first, rows.last, with_ends);
    return lost.with(with_ends, orphans.is_any_open(), known);
}

}  // namespace

Hidden hidden_by_losses(const store::Lane& lane, const store::Lane* end, const Selection& range, std::uint64_t known) {
    const bool are_levels = end == nullptr && lane.has_levels();
    const bool are_spans = end == nullptr && (!are_levels || !lane.spans().empty());
    LostSpans spans;
    Hidden hidden;
    std::size_t looked_up = 0;
    each_loss_in(lane, range.from, range.until, [&](const store::Gap& gap) {
        if (gap.lost == 0 && !gap.is_uncounted()) return;
        if (are_spans) spans.add(gap, range.from);
        if (are_spans && !are_levels) return;
        add_lost(hidden, gap);
        std::uint64_t until = ++looked_up > kMaxLookedUp ? store::kNever : end_of_loss(lane, gap);
        until = std::max(std::min(end == nullptr ? first_level(lane, until) : first_start(*end, until), known), gap.tick);
        hidden.longest = std::max(hidden.longest, until - gap.tick);
    });
    if (are_spans) hidden.join(hidden_spans(lane, spans, range, known));
    return hidden;
}

void Hidden::join(const Hidden& others) {
    add_up(most, others.most);
    longest = std::max(longest, others.longest);
    may_be_open |= others.may_be_open;
}

Hidden hidden_gaps(const store::Lane& lane, const Selection& range) {
    Hidden hidden;
    each_loss_in(lane, range.from, range.until, [&](const store::Gap& gap) { add_lost(hidden, gap); });
    return hidden;
}

void add_lost(Hidden& hidden, const store::Gap& gap) {
    if (gap.is_uncounted()) hidden.most = store::kNever;
    add_up(hidden.most, gap.lost);
}

void LostSpans::add(const store::Gap& gap, std::uint64_t from) {
    add_lost(events, gap);
    first_tick = std::min(first_tick, std::max(gap.tick, from));
    until = std::max(until, gap.has_end() ? gap.until_tick : store::kNever);
}

// Of two events that are missing one may be the begin and the other the end of a span.
Hidden LostSpans::with(const Hidden& orphans, bool is_any_open, std::uint64_t known) const {
    Hidden hidden = orphans;
    const std::uint64_t both = events.most == store::kNever ? store::kNever : events.most / 2;
    if (both == 0 && !is_any_open) return hidden;
    const std::uint64_t end = is_any_open ? known : std::min(known, until);
    hidden.join({both, end - std::min(end, first_tick), is_any_open});
    return hidden;
}

double most_of(const Hidden& hidden, const time::ClockMap& clock, Measure measure) {
    if (hidden.longest >= store::kNever / 2) return kInfinite;
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
