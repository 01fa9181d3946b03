// The same statistics of two captures, side by side.
#include "proto/time/duration.h"
#include "viewer/analysis/counterparts.h"
#include "viewer/analysis/intervals/statistics.h"
#include "viewer/cli/commands/compare.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/text/progress.h"
#include "viewer/fleet/fleet_address.h"
#include "viewer/formats/table/people_table.h"
#include "viewer/formats/table/small_table.h"
#include "viewer/formats/table/statistics_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace sla::cli {

namespace {

using Rows = std::vector<analysis::StatisticsRow>;

Result<Rows> statistics_of_side(const CompareOptions& options, std::size_t side, const store::Session& session,
                                const analysis::TimeRange& range) {
    Progress progress("counting the intervals of '" + fleet::shown_address(options.files[side]) + "'");
    analysis::StatisticsOptions how;
    how.from_sums = !options.exact;
    how.progress = [&](double share) { return progress.goes_on(share); };
    Rows rows;
    if (options.pairs.empty() || !options.input.channels.empty()) {
        const auto selection = analysis::select(session, options.input.channels, range);
        if (!selection) return selection.error();
        rows = analysis::channel_statistics(session, *selection, how);
    }
    analysis::Selection within;
    analysis::set_range(within, session, range);
    for (const std::string& pair : options.pairs) {
        const auto some = analysis::pair_statistics(session, pair, within, how);
        if (!some) return some.error();
        rows.insert(rows.end(), some->begin(), some->end());
    }
    if (interrupted() != 0) return unavailable("stopped; nothing was written");
    return rows;
}

// Of a large file that keeps sums mode and percentiles are near what they say.
void report_how_near(const std::array<Rows, 2>& rows) {
    std::uint32_t ppm = 0;
    for (const Rows& side : rows) {
        for (const analysis::StatisticsRow& row : side) ppm = std::max(ppm, row.numbers.quantile_error_ppm);
    }
    if (ppm == 0) return;
    remark(
        fmt::format("mode and percentiles are within {:.1f} % of themselves, by the sums that large files keep; --exact "
                    "reads every event",
                    static_cast<double>(ppm) / 1e4));
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

formats::Field ratio(double a, double b) {
    return a == 0 ? formats::Field() : formats::Field(b / a);
}

// The same of both captures.
struct Pair {
    std::array<analysis::StatisticsRow, 2> rows;
    std::string source;  // of A, of B where A has none
};

void add_count(const Pair& pair, const char* figure, std::uint64_t a, std::uint64_t b, formats::SmallTable& table) {
    table.add({pair.rows[0].channel, pair.rows[0].pair, std::string(figure), a, b,
               static_cast<double>(b) - static_cast<double>(a), ratio(static_cast<double>(a), static_cast<double>(b)),
               pair.source});
}

void add_times(const Pair& pair, formats::SmallTable& table) {
    const analysis::Statistics& a = pair.rows[0].numbers;
    const analysis::Statistics& b = pair.rows[1].numbers;
    for (const Figure& figure : kFigures) {
        const std::int64_t left = a.*figure.time;
        const std::int64_t right = b.*figure.time;
        const bool both = a.count > 0 && b.count > 0;
        table.add({pair.rows[0].channel, pair.rows[0].pair, std::string(figure.name),
                   a.count > 0 ? formats::Field(formats::Ps{left}) : formats::Field(),
                   b.count > 0 ? formats::Field(formats::Ps{right}) : formats::Field(),
                   both ? formats::Field(formats::Ps{right - left}) : formats::Field(),
                   both ? ratio(static_cast<double>(left), static_cast<double>(right)) : formats::Field(), pair.source});
    }
}

std::vector<analysis::RowName> names_of(const store::Session& session, const Rows& rows) {
    std::vector<analysis::RowName> names;
    for (const analysis::StatisticsRow& row : rows) {
        names.push_back({row.channel + "\n" + row.pair,
                         analysis::program_of(session, row.lane) + "\n" + analysis::program_of(session, row.end)});
    }
    return names;
}

// What only one of them has is compared with nothing.
std::vector<Pair> matched(const std::array<Rows, 2>& rows, const Sides& sides) {
    std::vector<Pair> all;
    const auto add = [&](const analysis::StatisticsRow& row, const std::string& source) -> Pair& {
        analysis::StatisticsRow nothing;
        nothing.channel = row.channel;
        nothing.pair = row.pair;
        return all.emplace_back(Pair{{nothing, nothing}, source});
    };
    std::array<std::vector<std::string>, 2> sources;
    for (std::size_t side = 0; side < 2; ++side) sources[side] = formats::sources_of(sides.sessions[side], rows[side]);
    for (std::size_t i = 0; i < rows[0].size(); ++i) add(rows[0][i], sources[0][i]).rows[0] = rows[0][i];
    const auto found = analysis::counterparts(names_of(sides.sessions[0], rows[0]), names_of(sides.sessions[1], rows[1]));
    for (std::size_t i = 0; i < rows[1].size(); ++i)
        (found[i] ? all[*found[i]] : add(rows[1][i], sources[1][i])).rows[1] = rows[1][i];
    return all;
}

formats::SmallTable side_by_side(const std::vector<Pair>& pairs) {
    formats::SmallTable table({"channel", "pair", "figure", "a", "b", "difference", "ratio", "source"});
    for (const Pair& pair : pairs) {
        add_count(pair, "count", pair.rows[0].numbers.count, pair.rows[1].numbers.count, table);
        add_count(pair, "lost", pair.rows[0].numbers.lost, pair.rows[1].numbers.lost, table);
        add_times(pair, table);
    }
    return table;
}

std::string change_of(double a, double b) {
    return a == 0 ? "" : fmt::format("{:+.1f} %", 100 * (b / a - 1));
}

// The figures that people look at first, in units.
formats::PeopleTable people_side_by_side(const std::vector<Pair>& pairs) {
    formats::PeopleTable table({"channel", "time", "figure", ">a", ">b", ">difference", ">change", "source"});
    for (const Pair& pair : pairs) {
        const analysis::StatisticsRow& a = pair.rows[0];
        const analysis::StatisticsRow& b = pair.rows[1];
        const std::string what = formats::name_of_pair(a.pair);
        const auto add_number = [&](const char* name, std::uint64_t left, std::uint64_t right) {
            table.add({a.channel, what, name, std::to_string(left), std::to_string(right),
                       fmt::format("{:+}", static_cast<std::int64_t>(right - left)),
                       change_of(static_cast<double>(left), static_cast<double>(right)), pair.source});
        };
        add_number("count", a.numbers.count, b.numbers.count);
        if (a.numbers.lost + b.numbers.lost > 0) add_number("lost", a.numbers.lost, b.numbers.lost);
        for (const Figure& figure :
             {Figure{"min", &analysis::Statistics::min_ps}, Figure{"mean", &analysis::Statistics::mean_ps},
              Figure{"p50", &analysis::Statistics::p50_ps}, Figure{"p99", &analysis::Statistics::p99_ps},
              Figure{"max", &analysis::Statistics::max_ps}}) {
            const std::int64_t left = a.numbers.*figure.time;
            const std::int64_t right = b.numbers.*figure.time;
            const bool both = a.numbers.count > 0 && b.numbers.count > 0;
            table.add({a.channel, what, figure.name, a.numbers.count > 0 ? time::format_duration(left) : "",
                       b.numbers.count > 0 ? time::format_duration(right) : "",
                       both ? (right > left ? "+" : "") + time::format_duration(right - left) : "",
                       both ? change_of(static_cast<double>(left), static_cast<double>(right)) : "", pair.source});
        }
    }
    return table;
}

Result<std::array<Rows, 2>> rows_of_both(const CompareOptions& options, const Sides& sides) {
    std::array<Rows, 2> rows;
    for (std::size_t side = 0; side < 2; ++side) {
        auto some = statistics_of_side(options, side, sides.sessions[side], sides.ranges[side]);
        if (!some) return Error{some.error().code, fleet::shown_address(options.files[side]) + ": " + some.error().message};
        rows[side] = std::move(*some);
    }
    return rows;
}

}  // namespace

int write_figures(const CompareOptions& options, const Sides& sides) {
    const auto format = options.output.chosen();
    if (!format.ok()) return complain(format.error());
    const auto rows = rows_of_both(options, sides);
    if (!rows.ok()) return complain(rows.error());
    auto out = formats::Output::open(options.output.path);
    if (!out.ok()) return complain(out.error());
    report_how_near(*rows);
    const std::vector<Pair> pairs = matched(*rows, sides);
    const auto written = options.output.is_for_people(*format) ? people_side_by_side(pairs).write(*out)
                                                               : side_by_side(pairs).write(*format, *out);
    if (!written.ok()) return complain(written.error());
    const auto has_some = [](const Rows& side) {
        return std::any_of(side.begin(), side.end(), [](const auto& row) { return row.numbers.count > 0; });
    };
    if (has_some((*rows)[0]) && has_some((*rows)[1])) return kDone;
    remark("there are no intervals to compare; `sla channels` lists what a capture has");
    return kNo;
}

}  // namespace sla::cli
