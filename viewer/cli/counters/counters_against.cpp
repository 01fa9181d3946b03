// sla counters run --against: counts held against an earlier table.
#include "proto/base/text.h"
#include "proto/base/whole_file.h"
#include "viewer/cli/counters/counters.h"
#include "viewer/formats/table/small_table.h"

#include "viewer/analysis/limits/verdict.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sla::cli {

namespace {

using analysis::Verdict;
using nlohmann::json;

struct Before {
    double min = 0;
    double median = 0;
    double max = 0;
};
using Table = std::map<std::pair<std::string, std::string>, Before>;

// "+5%" or "+3": what may be added to a number.
struct Allowance {
    double share = 0;
    double more = 0;
    [[nodiscard]] double bound(double before) const { return before * (1 + share) + more; }
};

Result<Allowance> parse_allowance(const std::string& text) {
    const Error wrong = invalid_input("--limit: '" + text + "' is no change; write +5%, +0 or +100");
    if (!text.starts_with('+')) return wrong;
    const bool percent = text.ends_with('%');
    const std::string_view digits = std::string_view(text).substr(1, text.size() - (percent ? 2 : 1));
    const auto number = whole_number<double>(digits, std::chars_format::fixed);
    if (!number || !std::isfinite(*number) || *number < 0) return wrong;
    return percent ? Allowance{*number / 100, 0} : Allowance{0, *number};
}

Result<Table> read_table(const std::string& path) {
    const Result<std::string> text = read_whole_file(path);
    if (!text.ok()) return text.error();
    const Error wrong =
        damaged("'" + path + "' is no table of sla counters; `sla counters run --format json -o F.json` makes one");
    const json root = json::parse(*text, nullptr, false);
    if (!root.is_array()) return wrong;
    Table out;
    for (const json& row : root) {
        if (!row.is_object()) return wrong;
        const auto is = [&row](const char* name, bool (json::*of_type)() const noexcept) {
            return row.contains(name) && (row[name].*of_type)();
        };
        if (!is("section", &json::is_string) || !is("event", &json::is_string)) return wrong;
        if (!is("min", &json::is_number) || !is("median", &json::is_number) || !is("max", &json::is_number)) continue;
        out[{row["section"].get<std::string>(), row["event"].get<std::string>()}] = {
            row["min"].get<double>(), row["median"].get<double>(), row["max"].get<double>()};
    }
    return out;
}

// Whether that event, or all that a ratio is made of, was to be counted now.
bool is_asked(const std::vector<counters::Event>& chosen, std::string_view name) {
    const auto is_chosen = [&](std::string_view word) {
        return std::any_of(chosen.begin(), chosen.end(), [word](const counters::Event& one) { return one.name() == word; });
    };
    if (is_chosen(name)) return true;
    const auto parts = counters::parts_of_ratio(name);
    return parts && is_chosen(parts->first) && is_chosen(parts->second);
}

// Rows of the earlier table that were to be counted now and are not among the rows of now.
Result<std::vector<Table::const_iterator>> missing_now(const Table& before, const std::vector<counters::Row>& rows,
                                                       const CountersOptions& options) {
    std::set<Table::key_type> there;
    for (const counters::Row& row : rows) there.emplace(row.section, row.event);
    const auto chosen = options.chosen_events();
    if (!chosen.ok()) return chosen.error();
    std::vector<Table::const_iterator> out;
    for (auto one = before.begin(); one != before.end(); ++one) {
        if (there.contains(one->first)) continue;
        if (options.events.empty() || is_asked(*chosen, one->first.second)) out.push_back(one);
    }
    return out;
}

Verdict verdict_between(const Before& before, const counters::Summary& now, const Allowance& allowed) {
    if (now.max <= allowed.bound(before.min)) return Verdict::kPass;
    if (now.min > allowed.bound(before.max)) return Verdict::kFail;
    return Verdict::kCannotTell;
}

}  // namespace

Result<void> check_against(const CountersOptions& options) {
    if (options.against.empty()) return {};
    if (const auto allowed = parse_allowance(options.limit); !allowed.ok()) return allowed.error();
    if (const auto before = read_table(options.against); !before.ok()) return before.error();
    return {};
}

int hold_against_table(const std::vector<counters::Row>& rows, const CountersOptions& options) {
    const auto format = options.output.chosen();
    if (!format.ok()) return complain(format.error());
    const auto allowed = parse_allowance(options.limit);
    if (!allowed.ok()) return complain(allowed.error());
    const auto before = read_table(options.against);
    if (!before.ok()) return complain(before.error());
    const auto missing = missing_now(*before, rows, options);
    if (!missing.ok()) return complain(missing.error());
    formats::SmallTable table({"section", "event", "verdict", "before", "after", "change", "limit"});
    bool kept = missing->empty();
    bool has_counts = false;
    for (const counters::Row& row : rows) {
        const auto found = before->find({row.section, row.event});
        if (found == before->end()) continue;
        const bool is_counted = row.numbers.n > 0;
        const Verdict verdict = is_counted ? verdict_between(found->second, row.numbers, *allowed) : Verdict::kCannotTell;
        kept = kept && verdict == Verdict::kPass;
        has_counts = has_counts || is_counted;
        const double was = found->second.median;
        table.add({row.section, row.event, std::string(analysis::verdict_name(verdict)), was,
                   is_counted ? formats::Field(row.numbers.median) : formats::Field(),
                   is_counted ? formats::Field(row.numbers.median - was) : formats::Field(), options.limit});
    }
    for (const Table::const_iterator one : *missing) {
        table.add({one->first.first, one->first.second, std::string(analysis::verdict_name(Verdict::kCannotTell)),
                   one->second.median, formats::Field(), formats::Field(), options.limit});
    }
    if (!has_counts) return complain(not_found("'" + options.against + "' has none of the events that were counted now"));
    return options.output.write(table, *format, kept ? kDone : kNo);
}

}  // namespace sla::cli
