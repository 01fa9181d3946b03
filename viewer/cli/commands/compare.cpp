// sla compare: two captures side by side, and one held against the other.
#include "viewer/cli/commands/compare.h"

#include "viewer/analysis/limits/change.h"
#include "viewer/cli/command.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/text/changes.h"
#include "viewer/cli/text/progress.h"
#include "viewer/cli/text/verdicts.h"
#include "viewer/fleet/fleet_address.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sla::cli {

namespace {

// The range counts from the capture's start, or from t = 0 of its shot.
analysis::TimeRange shifted(analysis::TimeRange range, std::int64_t by_ps) {
    if (range.from_ps) *range.from_ps += by_ps;
    if (range.until_ps) *range.until_ps += by_ps;
    return range;
}

// The first of whose window something is recorded: an agent tells of older ones, too. Null: there is none.
const store::Shot* first_recorded_shot(const store::Session& session) {
    const std::uint64_t begin = std::max(session.first_tick(), session.has_origin() ? session.origin().begin_tick : 0);
    const auto& shots = session.shots();
    const auto found = std::find_if(shots.begin(), shots.end(),
                                    [&](const store::Shot& shot) { return std::max(shot.tick, shot.end_tick) >= begin; });
    return found == shots.end() ? nullptr : &*found;
}

Result<void> load_side(const std::string& target, store::Session& session) {
    InputOptions input;
    input.target = target;
    input.rows_in_memory = kEventsLookedAt;
    return input.load(session, {});
}

Result<void> load_both(const CompareOptions& options, const analysis::TimeRange& range, Sides& sides) {
    for (std::size_t side = 0; side < 2; ++side) {
        if (Result<void> loaded = load_side(options.files[side], sides.sessions[side]); !loaded) return loaded.error();
    }
    const std::array<const store::Shot*, 2> shots = {first_recorded_shot(sides.sessions[0]),
                                                     first_recorded_shot(sides.sessions[1])};
    const bool aligned = shots[0] != nullptr && shots[1] != nullptr;
    if (aligned) remark("both have a shot: times count from the first one");
    for (std::size_t side = 0; side < 2; ++side) {
        const store::Session& session = sides.sessions[side];
        sides.ranges[side] = shifted(range, aligned ? session.clock().to_ps(shots[side]->tick) : 0);
    }
    return {};
}

int hold_against(const CompareOptions& options, const std::vector<analysis::Change>& changes, const Sides& sides) {
    std::array<analysis::Selection, 2> ranges;
    for (std::size_t side = 0; side < 2; ++side) analysis::set_range(ranges[side], sides.sessions[side], sides.ranges[side]);
    const analysis::Side before{sides.sessions[0], ranges[0]};
    const analysis::Side after{sides.sessions[1], ranges[1]};
    const auto found = [&] {
        Progress progress("comparing '" + fleet::shown_address(options.files[1]) + "' with '" +
                          fleet::shown_address(options.files[0]) + "'");
        const auto goes_on = [&](double share) { return progress.goes_on(share); };
        return analysis::check_changes(changes, before, after, goes_on,
                                       options.exact ? analysis::Reading::kEveryRow : analysis::Reading::kAsNeeded);
    }();
    if (interrupted() != 0) return complain(unavailable("stopped; there is no verdict"));
    const std::string suite =
        "sla compare '" + fleet::shown_address(options.files[0]) + "' '" + fleet::shown_address(options.files[1]) + "'";
    if (const auto written = write_changes(found, after.session, options.output); !written.ok())
        return complain(written.error());
    if (const auto written = report_changes(found, after.session, suite, options.junit); !written.ok())
        return complain(written.error());
    const bool kept = std::all_of(found.begin(), found.end(),
                                  [](const analysis::Changed& one) { return one.verdict == analysis::Verdict::kPass; });
    return kept ? kDone : kNo;
}

int run_compare(const CompareOptions& options) {
    if (!options.limits.empty() && !options.pairs.empty())
        return complain(
            invalid_input("--pair is for the table of figures; a --limit names its pair itself, as in 'a->b p99 < +10%'"));
    if (std::all_of(options.files.begin(), options.files.end(), [](const std::string& file) { return file == "-"; }))
        return complain(invalid_input("standard input can be one of the two captures, not both"));
    if (options.limits.empty() && !options.junit.empty()) return complain(invalid_input("--junit needs a --limit"));
    if (!options.limits.empty() && !options.input.channels.empty())
        return complain(invalid_input("--channel is for the table of figures; a --limit names its channels itself"));
    if (const auto good = check_outputs(options.output, options.junit); !good.ok()) return complain(good.error());
    std::vector<analysis::Change> changes;
    for (const std::string& text : options.limits) {
        auto change = analysis::parse_change(text);
        if (!change.ok()) return complain(change.error());
        changes.push_back(std::move(change).value());
    }
    const auto range = options.input.range();
    if (!range.ok()) return complain(range.error());
    Sides sides;
    if (Result<void> loaded = load_both(options, *range, sides); !loaded) return complain(loaded.error());
    if (!changes.empty()) return hold_against(options, changes, sides);
    for (std::size_t side = 0; side < 2; ++side)
        remark_uncounted_losses(sides.sessions[side], options.input.channels,
                                "'" + fleet::shown_address(options.files[side]) + "'");
    return write_figures(options, sides);
}

}  // namespace

void add_compare(common::Command& app) {
    common::Command& command = app.add_command("compare", "Set two captures side by side, or hold one against the other");
    auto options = std::make_shared<CompareOptions>();
    command.add_option("a", options->files[0], "The capture to compare with, called a below: a file, - or an address")
        .required()
        .value_name("CAPTURE|ADDRESS");
    command.add_option("b", options->files[1], "The capture to compare, called b").required().value_name("CAPTURE|ADDRESS");
    command
        .add_option("--pair", options->pairs,
                    "Time from each start of X to the next start of Y, as in sla stats (repeatable)")
        .value_name("X:Y")
        .one_each();
    command.add_flag("--exact", options->exact,
                     "Read every event of large files, instead of the sums they keep: mode and percentiles are exact then");
    command
        .add_option("--limit", options->limits,
                    "How b may differ from a; then verdicts are written instead of figures (repeatable)")
        .value_name("CHANGE")
        .one_each();
    command.add_option("--junit", options->junit, "Write the verdicts to this file as JUnit XML").value_name("FILE");
    options->input.add_channels(command);
    options->input.add_range(command);
    options->output.add_to(command);
    options->output.add_raw(command);
    command.footer(
        "Of channels of one name those of programs of one name are compared, whatever order they came in; where no "
        "program's name is "
        "in both, the first ones, then the second ones.\n"
        "CHANGE is a limit of sla check whose bound is a change, +10% -5% 110% +2us -1ms +3, of the figure that a has:\n"
        "  'width net.rx p99 < +10%'   'irq.0->isr max < +5us'   'rate rx > -5%'   'count rx == +0'   'lost <= +0'\n"
        "Counts and rates of events that a filter lets through are for sla check alone. "
        "Of times the figure is named: min max mean p50 p90 p95 p99 p999. Both error bars count; verdicts are pass, fail "
        "and "
        "cannot\n"
        "tell, exit codes 0 (all pass) and 1, as of sla check.\n"
        "Columns with --limit: limit,channel,verdict,a,a_error,b,b_error,unit,difference,ratio,at_tick,at_ns,why,source "
        "(the place "
        "is in b).\n"
        "Without: on a terminal the main figures in units; else, and with --raw, "
        "channel,pair,figure,a,b,difference,ratio,source: "
        "one row a figure (count, lost, min_ns, mode_ns, p50_ns, "
        "mean_ns, "
        "p90_ns, p99_ns,\n"
        "p999_ns, max_ns, stddev_ns, as sla stats has them); difference is b - a, ratio b / a. When both captures have a "
        "shot "
        "of which something is recorded,\n"
        "--from and --to count from its t = 0. Exit code 1: one of them has no intervals.");
    command.action([=] { return run_compare(*options); });
}

}  // namespace sla::cli
