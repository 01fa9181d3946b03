#include "viewer/analysis/limits/number_check.h"

#include "proto/base/check.h"
#include "proto/base/how_many.h"
#include "viewer/analysis/damage.h"
#include "viewer/analysis/event_walk.h"
#include "viewer/analysis/intervals/loss_reach.h"
#include "viewer/analysis/limits/judge.h"
#include "viewer/store/unreadable_pages.h"

#include <algorithm>
#include <cmath>

namespace sla::analysis {

namespace {

using Counts = NumberCounts;

// The first of those that count.
std::uint64_t first_gap_tick(const store::Lane& lane, const Selection& range, bool with_not_kept) {
    for (std::size_t i = lane.first_gap_touching(range.from); i < lane.gaps().size(); ++i) {
        const store::Gap& gap = lane.gaps()[i];
        if (gap.tick >= range.until) break;
        if (gap.tick >= range.from && (with_not_kept || !gap.is_not_kept())) return gap.tick;
        if (gap.is_not_kept() && !with_not_kept) i = lane.end_of_gap_sort(i) - 1;
    }
    return 0;
}

// Of the lanes' rows that the filter lets through; loss rows are no events.
std::uint64_t count_filtered(const store::Session& session, const Selection& range,
                             const std::vector<const store::Lane*>& lanes, const EventFilter& filter) {
    Selection wanted = with_lanes(range, lanes);
    wanted.filter = filter;
    std::uint64_t events = 0;
    const Progress unwatched;
    EventWalk walk(session, wanted, unwatched);
    while (const auto place = walk.next()) events += (*place->lane)[place->index].code == SLA_CODE_GAP ? 0 : 1;
    return events;
}

// Rows [first, end) without those of losses.
std::uint64_t events_among(const store::Lane& lane, std::uint64_t first, std::uint64_t end) {
    if (end <= first) return 0;
    const auto [from, until] = gaps_among(lane, first, end);
    return end - first - (until - from);
}

// Rows that cannot be read are in no table of losses. The index of their file counts those of whole pages all the same; a count
// of the lane's rows has them among its events. `rows`: that were counted.
void add_unreadable(const store::Lane& lane, const Limit& limit, const Selection& range, const store::Summary& rows,
                    Counts& counts) {
    const auto add = [&](const store::Page& page, const store::Gap& gap) {
        const bool is_inside = page.first_tick >= range.from && page.last_tick < range.until;
        counts.events -= events_among(lane, std::max(page.first, rows.first), std::min(page.end(), rows.last));
        if (limit.measure == Measure::kLost) {
            add_up(counts.lost, is_inside ? gap.lost : 0);
            counts.uncounted |= !is_inside;
            if (counts.first_gap_tick == 0 || gap.tick < counts.first_gap_tick) counts.first_gap_tick = gap.tick;
        } else {
            add_up(counts.lost, gap.lost);
        }
    };
    store::each_page_looked_at(lane, range.from, range.until, store::PageSource::Look::kKnown,
                               [&](const store::Page& page, const std::optional<store::Gap>& gap) {
                                   if (gap) add(page, *gap);
                                   return true;
                               });
}

}  // namespace

void count_losses_before(const store::Lane& lane, std::uint64_t from, bool are_counted, NumberCounts& counts) {
    each_loss_in(lane, from, from, [&](const store::Gap& gap) {
        if (are_counted && gap.is_not_kept()) return;
        add_up(are_counted ? counts.lost_at_borders : counts.lost, gap.lost);
        add_up(counts.not_kept, gap.is_not_kept() ? gap.lost : 0);
        counts.uncounted |= gap.is_uncounted();
        counts.left_out |= gap.cause == wire::LossCause::kLeftOut;
        if (are_counted && (counts.first_gap_tick == 0 || gap.tick < counts.first_gap_tick))
            counts.first_gap_tick = gap.tick;
    });
}

void part_losses_behind(const store::Lane& lane, const Selection& range, NumberCounts& counts) {
    if (range.until == store::kNever) return;
    each_loss_in(lane, range.until, range.until, [&](const store::Gap& gap) {
        if (gap.tick < range.from || gap.is_not_kept()) return;
        const std::uint64_t parted = std::min(gap.lost, counts.lost);
        counts.lost -= parted;
        add_up(counts.lost_at_borders, parted);
    });
}

namespace {

Counts count(const store::Session& session, const Limit& limit, const Selection& range,
             const std::vector<const store::Lane*>& lanes) {
    const bool is_of_losses = limit.measure == Measure::kLost;
    const Selection counted = is_of_losses ? range : from_begin(session, range);
    Counts counts;
    const auto filter = EventFilter::parse(limit.filter.empty() ? "kind != gap" : limit.filter);
    SLA_CHECK(filter.ok());  // the limit was parsed
    if (!limit.filter.empty()) counts.events = count_filtered(session, counted, lanes, *filter);
    for (const store::Lane* lane : lanes) {
        store::Summary rows;
        if (limit.filter.empty()) rows = lane->summarize(counted.from, counted.until);
        counts.events += rows.events;
        const store::GapTable::Missing missing = lane->missing_between(range.from, range.until);
        add_up(counts.not_kept, missing.not_kept);
        add_up(counts.lost, missing.lost + (is_of_losses ? 0 : missing.not_kept));
        counts.uncounted |= is_of_losses ? !missing.are_losses_counted : !missing.is_all_counted;
        counts.left_out |= !is_of_losses && missing.is_left_out;
        count_losses_before(*lane, range.from, is_of_losses, counts);
        if (is_of_losses) part_losses_behind(*lane, range, counts);
        const std::uint64_t first = first_gap_tick(*lane, range, !is_of_losses);
        if (first != 0 && (counts.first_gap_tick == 0 || first < counts.first_gap_tick)) counts.first_gap_tick = first;
        add_unreadable(*lane, limit, range, rows, counts);
    }
    return counts;
}

Bar per_second(Bar bar, const store::Session& session, const KnownExtent& extent) {
    if (extent.until <= extent.from) return {0, kInfinite};
    const double seconds = static_cast<double>(extent.until - extent.from) / session.clock().ticks_per_second();
    const double error = session.clock().slope_error_ppb() / 1e9;
    return {bar.low / seconds * (1 - error), bar.high / seconds * (1 + error)};
}

std::string why_undecided(const Limit& limit, const Counts& counts, const KnownExtent& extent) {
    if (limit.measure == Measure::kRate && extent.until <= extent.from) return "nothing says over which time";
    if (counts.uncounted) return "events were lost, and nobody knows how many";
    if (counts.left_out) return "events were left out, and nobody knows how many";
    if (limit.measure == Measure::kLost && counts.lost_at_borders > 0)
        return how_many(counts.lost_at_borders, "event") +
               " more were lost over a border of this time: how many in it is not known";
    if (limit.measure == Measure::kLost) return "the capture is damaged or has no end: more may be missing";
    const std::uint64_t lost = counts.lost - counts.not_kept;
    if (lost == 0) return "the agent had not kept " + std::to_string(counts.not_kept) + " events more";
    if (counts.not_kept == 0) return std::to_string(lost) + " more events were lost";
    return std::to_string(lost) + " more events were lost, and " + std::to_string(counts.not_kept) + " not kept";
}

// A time was asked for that lies before the capture, or behind it.
bool is_elsewhere(const Selection& range, const KnownExtent& extent) {
    return (range.from != 0 && range.from > extent.until) || (range.until != store::kNever && range.until <= extent.from);
}

}  // namespace

Finding check_number(const store::Session& session, const Limit& limit, const Selection& range,
                     const std::vector<const store::Lane*>& lanes, const KnownExtents& extents) {
    const std::string channel = lanes.size() == 1 ? lanes.front()->channel().name : "";
    return number_finding(session, limit, range, channel, count(session, limit, range, lanes), extents.of(lanes));
}

Finding number_finding(const store::Session& session, const Limit& limit, const Selection& range, const std::string& channel,
                       const NumberCounts& counts, const KnownExtent& extent) {
    const auto events = static_cast<double>(counts.events);
    const auto lost = static_cast<double>(counts.lost);
    Finding finding;
    finding.limit = limit.text;
    finding.channel = channel;
    if (is_elsewhere(range, extent)) {
        finding.verdict = Verdict::kCannotTell;
        finding.why = "nothing of the capture is at that time";
        return finding;
    }
    finding.checked = counts.events;
    finding.measured_any = true;
    finding.unknown = counts.lost;
    Bar bar{events, counts.uncounted || counts.left_out ? kInfinite : events + lost};
    if (limit.measure == Measure::kLost) {
        finding.at_tick = counts.first_gap_tick;
        const double most = lost + static_cast<double>(counts.lost_at_borders);
        const bool whole = (range.until != store::kNever || session.ended()) && is_undamaged(session, range);
        bar = {lost, whole && !counts.uncounted ? most : kInfinite};
    } else if (limit.measure == Measure::kRate) {
        bar = per_second(bar, session, extent);
    }
    finding.least = bar.low;
    finding.most = bar.high;
    finding.verdict = judge(bar, limit.compare, limit.bound);
    finding.measured = limit.measure == Measure::kLost || std::isinf(bar.high) ? bar.low : (bar.low + bar.high) / 2;
    finding.error = std::isinf(bar.high) ? 0 : bar.high - finding.measured;
    if (limit.measure == Measure::kCount) {
        finding.measured = events;
        finding.error = lost;
    }
    if (finding.verdict == Verdict::kFail) finding.why = "beyond the bound";
    if (finding.verdict == Verdict::kCannotTell) finding.why = why_undecided(limit, counts, extent);
    return finding;
}

}  // namespace sla::analysis
