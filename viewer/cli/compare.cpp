// sla compare: the same statistics of two captures, side by side.
#include "proto/wire/address.h"
#include "viewer/analysis/statistics.h"
#include "viewer/cli/file_commands.h"
#include "viewer/cli/input.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/part_loader.h"
#include "viewer/cli/progress.h"
#include "viewer/export/small_table.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace sla::cli {

namespace {

struct CompareOptions {
    std::array<std::string, 2> files;
    std::vector<std::string> pairs;
    InputOptions input;  // channels and times
    OutputOptions output;
};

using Rows = std::vector<analysis::StatisticsRow>;
using Lanes = std::vector<const store::Lane*>;

// Both sides of "A:B"; names may hold colons themselves.
void add_pair_lanes(const store::Session& session, const std::string& pair, Lanes& lanes) {
    for (std::size_t colon = pair.find(':'); colon != std::string::npos; colon = pair.find(':', colon + 1)) {
        const auto left = analysis::matching_lanes(session, std::string_view(pair).substr(0, colon));
        const auto right = analysis::matching_lanes(session, std::string_view(pair).substr(colon + 1));
        if (left.empty() || right.empty()) continue;
        lanes.insert(lanes.end(), left.begin(), left.end());
        lanes.insert(lanes.end(), right.begin(), right.end());
    }
}

Result<Lanes> wanted_lanes(const CompareOptions& options, const store::Session& session) {
    Lanes lanes;
    if (options.pairs.empty() || !options.input.channels.empty()) {
        const auto selected = analysis::select(session, options.input.channels);
        if (!selected) return selected.error();
        lanes = selected->lanes;
    }
    for (const std::string& pair : options.pairs) add_pair_lanes(session, pair, lanes);
    return lanes;
}

// The range counts from the capture's start, or from t = 0 of its shot.
analysis::TimeRange shifted(analysis::TimeRange range, std::int64_t by_ps) {
    if (range.from_ps) *range.from_ps += by_ps;
    if (range.until_ps) *range.until_ps += by_ps;
    return range;
}

Result<Rows> statistics_of_part(const CompareOptions& options, const store::Session& session,
                                const analysis::TimeRange& range) {
    Rows rows;
    if (options.pairs.empty() || !options.input.channels.empty()) {
        const auto selection = analysis::select(session, options.input.channels, range);
        if (!selection) return selection.error();
        rows = analysis::channel_statistics(session, *selection);
    }
    analysis::Selection within;
    analysis::set_range(within, session, range);
    for (const std::string& pair : options.pairs) {
        const auto some = analysis::pair_statistics(session, pair, within);
        if (!some) return some.error();
        rows.insert(rows.end(), some->begin(), some->end());
    }
    return rows;
}

struct Figure {
    const char* name;
    std::int64_t analysis::Statistics::*time;
};
constexpr Figure kFigures[] = {{"min_ns", &analysis::Statistics::min_ps},      {"mode_ns", &analysis::Statistics::mode_ps},
                               {"p50_ns", &analysis::Statistics::p50_ps},      {"mean_ns", &analysis::Statistics::mean_ps},
                               {"p90_ns", &analysis::Statistics::p90_ps},      {"p99_ns", &analysis::Statistics::p99_ps},
                               {"p999_ns", &analysis::Statistics::p999_ps},    {"max_ns", &analysis::Statistics::max_ps},
                               {"stddev_ns", &analysis::Statistics::stddev_ps}};

exporting::Field ratio(double a, double b) {
    return a == 0 ? exporting::Field() : exporting::Field(b / a);
}

void add_count(const analysis::StatisticsRow& name, const char* figure, std::uint64_t a, std::uint64_t b,
               exporting::SmallTable& table) {
    table.add({name.channel, name.pair, std::string(figure), a, b, static_cast<double>(b) - static_cast<double>(a),
               ratio(static_cast<double>(a), static_cast<double>(b))});
}

void add_times(const analysis::StatisticsRow& name, const analysis::Statistics& a, const analysis::Statistics& b,
               exporting::SmallTable& table) {
    for (const Figure& figure : kFigures) {
        const std::int64_t left = a.*figure.time;
        const std::int64_t right = b.*figure.time;
        const bool both = a.count > 0 && b.count > 0;
        table.add({name.channel, name.pair, std::string(figure.name),
                   a.count > 0 ? exporting::Field(exporting::Ps{left}) : exporting::Field(),
                   b.count > 0 ? exporting::Field(exporting::Ps{right}) : exporting::Field(),
                   both ? exporting::Field(exporting::Ps{right - left}) : exporting::Field(),
                   both ? ratio(static_cast<double>(left), static_cast<double>(right)) : exporting::Field()});
    }
}

// What only one of them has is compared with nothing.
exporting::SmallTable side_by_side(const std::array<Rows, 2>& rows) {
    std::vector<std::pair<std::string, std::string>> order;
    std::map<std::pair<std::string, std::string>, std::array<analysis::StatisticsRow, 2>> found;
    for (std::size_t side = 0; side < 2; ++side) {
        for (const analysis::StatisticsRow& row : rows[side]) {
            const std::pair key(row.channel, row.pair);
            if (!found.contains(key)) order.push_back(key);
            auto& both = found[key];
            both[0].channel = both[1].channel = row.channel;
            both[0].pair = both[1].pair = row.pair;
            both[side] = row;
        }
    }
    exporting::SmallTable table({"channel", "pair", "figure", "a", "b", "difference", "ratio"});
    for (const auto& key : order) {
        const auto& [a, b] = found[key];
        add_count(a, "count", a.numbers.count, b.numbers.count, table);
        add_count(a, "lost", a.numbers.lost, b.numbers.lost, table);
        add_times(a, a.numbers, b.numbers, table);
    }
    return table;
}

// What the comparison needs of one of them: of a file some channels, of an agent what it holds.
Result<LoadedPart> load_side(const CompareOptions& options, const std::string& target, store::Session& session) {
    if (wire::looks_like_address(target)) {
        InputOptions input;
        input.target = target;
        if (Result<void> loaded = input.load(session, {}); !loaded) return loaded.error();
        return LoadedPart{};
    }
    Progress progress("reading " + target);
    const auto loaded = load_part(
        target, session, [&](const store::Session& names) { return wanted_lanes(options, names); },
        [&](double share) {
            progress.show(share);
            return interrupted() == 0;
        });
    for (const store::Note& note : session.notes()) {
        if (note.damage) remark("damage: " + note.text);
    }
    return loaded;
}

Result<std::array<Rows, 2>> rows_of_both(const CompareOptions& options, const analysis::TimeRange& range) {
    std::array<store::Session, 2> sessions;
    std::array<LoadedPart, 2> parts;
    for (std::size_t side = 0; side < 2; ++side) {
        const auto loaded = load_side(options, options.files[side], sessions[side]);
        if (!loaded) return loaded.error();
        parts[side] = *loaded;
    }
    const bool aligned = parts[0].shot_tick && parts[1].shot_tick;
    if (aligned) remark("both have a shot: times count from the first one");
    std::array<Rows, 2> rows;
    for (std::size_t side = 0; side < 2; ++side) {
        const std::int64_t zero = aligned ? sessions[side].clock().to_ps(*parts[side].shot_tick) : 0;
        auto some = statistics_of_part(options, sessions[side], shifted(range, zero));
        if (!some) return Error{some.error().code, options.files[side] + ": " + some.error().message};
        rows[side] = std::move(*some);
    }
    return rows;
}

int run_compare(const CompareOptions& options) {
    const auto format = options.output.chosen();
    if (!format.ok()) return complain(format.error());
    const auto range = options.input.range();
    if (!range.ok()) return complain(range.error());
    const auto rows = rows_of_both(options, *range);
    if (!rows.ok()) return complain(rows.error());
    auto out = exporting::Output::open(options.output.path);
    if (!out.ok()) return complain(out.error());
    const exporting::SmallTable table = side_by_side(*rows);
    if (const auto written = table.write(*format, out.value()); !written.ok()) return complain(written.error());
    const auto has_some = [](const Rows& side) {
        return std::any_of(side.begin(), side.end(), [](const auto& row) { return row.numbers.count > 0; });
    };
    if (has_some((*rows)[0]) && has_some((*rows)[1])) return kDone;
    remark("there are no intervals to compare; `sla channels` tells what a capture has");
    return kNo;
}

}  // namespace

void add_compare(CLI::App& app, int& code) {
    CLI::App* command = app.add_subcommand("compare", "Set the time statistics of two captures side by side");
    auto options = std::make_shared<CompareOptions>();
    command->add_option("a", options->files[0], "The capture to compare with")->required()->type_name("CAPTURE|ADDRESS");
    command->add_option("b", options->files[1], "The capture to compare")->required()->type_name("CAPTURE|ADDRESS");
    command
        ->add_option("--pair", options->pairs,
                     "Time from each start of X to the next start of Y, as in sla stats (repeatable)")
        ->type_name("X:Y")
        ->allow_extra_args(false);
    options->input.add_channels(*command);
    options->input.add_range(*command);
    options->output.add_to(*command);
    command->footer(
        "Columns: channel,pair,figure,a,b,difference,ratio: one row a figure (count, lost, min_ns, mode_ns, p50_ns, "
        "mean_ns, "
        "p90_ns, p99_ns,\n"
        "p999_ns, max_ns, stddev_ns, as sla stats has them); difference is b - a, ratio b / a. When both captures have a "
        "shot, "
        "--from and --to\n"
        "count from its t = 0. Exit code 1: one of them has no intervals.");
    command->callback([=, &code] { code = run_compare(*options); });
}

}  // namespace sla::cli
