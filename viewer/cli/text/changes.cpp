#include "viewer/cli/text/changes.h"

#include "viewer/cli/text/findings.h"
#include "viewer/cli/text/verdicts.h"

#include <fmt/format.h>

namespace sla::cli {

using analysis::Changed;

namespace {

bool has_both(const Changed& changed) {
    return changed.before.measured_any && changed.after.measured_any;
}

// "net.rx 12.3 µs ± 16 ns at 1.5 ms (tick 2700), was 9.1 µs ± 16 ns: +35.2 %"
std::string difference_text(const Changed& changed, const FindingTexts& texts, const store::Session& after) {
    std::string out = changed.after.channel.empty() ? changed.channel : texts.channel(changed.after);
    const auto add = [&](std::string_view before, const std::string& text) {
        if (text.empty()) return;
        if (!out.empty()) out += before;
        out += text;
    };
    add(" ", measured_text(changed.after, after));
    if (changed.before.measured_any) add(", ", "was " + figure_text(changed.before));
    if (has_both(changed) && changed.before.measured != 0)
        out += fmt::format(": {:+.1f} %", 100 * (changed.after.measured / changed.before.measured - 1));
    return out;
}

Reported reported_of(const Changed& changed, const FindingTexts& texts, const store::Session& after) {
    const std::string channel = changed.after.channel.empty() ? changed.channel : texts.channel(changed.after);
    return {changed.limit, channel, changed.verdict, difference_text(changed, texts, after), changed.why};
}

}  // namespace

Result<void> write_changes(const std::vector<Changed>& all, const store::Session& after, const OutputOptions& options) {
    formats::SmallTable table({"limit", "channel", "verdict", "a", "a_error", "b", "b_error", "unit", "difference", "ratio",
                               "at_tick", "at_ns", "why", "source"});
    const FindingTexts texts(after);
    std::string lines;
    for (const Changed& changed : all) {
        const analysis::Finding& a = changed.before;
        const analysis::Finding& b = changed.after;
        const bool both = has_both(changed);
        table.add({changed.limit, changed.channel, std::string(analysis::verdict_name(changed.verdict)),
                   figure_field(a, a.measured), figure_field(a, a.error), figure_field(b, b.measured),
                   figure_field(b, b.error), unit_of(a.measured_any ? a : b),
                   both ? figure_field(b, b.measured - a.measured) : formats::Field(),
                   both && a.measured != 0 ? formats::Field(b.measured / a.measured) : formats::Field(), tick_field(b),
                   time_field(b, after), changed.why, texts.source(b)});
        lines += line_of(reported_of(changed, texts, after));
    }
    return write_verdicts(lines, table, options);
}

Result<void> report_changes(const std::vector<Changed>& all, const store::Session& after, const std::string& suite,
                            const std::string& path) {
    const FindingTexts texts(after);
    std::vector<formats::JunitCase> cases;
    for (const Changed& changed : all) cases.push_back(case_of(reported_of(changed, texts, after)));
    return write_report(suite, cases, path);
}

}  // namespace sla::cli
