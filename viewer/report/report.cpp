#include "viewer/report/report.h"

#include "proto/base/how_many.h"
#include "proto/wire/version.h"
#include "viewer/analysis/intervals/statistics.h"
#include "viewer/analysis/lane_rate.h"
#include "viewer/formats/markup_text.h"
#include "viewer/report/html.h"
#include "viewer/report/lanes_svg.h"
#include "viewer/store/unreadable_pages.h"
#include "viewer/timeline/readable.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace sla::report {

namespace {

using timeline::grouped;
using timeline::readable_delta;

constexpr std::size_t kMaxHistograms = 24;
constexpr std::size_t kMaxGaps = 200;

// take(gap) for what is lost of a lane in [from, until) ticks: what its rows say, then what of its file cannot be read.
template <typename Take>
void each_loss(const store::Lane& lane, std::uint64_t from, std::uint64_t until, Take take) {
    const auto& gaps = lane.gaps();
    for (std::size_t i = lane.first_gap_touching(from); i < gaps.size() && gaps[i].tick < until; ++i) {
        if (gaps[i].until_tick >= from) take(gaps[i]);
    }
    const auto take_page = [&](const store::Page&, const std::optional<store::Gap>& gap) {
        if (gap) take(*gap);
        return true;
    };
    store::each_page_looked_at(lane, from, until, store::PageSource::Look::kCheck, take_page);
}

struct Counts {
    std::uint64_t events = 0;
    std::uint64_t lost = 0;
    std::uint64_t uncounted = 0;  // losses of an unknown number
    std::uint64_t not_kept = 0;
};
// What cannot be read is looked at here.
Counts counts_of(const store::Session& session, const std::vector<const store::Lane*>& lanes) {
    Counts all;
    for (const store::Lane* lane : lanes) {
        const auto readable = analysis::readable_events(session, *lane, store::PageSource::Look::kCheck);
        all.events += readable.events;
        all.lost += lane->lost() + readable.unreadable;
        all.uncounted += lane->uncounted_losses();
        all.not_kept += lane->not_kept();
    }
    return all;
}

// In a sentence.
std::string lost_text(const Counts& counts, bool is_damaged) {
    const auto& [events, lost, uncounted, not_kept] = counts;
    if (lost == 0 && uncounted == 0)
        return is_damaged ? "What the damage took is not known, see below." : "Nothing was lost.";
    std::string text;
    if (lost > 0) text = grouped(lost) + " events";
    if (uncounted > 0)
        text += fmt::format("{}an unknown number in {}", text.empty() ? "" : " and ", how_many(uncounted, "place"));
    return "<b class=lost>" + text + " were lost</b>, see below.";
}

std::string about(const store::Session& session, const analysis::Selection& selection) {
    const auto& clock = session.clock();
    const Counts counts = counts_of(session, selection.lanes);
    const std::uint64_t begin = std::max(session.first_tick(), session.origin().begin_tick);
    std::string out =
        fmt::format("<p>{} events on {}, {} long", grouped(counts.events), how_many(selection.lanes.size(), "channel"),
                    formats::markup_text(readable_delta(clock.to_ps(session.last_tick()) - clock.to_ps(begin))));
    if (clock.origin_realtime_ns() > 0)
        out += fmt::format(", begun {:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(clock.origin_realtime_ns() / 1'000'000'000));
    if (!session.origin().host.empty()) out += " on " + formats::markup_text(session.origin().host);
    out += ". " + lost_text(counts, session.damage_count() > 0) + "</p>\n";
    if (counts.not_kept > 0) {
        out += fmt::format(
            "<p>{} events of the time before this was recorded were no longer held by the agent; where, see "
            "below.</p>\n",
            grouped(counts.not_kept));
    }
    return out + "<p>Made by sla " + std::string(wire::kProductVersion) + ", recorded by " +
           formats::markup_text(session.origin().agent) + ".</p>\n";
}

std::string statistics(const store::Session& session, std::vector<analysis::LaneIntervals>& lanes) {
    std::vector<std::vector<std::string>> rows;
    bool are_exact = true;
    for (const auto& row : analysis::statistics_of(lanes, session)) {
        are_exact = are_exact && row.numbers.quantile_error_ppm == 0;
        const analysis::Statistics& numbers = row.numbers;
        std::vector<std::string> fields = {row.channel, row.pair.empty() ? "event to event" : row.pair,
                                           grouped(numbers.count)};
        for (const std::int64_t ps : {numbers.min_ps, numbers.mode_ps, numbers.p50_ps, numbers.mean_ps, numbers.p90_ps,
                                      numbers.p99_ps, numbers.p999_ps, numbers.max_ps, numbers.stddev_ps})
            fields.push_back(numbers.count > 0 ? readable_delta(ps) : "");
        fields.push_back(grouped(numbers.lost));
        rows.push_back(std::move(fields));
    }
    const char* const near =
        are_exact ? "" : " Mode and percentiles are known to 0.8 % (<code>sla stats --exact</code>); all else is exact.";
    return fmt::format(
               "<h2>Time between events</h2>\n<p>Intervals with a loss in them are not counted; the cost of a stamp "
               "is not subtracted.{}</p>\n",
               near) +
           table({"channel", "interval", "count", "min", "mode", "p50", "mean", "p90", "p99", "p99.9", "max", "std dev",
                  "lost"},
                 rows);
}

std::string histograms(const store::Session& session, const std::vector<analysis::LaneIntervals>& lanes) {
    std::string out;
    std::size_t shown = 0;
    for (std::size_t i = 0; i < lanes.size() && shown < kMaxHistograms; ++i) {
        const std::string one = histogram_svg(session, lanes[i], i);
        if (one.empty()) continue;
        out += one;
        ++shown;
    }
    if (out.empty()) return {};
    return "<h2>Histograms</h2>\n<p>Both axes are logarithmic.</p>\n<div class=cards>\n" + out + "</div>\n";
}

bool has_range(const analysis::Selection& selection) {
    return selection.from > 0 || selection.until != store::kNever;
}

// What it says of the capture as a whole stands above; everything else is of the part.
std::string part_of(const store::Session& session, const analysis::Selection& selection) {
    if (!has_range(selection)) return {};
    const auto words_of = [&](std::uint64_t tick) { return timeline::readable_time(session.clock().to_ps(tick), 1000); };
    const std::string from = selection.from > 0 ? "from " + words_of(selection.from) : "from the beginning";
    const std::string until = selection.until != store::kNever ? "until " + words_of(selection.until) : "until the end";
    return "<p>What follows is of a part: " + from + " " + until + ".</p>\n";
}

std::string losses(const store::Session& session, const analysis::Selection& selection) {
    std::vector<std::vector<std::string>> rows;
    std::uint64_t all = 0;
    for (const store::Lane* lane : selection.lanes) {
        each_loss(*lane, selection.from, selection.until, [&](const store::Gap& gap) {
            ++all;
            if (rows.size() >= kMaxGaps) return;
            const std::int64_t from = session.clock().to_ps(gap.tick);
            rows.push_back({lane->channel().name, gap.is_uncounted() ? "not known" : grouped(gap.lost),
                            wire::loss_cause_name(gap.cause), timeline::readable_time(from, 1000),
                            gap.has_end() ? readable_delta(session.clock().to_ps(gap.until_tick) - from) : "not known"});
        });
    }
    const bool is_whole = selection.lanes.size() == session.lanes().size() && !has_range(selection);
    if (rows.empty())
        return std::string("<h2>Losses</h2>\n<p>None") + (is_whole ? "" : " on these channels in this part") + ".</p>\n";
    std::string out = "<h2>Losses</h2>\n" + table({"channel", "events missing", "cause", "at", "within"}, rows);
    if (all > rows.size()) out += fmt::format("<p>The first {} of {} losses.</p>\n", rows.size(), grouped(all));
    if (session.not_kept() > 0) out += "<p><i>not kept</i>: of the time before; nobody who read it in time lost it.</p>\n";
    return out;
}

std::string clock_health(const store::Session& session) {
    const auto& clock = session.clock();
    const std::vector<std::vector<std::string>> rows = {
        {"tick rate", fmt::format("{:.3f} MHz", clock.ticks_per_second() / 1e6)},
        {"error of the rate", fmt::format("± {:.3f} ppb", clock.slope_error_ppb())},
        {"clock readings", grouped(session.snapshots().size())},
        {"cost of a stamp", session.stamp_ticks() == 0 ? "not measured" : grouped(session.stamp_ticks()) + " ticks"},
        {"error of a short interval", "± " + readable_delta(clock.delta_error_ps(0))},
        {"error of one second",
         "± " + readable_delta(clock.delta_error_ps(static_cast<std::uint64_t>(clock.ticks_per_second())))}};
    return "<h2>Clock</h2>\n" + table({"", ""}, rows);
}

std::string notes(const store::Session& session) {
    std::string out;
    for (const store::Note& note : session.notes()) {
        if (note.damage) out += "<p class=lost>" + formats::markup_text(note.text) + "</p>\n";
    }
    return out.empty() ? "" : "<h2>Damage</h2>\n" + out;
}

}  // namespace

Result<void> write_report(const store::Session& session, const analysis::Selection& selection, const ReportOptions& options,
                          formats::Output& output) {
    std::string page = page_head(options.title);
    page += about(session, selection);
    page += notes(session);
    page += part_of(session, selection);
    page += "<h2>Lanes</h2>\n";
    if (selection.lanes.size() > kMaxLanes)
        page += fmt::format("<p>The first {} of {} channels; choose others with --channel.</p>\n", kMaxLanes,
                            selection.lanes.size());
    page += lanes_svg(session, selection, kMaxLanes);
    analysis::StatisticsOptions from_sums;
    from_sums.from_sums = true;
    std::vector<analysis::LaneIntervals> lanes = analysis::lane_intervals(session, selection, from_sums);
    page += statistics(session, lanes);
    page += histograms(session, lanes);
    page += losses(session, selection);
    page += clock_health(session);
    page += "</body></html>\n";
    if (auto written = output.write(page); !written.ok()) return written;
    return output.finish();
}

}  // namespace sla::report
