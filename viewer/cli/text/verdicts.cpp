#include "viewer/cli/text/verdicts.h"

#include "proto/base/control_characters.h"
#include "proto/time/duration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sla::cli {

using analysis::Finding;
using analysis::Verdict;

namespace {

std::int64_t whole_ps(double ps) {
    return static_cast<std::int64_t>(std::llround(std::clamp(ps, -9e18, 9e18)));
}

std::string number_text(double number) {
    if (number != 0 && std::abs(number) < 1e-3) return fmt::format("{:.2g}", number);
    return number == std::floor(number) && std::abs(number) < 1e15 ? fmt::format("{:.0f}", number)
                                                                   : fmt::format("{:.3f}", number);
}

std::string quantity(const Finding& finding, double number) {
    return finding.is_time ? time::format_duration(whole_ps(number)) : number_text(number);
}

formats::CaseOutcome outcome_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::kPass: return formats::CaseOutcome::kPassed;
        case Verdict::kFail: return formats::CaseOutcome::kFailed;
        case Verdict::kCannotTell: break;
    }
    return formats::CaseOutcome::kError;
}

}  // namespace

std::string figure_text(const Finding& finding) {
    const std::string number = quantity(finding, finding.measured);
    return finding.error > 0 ? number + " ± " + quantity(finding, finding.error) : number;
}

std::string measured_text(const Finding& finding, const store::Session& session) {
    if (!finding.measured_any) return "";
    if (finding.at_tick == 0) return figure_text(finding);
    return fmt::format("{} at {} (tick {})", figure_text(finding),
                       time::format_duration(session.clock().to_ps(finding.at_tick)), finding.at_tick);
}

formats::Field figure_field(const Finding& finding, double number) {
    if (!finding.measured_any) return std::monostate{};
    if (finding.is_time) return formats::Ps{whole_ps(number)};
    return number;
}

std::string unit_of(const Finding& finding) {
    return finding.is_time ? "ns" : finding.limit.starts_with("rate") ? "events/s" : "events";
}

formats::Field tick_field(const Finding& finding) {
    return finding.at_tick != 0 ? formats::Field(finding.at_tick) : formats::Field();
}

formats::Field time_field(const Finding& finding, const store::Session& session) {
    return finding.at_tick != 0 ? formats::Field(formats::Ps{session.clock().to_ps(finding.at_tick)}) : formats::Field();
}

std::string line_of(const Reported& reported) {
    std::string out = fmt::format("{:<11}  {}", analysis::verdict_name(reported.verdict), reported.limit);
    if (!reported.measured.empty()) out += ": " + reported.measured;
    if (!reported.why.empty()) out += "; " + reported.why;
    return out + "\n";
}

formats::JunitCase case_of(const Reported& reported) {
    std::string message = analysis::verdict_name(reported.verdict);
    const char* between = ": ";
    for (const std::string& part : {reported.measured, reported.why}) {
        if (part.empty()) continue;
        message += between + part;
        between = "; ";
    }
    return {reported.limit, reported.channel.empty() ? "all channels" : reported.channel, outcome_of(reported.verdict),
            message};
}

Result<void> check_outputs(const OutputOptions& options, const std::string& junit) {
    if (const auto format = options.chosen(); !format.ok()) return format.error();
    if (!junit.empty() && junit == options.path) return invalid_input("--junit and -o name the same file");
    return {};
}

Result<void> write_verdicts(const std::string& lines, const formats::SmallTable& table, const OutputOptions& options) {
    auto format = options.chosen();
    if (!format.ok()) return format.error();
    if (options.format.empty() && options.path.empty()) format = formats::Format::kText;  // for people first
    auto out = formats::Output::open(options.path);
    if (!out.ok()) return out.error();
    if (*format != formats::Format::kText) return table.write(*format, *out);
    if (auto written = out->write(harmless_lines(lines)); !written.ok()) return written.error();
    return out->finish();
}

Result<void> write_report(const std::string& suite, const std::vector<formats::JunitCase>& cases, const std::string& path) {
    if (path.empty()) return {};
    auto out = formats::Output::open(path);
    if (!out.ok()) return out.error();
    return formats::write_junit(suite, cases, *out);
}

}  // namespace sla::cli
