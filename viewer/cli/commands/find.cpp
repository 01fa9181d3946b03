// sla find: where a trigger would have fired.
#include "proto/common/trigger/parser.h"
#include "proto/common/trigger/trigger_words.h"
#include "viewer/analysis/damage.h"
#include "viewer/analysis/event_walk.h"
#include "viewer/analysis/filter/hit_search.h"
#include "viewer/analysis/known_extents.h"
#include "viewer/cli/command.h"
#include "viewer/cli/input.h"
#include "viewer/cli/local_capture.h"
#include "viewer/cli/text/hit_rows.h"
#include "viewer/cli/text/progress.h"
#include "viewer/formats/table/flowing_table.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

namespace sla::cli {

namespace {

struct FindOptions {
    InputOptions input;
    std::string first;  // the capture, or with the agent's address or nothing more: the expression
    std::string expression;
    std::string file;
    OutputOptions output;
};

// What is looked for: a trigger; or, where an expression reads as one of these, the single events that a filter lets through.
struct LookedFor {
    std::optional<trigger::Trigger> trigger;
    std::optional<analysis::EventFilter> filter;
};

Result<LookedFor> wanted_by(const FindOptions& options) {
    if (options.expression.empty() == options.file.empty()) {
        return invalid_input("say what to look for: an expression such as 'net.rx > 5', or --trigger-file FILE");
    }
    LookedFor wanted;
    if (!options.expression.empty()) {
        auto expression = trigger::parse_expression(options.expression);
        auto filter = analysis::EventFilter::parse(options.expression);
        if (!expression.ok() && !filter.ok()) return expression.error();
        if (expression.ok()) wanted.trigger = trigger::Trigger(std::move(*expression));
        if (filter.ok()) wanted.filter = std::move(*filter);
        return wanted;
    }
    const auto file = trigger::read_trigger_file(options.file);
    if (!file.ok()) return file.error();
    auto levels = trigger::parse_sequencer(file->text);
    if (!levels.ok()) return invalid_input(file->name + ": " + levels.error().message);
    wanted.trigger = trigger::Trigger(std::move(*levels));
    return wanted;
}

// One word alone is the expression, and the agent is asked, unless it names a capture.
Result<FindOptions> with_places(FindOptions options) {
    const bool has_address = !options.input.target.empty();
    const bool is_capture = names_capture(options.first);
    const bool is_turned = !has_address && !is_capture && !options.first.empty() && names_capture(options.expression);
    if (is_turned)
        return invalid_input("the capture comes first: sla find " + options.expression + " '" + options.first + "'");
    if (has_address && !options.expression.empty()) {
        return invalid_input("'" + options.expression + "' is one word too many: --address names what is read");
    }
    if (options.expression.empty() && options.file.empty() && (has_address || !is_capture)) {
        options.expression = options.first;
        if (!has_address && !options.expression.empty())
            remark("no capture is named: " + options.input.name() + " is asked");
    } else if (has_address && !options.first.empty()) {
        return invalid_input("'" + options.first + "' is one word too many: --address names what is read");
    } else if (!has_address) {
        options.input.target = options.first;
    }
    return options;
}

// "value > 3" reads as a trigger on a channel "value", too: what looks at channels that are there is meant.
Result<void> decide(const store::Session& session, LookedFor& wanted) {
    if (!wanted.trigger) return analysis::check_channels(session, *wanted.filter);
    const auto known = analysis::check_channels(session, *wanted.trigger);
    if (known.ok() || !wanted.filter || !analysis::check_channels(session, *wanted.filter).ok()) return known;
    wanted.trigger.reset();
    return {};
}

Error stopped() {
    return unavailable("stopped; it did not come to the end");
}

// Every event that the filter lets through, and losses that may hide one.
Result<bool> find_events(const store::Session& session, const analysis::EventFilter& filter,
                         const analysis::TimeRange& range, HitRows& rows) {
    Progress progress("looking through it");
    analysis::Selection all = analysis::from_begin(session, *analysis::select(session, {}, range));
    const bool may_hide = !filter.speaks_of_losses();
    all.filter = may_hide ? filter.with_losses() : filter;
    bool goes_on = true;
    const analysis::Progress share = [&](std::uint64_t done, std::uint64_t of) {
        return goes_on = progress.goes_on(static_cast<double>(done) / static_cast<double>(std::max<std::uint64_t>(of, 1)));
    };
    for (const store::Lane* lane : all.lanes) {
        const auto hides = [&](const store::Gap& gap) { return filter.may_hide(session, {lane, gap.index, gap.tick}); };
        if (!may_hide || std::ranges::none_of(analysis::losses_into(*lane, all.from), hides)) continue;
        const auto added = rows.add({all.from, false, lane->channel().name});
        if (!added.ok()) return added.error();
    }
    analysis::EventWalk walk(session, all, share);
    while (const auto place = walk.next()) {
        const bool hides = may_hide && walk.event().kind() == wire::Kind::kGap;
        if (hides && !filter.may_hide(session, *place)) continue;
        const auto added = rows.add({place->tick, !hides, place->lane->channel().name});
        if (!added.ok()) return added.error();
        if (!*added) return true;
    }
    return goes_on && progress.goes_on(1) ? Result<bool>(true) : Result<bool>(stopped());
}

Error went_in_circles() {
    return invalid_input(
        "stopped: the levels go in circles, by deadlines that make each other; what comes later was not looked at");
}

// Behind it no hit counts. Those of a source that makes up its time may come behind later ones of others.
std::uint64_t last_tick_of(const store::Session& session, const analysis::TimeRange& range) {
    const auto has_own_time = [&](const store::Lane* lane) { return analysis::has_own_time(session, *lane); };
    analysis::Selection within;
    if (std::ranges::none_of(session.lanes(), has_own_time)) analysis::set_range(within, session, range);
    return std::min(within.until, session.last_tick());
}

// False: it goes in circles, and did not come to the end.
Result<bool> find_hits(const store::Session& session, const trigger::Trigger& trigger, const analysis::TimeRange& range,
                       HitRows& rows) {
    Progress progress("looking through it");
    analysis::HitSearch search(session, trigger);
    const std::uint64_t first = session.first_tick();
    const std::uint64_t last = last_tick_of(session, range);
    const auto all = static_cast<double>(std::max<std::uint64_t>(last - std::min(last, first), 1));
    for (bool is_over = false; !is_over;) {
        is_over = !search.step() || (last < session.last_tick() && search.looked_until() > last);
        for (const analysis::FoundHit& hit : search.take_hits()) {
            const auto added = rows.add(hit);
            if (!added.ok()) return added.error();
            if (!*added) return true;
        }
        const std::uint64_t done = search.looked_until() - std::min(search.looked_until(), first);
        if (!progress.goes_on(is_over ? 1 : static_cast<double>(done) / all)) return stopped();
    }
    const auto written = rows.finish();
    return written.ok() ? Result<bool>(!search.goes_in_circles()) : Result<bool>(written.error());
}

// What is missing of a capture that is damaged or has no end may have it, too: from the first such place on nobody knows. (What is
// known to be missing of a channel is a loss, which the walks have met.)
Result<bool> doubt_damaged(const store::Session& session, const analysis::TimeRange& range, HitRows& rows) {
    analysis::Selection within;
    analysis::set_range(within, session, range);
    const std::optional<analysis::Damaged> damaged = analysis::damaged_part(session, within);
    if (!damaged) return true;
    const std::uint64_t from = std::min(damaged->from, session.last_tick());
    return rows.add({std::max({from, within.from, session.first_tick()}), false, "what is missing: the capture is damaged"});
}

int run_find(const FindOptions& typed) {
    const auto placed = with_places(typed);
    if (!placed.ok()) return complain(placed.error());
    const FindOptions& options = *placed;
    const auto format = options.output.chosen();
    if (!format.ok()) return complain(format.error());
    const auto range = options.input.range();
    if (!range.ok()) return complain(range.error());
    auto wanted = wanted_by(options);
    if (!wanted.ok()) return complain(wanted.error());
    store::Session session;
    if (const auto loaded = options.input.load(session, {}); !loaded.ok()) return complain(loaded.error());
    if (const auto decided = decide(session, *wanted); !decided.ok()) return complain(decided.error());
    auto out = formats::Output::open(options.output.path);
    if (!out.ok()) return complain(out.error());
    const bool is_for_people = options.output.is_for_people(*format);
    formats::FlowingTable table(HitRows::names(is_for_people), *format, *out);
    HitRows rows(session, *range, table, is_for_people);
    const auto found = wanted->trigger ? find_hits(session, *wanted->trigger, *range, rows)
                                       : find_events(session, *wanted->filter, *range, rows);
    if (!found.ok()) return complain(found.error());
    if (const auto doubted = doubt_damaged(session, *range, rows); !doubted.ok()) return complain(doubted.error());
    if (const auto written = table.finish(); !written.ok()) return complain(written.error());
    if (!*found) return complain(went_in_circles());
    if (table.size() > 0) return kDone;
    remark("nowhere in " + options.input.name());
    return kNo;
}

}  // namespace

void add_find(common::Command& app) {
    common::Command& command = app.add_command("find", "List every place where a trigger would have fired");
    auto options = std::make_shared<FindOptions>();
    command.add_option("target", options->first, kTargetHelp).value_name("CAPTURE|ADDRESS");
    command.add_option("expression", options->expression, "What to look for, as in 'net.rx then gap net.tx > 5ms'")
        .value_name("EXPR");
    command.add_option("--trigger-file", options->file, "Look for it by the levels in this file").value_name("FILE");
    command.add_option("--address", options->input.target, "Read this agent, as every command takes it")
        .value_name("ADDRESS");
    options->input.add_range(command);
    options->output.add_to(command);
    options->output.add_raw(command);
    command.footer(
        "Without a capture (`sla find EXPR`) the agent of this user is asked.\n" + std::string(trigger::kTriggerFooter) +
        "\n\nOn a terminal in units; else, and with --raw, columns: hit,tick,time_ns,delta_hit_ns,error_ns,answer,what.\n"
        "error_ns (±) is that of the time since the hit before. `answer` is yes, or \"cannot tell\" where losses hide "
        "whether it happened (losses themselves are found by kind == gap), and once, at the end, of a capture that is "
        "damaged or was cut off. Exit code 1: nowhere.");
    command.action([=] { return run_find(*options); });
}

}  // namespace sla::cli
