#include "viewer/analysis/intervals/hidden.h"

#include "viewer/analysis/limits/interval_check.h"

#include <algorithm>

namespace sla::analysis {

namespace {

constexpr std::size_t kMaxLookedUp = 1000;  // losses of a pair; each may cost a page

// The first start behind a loss of the other lane: there the latest pair ends that began in it.
std::uint64_t first_start(const store::Lane& lane, std::uint64_t tick) {
    for (std::uint64_t i = lane.lower_bound(tick); i < lane.size(); ++i) {
        const store::Event event = lane[i];
        const bool is_low = event.kind() == wire::Kind::kLevel && event.value == 0;
        if (event.kind() != wire::Kind::kEnd && event.kind() != wire::Kind::kGap && !is_low) return event.tick;
    }
    return store::kNever;
}

// A loss that does not say how long it lasted, as of an imported table, may have lasted until the next row.
std::uint64_t end_of(const store::Lane& lane, const store::Gap& gap) {
    if (gap.has_end()) return gap.until_tick;
    return gap.index + 1 < lane.size() ? lane.tick(gap.index + 1) : store::kNever;
}

}  // namespace

Hidden hidden_by_losses(const store::Lane& lane, const store::Lane* end, const Selection& range) {
    Hidden hidden;
    std::size_t looked_up = 0;
    for (std::size_t i = lane.first_gap_touching(range.from); i < lane.gaps().size(); ++i) {
        const store::Gap& gap = lane.gaps()[i];
        if (gap.tick >= range.until) break;
        // A span is a begin and an end; one of both alone leaves the other, which reveals it.
        const std::uint64_t lost = end == nullptr ? gap.lost / 2 : gap.lost;
        if (lost == 0 && !gap.is_uncounted()) continue;
        hidden.most = gap.is_uncounted() ? store::kNever : hidden.most + std::min(lost, store::kNever - hidden.most);
        std::uint64_t until = end_of(lane, gap);
        if (end != nullptr) until = ++looked_up > kMaxLookedUp ? store::kNever : first_start(*end, until);
        hidden.longest = std::max(hidden.longest, until == store::kNever ? store::kNever : until - gap.tick);
    }
    return hidden;
}

double most_of(const Hidden& hidden, const time::ClockMap& clock) {
    if (hidden.longest == store::kNever) return kInfinite;
    const auto ps = static_cast<double>(clock.ticks_to_ps(static_cast<std::int64_t>(hidden.longest)));
    return ps + greatest_error(clock, hidden.longest);
}

bool may_break(const Hidden& hidden, const Limit& limit, const time::ClockMap& clock) {
    if (!hidden.any()) return false;
    const bool upper = limit.compare == Compare::kLess || limit.compare == Compare::kLessEqual;
    const bool lower = limit.compare == Compare::kGreater || limit.compare == Compare::kGreaterEqual;
    // One more cannot take away that the longest is longer, or the shortest shorter, than the bound.
    if ((limit.share == Share::kMax && lower) || (limit.share == Share::kMin && upper)) return false;
    return !upper || judge({0, most_of(hidden, clock)}, limit.compare, limit.bound) != Verdict::kPass;
}

}  // namespace sla::analysis
