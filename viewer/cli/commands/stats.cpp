// sla stats: intervals, counted; or values.
#include "proto/time/duration.h"
#include "viewer/cli/command.h"
#include "viewer/cli/commands/stats_follow.h"
#include "viewer/cli/commands/stats_values.h"
#include "viewer/cli/input.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/text/progress.h"
#include "viewer/formats/table/people_table.h"
#include "viewer/formats/table/statistics_table.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace sla::cli {

namespace {

constexpr const char* kColumnsInWords =
    "On a terminal: widths of spans, pulses of levels, then the time from event to event of channels with neither "
    "(`--pair x:x` tells that\n"
    "from begin to begin), in units. Else, and with --raw,\n"
    "columns: "
    "channel,pair,count,lost,min_ns,mode_ns,p50_ns,mean_ns,p90_ns,p99_ns,p999_ns,max_ns,stddev_ns,overhead_ns,culled,"
    "subtracted_ns,"
    "unfinished,quantile_error_ppm,source\n"
    "pair is empty for the time from event to event, `begin:end` for the widths of spans; of levels `high`, `low` and "
    "`period`, from rise to\n"
    "rise. Intervals with a loss in them are not counted;\n"
    "for pairs and spans `lost` says how many, for channels it is the number of events lost, with those that cannot be "
    "read.\n"
    "mode is the fullest bin of a histogram whose bins are 1/64 of their times wide.\n"
    "overhead is the width of an empty section, which is what marking adds to an interval: the program measures it when "
    "it "
    "attaches\n"
    "(the most frequent width of the third of three runs); without that, what a stamp costs. Markers inside a section "
    "add "
    "their own.\n"
    "Nothing is subtracted or left out unless asked for. unfinished: begun, and never ended on its own.\n"
    "quantile_error_ppm: of more than 4 M events in a file that keeps sums over its intervals, mode and percentiles are\n"
    "known to this share of themselves, in millionths, and all else is exact; 0: these are, too (--exact, --cull and\n"
    "--subtract-overhead read every event). Rows that cannot be read themselves count as the others (`sla verify` finds\n"
    "them).\n"
    "All this is about times. With --values, of each channel whose events carry numbers (levels aside), columns:\n"
    "channel,count,lost,min,p50,mean,p90,p99,p999,max,stddev,not_numbers,source\n"
    "lost: events of the channel that are missing among them; not_numbers: NaN, which counts nowhere else; of infinite "
    "numbers\n"
    "there is no stddev, of those of both signs no mean (empty; JSON, which has no infinite numbers, says \"inf\"). Other "
    "questions "
    "about values:\n"
    "  sla sql c.sla \"SELECT value, count(*) FROM events WHERE channel = 'rx' GROUP BY value\"\n"
    "--follow: columns time_ns and until_ns come first, where the interval begins and ends; for people a block each. Every "
    "time\n"
    "counts in the interval in which it ends, wherever it began, so that all intervals together count what one `sla stats` "
    "of the\n"
    "whole does; all numbers are exact. What has no end is unfinished in the interval in which its program ends, or in the "
    "last.\n"
    "For that an interval keeps its numbers until it ends, 8 bytes each but for small whole ones, which are counted: "
    "--every\n"
    "says how many that is.\n"
    "Intervals are of the machine's clock. What a guest by the virtual clock stamps counts in the interval of its stamps on "
    "that\n"
    "axis, or, when that was written already because its time is behind, in the one in which it comes.\n"
    "Channels and hosts that come later count from the interval on in which they come.";

Result<std::vector<analysis::StatisticsRow>> rows_of(const store::Session& session, const InputOptions& input,
                                                     const std::vector<std::string>& pairs, const analysis::TimeRange& range,
                                                     const analysis::StatisticsOptions& options) {
    std::vector<analysis::StatisticsRow> rows;
    if (pairs.empty() || !input.channels.empty()) {
        const auto selection = analysis::select(session, input.channels, range);
        if (!selection.ok()) return selection.error();
        rows = analysis::channel_statistics(session, *selection, options);
    }
    analysis::Selection within;
    analysis::set_range(within, session, range);
    for (const std::string& pair : pairs) {
        auto some = analysis::pair_statistics(session, pair, within, options);
        if (!some.ok()) return some.error();
        rows.insert(rows.end(), some->begin(), some->end());
    }
    return rows;
}

bool is_width(const analysis::StatisticsRow& row) {
    if (row.pair == analysis::kSpanWidths) return true;
    for (std::size_t i = 0; i < analysis::kLevelTimes; ++i) {
        if (row.pair == analysis::level_time_name(i)) return true;
    }
    return false;
}

// Widths of spans and levels first. The time from event to event of such a channel is no row here: it would mix begin to end with
// end to begin. The places of what is shown.
std::vector<std::size_t> people_order(const std::vector<analysis::StatisticsRow>& rows) {
    std::vector<std::size_t> out;
    std::set<const store::Lane*> with_widths;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!is_width(rows[i])) continue;
        out.push_back(i);
        with_widths.insert(rows[i].lane);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool is_left_out = rows[i].pair.empty() && with_widths.contains(rows[i].lane);
        if (!is_width(rows[i]) && !is_left_out) out.push_back(i);
    }
    return out;
}

}  // namespace

formats::PeopleTable people_statistics(const store::Session& session, const std::vector<analysis::StatisticsRow>& rows) {
    const std::vector<std::size_t> order = people_order(rows);
    const std::vector<std::string> sources = formats::sources_of(session, rows);
    std::set<std::pair<std::string, std::string>> names;
    for (const std::size_t i : order) names.emplace(rows[i].channel, rows[i].pair);
    const bool has_sources = names.size() < order.size();
    formats::PeopleTable table =
        has_sources
            ? formats::PeopleTable({"channel", "source", "time", ">count", ">lost", ">min", ">mean", ">p50", ">p99", ">max"})
            : formats::PeopleTable({"channel", "time", ">count", ">lost", ">min", ">mean", ">p50", ">p99", ">max"});
    for (const std::size_t i : order) {
        const analysis::StatisticsRow& row = rows[i];
        const analysis::Statistics& n = row.numbers;
        const auto time_of = [&](std::int64_t ps) { return n.count == 0 ? std::string() : time::format_duration(ps); };
        const std::string what = formats::name_of_pair(row.pair);
        std::vector<std::string> cells = {row.channel,
                                          what,
                                          std::to_string(n.count),
                                          n.lost == 0 ? "" : std::to_string(n.lost),
                                          time_of(n.min_ps),
                                          time_of(n.mean_ps),
                                          time_of(n.p50_ps),
                                          time_of(n.p99_ps),
                                          time_of(n.max_ps)};
        if (has_sources) cells.insert(cells.begin() + 1, sources[i]);
        table.add(std::move(cells));
    }
    return table;
}

namespace {

int run_stats(const InputOptions& input, const std::vector<std::string>& pairs, const analysis::StatisticsOptions& options,
              const OutputOptions& output) {
    const auto format = output.chosen();
    if (!format.ok()) return complain(format.error());
    const auto range = input.range();
    if (!range.ok()) return complain(range.error());
    store::Session session;
    const auto globs = pairs.empty() ? input.channels : std::vector<std::string>();
    if (const auto loaded = input.load(session, globs); !loaded.ok()) return complain(loaded.error());
    const auto rows = [&] {
        Progress progress("counting the intervals of " + input.name());
        analysis::StatisticsOptions with_progress = options;
        with_progress.from_sums = options.from_sums && !is_looked_at(session);
        with_progress.progress = [&](double share) { return progress.goes_on(share); };
        return rows_of(session, input, pairs, *range, with_progress);
    }();
    if (!rows.ok()) return complain(rows.error());
    if (interrupted() != 0) return complain(unavailable("stopped; nothing was written"));
    auto out = formats::Output::open(output.path);
    if (!out.ok()) return complain(out.error());
    const auto written = output.is_for_people(*format) ? people_statistics(session, *rows).write(*out)
                                                       : formats::write_statistics(session, *rows, *format, *out);
    if (!written.ok()) return complain(written.error());
    remark_uncounted_losses(session, globs, input.name());
    remark_losses_into(session, globs, *range, input.name());
    if (std::any_of(rows->begin(), rows->end(), [](const auto& row) { return row.numbers.count > 0; })) return kDone;
    remark("no intervals there in " + input.name() + "; `sla channels` lists what it has");
    return kNo;
}

}  // namespace

void add_stats(common::Command& app) {
    common::Command& command = app.add_command("stats", "Statistics of the time between events, or of their values");
    auto input = std::make_shared<InputOptions>();
    auto output = std::make_shared<OutputOptions>();
    auto pairs = std::make_shared<std::vector<std::string>>();
    input->add_target(command);
    input->add_channels(command);
    command
        .add_option("--pair", *pairs,
                    "Time from each start of A to the next start of B (repeatable; globs allowed, for up to 65,536 pairs). "
                    "A start is any event, "
                    "of spans the begin, "
                    "of levels the rise; an A that another A follows before B has none of its own (unfinished)")
        .value_name("A:B")
        .one_each();
    auto options = std::make_shared<analysis::StatisticsOptions>();
    command.add_flag("--subtract-overhead", options->subtract_overhead,
                     "Take overhead_ns off every width between two stamps of one thread (subtracted_ns says so)");
    command.add_flag("--cull", options->cull,
                     "Leave outliers out of all numbers, and count them in culled: wider than p75 + 3 * (p75 - p25), where "
                     "that distance is 1/64 of p75 and two ticks at least");
    auto exact = std::make_shared<bool>(false);
    command.add_flag("--exact", *exact,
                     "Read every event of a large file, instead of the sums it keeps: mode and percentiles are exact then "
                     "(quantile_error_ppm is 0)");
    auto values = std::make_shared<bool>(false);
    command.add_flag("--values", *values,
                     "Of the numbers that events carry, instead of times: queue lengths, sizes, temperatures; all exact");
    auto watch = std::make_shared<StatisticsWatch>();
    watch->add_to(command);
    input->add_range(command);
    output->add_to(command);
    output->add_raw(command);
    command.footer(kColumnsInWords);
    command.action([=] {
        if (*values && (!pairs->empty() || options->cull || options->subtract_overhead))
            return complain(invalid_input("--pair, --cull and --subtract-overhead are about times, and --values is not"));
        if (const auto good = watch->check(*exact); !good.ok()) return complain(good.error());
        if (watch->follows)
            return watch->run(*input, {input->channels, *pairs, options->subtract_overhead, options->cull}, *values,
                              *output);
        if (*values) return run_value_stats(*input, *output);
        options->from_sums = !*exact;
        return run_stats(*input, *pairs, *options, *output);
    });
}

}  // namespace sla::cli
