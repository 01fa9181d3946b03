// sla verify: is a capture file whole, and if not, what is gone.
#include "proto/base/how_many.h"
#include "viewer/capture_tools/capture_check.h"
#include "viewer/cli/command.h"
#include "viewer/cli/local_capture.h"
#include "viewer/cli/text/progress.h"
#include "viewer/formats/table/small_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace sla::cli {

namespace {

formats::SmallTable table_of(const capture_tools::CheckReport& report) {
    formats::SmallTable table({"offset", "bytes", "chunk", "channel", "rows", "from_ns", "to_ns", "events_gone", "what"});
    for (const capture_tools::Finding& finding : report.findings) {
        const auto time = [](const std::optional<std::int64_t>& ps) {
            return ps ? formats::Field(formats::Ps{*ps}) : formats::Field();
        };
        table.add({finding.offset, finding.bytes, finding.chunk ? formats::Field(*finding.chunk) : formats::Field(),
                   finding.channel, finding.rows, time(finding.from_ps), time(finding.until_ps),
                   std::string(finding.harmless ? "no" : "yes"), finding.what});
    }
    return table;
}

// Of one there is a finding for each channel.
std::size_t places_of(const capture_tools::CheckReport& report) {
    std::set<std::uint64_t> offsets;
    for (const capture_tools::Finding& finding : report.findings) offsets.insert(finding.offset);
    return offsets.size();
}

std::string lost_before(const capture_tools::CheckReport& report) {
    std::string text = report.lost_before > 0 ? std::to_string(report.lost_before) : "";
    if (report.uncounted > 0)
        text += fmt::format("{}an unknown number in {}", text.empty() ? "" : " and ", how_many(report.uncounted, "place"));
    return text.empty() ? "" : ", " + text + " lost before they came here";
}

std::string verdict_of(const std::string& path, const capture_tools::CheckReport& report) {
    const std::string held =
        fmt::format("{} on {}, {:.3f} ms{}{}{}", how_many(report.events, "event"), how_many(report.channels, "channel"),
                    static_cast<double>(report.end_ps - report.begin_ps) / 1e9,
                    report.whole() ? ", " + how_many(report.bytes, "byte") : "", lost_before(report),
                    report.not_kept > 0 ? fmt::format(", {} of the time before not kept", report.not_kept) : "");
    if (report.whole()) return fmt::format("{}: whole: {}", path, held);
    const bool harmless = std::all_of(report.findings.begin(), report.findings.end(),
                                      [](const capture_tools::Finding& finding) { return finding.harmless; });
    std::string what;
    if (!report.finished) what = "not finished (what its recorder had flushed is here)";
    if (!report.findings.empty()) {
        what += what.empty() ? "" : "; ";
        what += fmt::format(
            "damaged in {}, {}", how_many(places_of(report), "place"),
            harmless ? "no event is gone"
                     : how_many(report.rows_gone, "row") + (report.rows_gone == 1 ? " is" : " are") + " known to be gone");
    }
    return fmt::format("{}: {}: {} can be read", path, what, held);
}

int run_verify(const std::string& target, const OutputOptions& output) {
    const auto format = output.chosen();
    if (!format.ok()) return complain(format.error());
    const auto file = local_capture(target);
    if (!file.ok()) return complain(file.error());
    const std::string& path = *file;
    capture_tools::CheckReport report;
    {
        Progress progress("checking " + display_name(path));
        const auto checked = capture_tools::check_capture(path, [&](double share) { return progress.goes_on(share); });
        if (!checked.ok()) {
            const int code = complain(with_import_advice(checked.error(), path));
            return checked.error().code == ErrorCode::kDamaged ? kNo : code;
        }
        report = *checked;
    }
    remark(verdict_of(path, report));
    const int code = report.whole() ? kDone : kNo;
    const bool is_written = !report.findings.empty() || !output.format.empty() || !output.path.empty();
    return is_written ? output.write(table_of(report), *format, code) : code;
}

}  // namespace

void add_verify(common::Command& app) {
    common::Command& command = app.add_command("verify", "Tell whether a capture file is whole, and what of it is gone");
    auto path = std::make_shared<std::string>();
    auto output = std::make_shared<OutputOptions>();
    command.add_option("capture", *path, "The capture file, - (what is piped in), or an agent's address")
        .required()
        .value_name("CAPTURE|ADDRESS");
    output->add_to(command);
    command.footer(
        "Every chunk is unpacked, every event decoded, every ordinal accounted for. Exit code 0: whole; 1: damaged or not "
        "finished.\n"
        "One row for each damaged place and channel: offset,bytes,chunk,channel,rows,from_ns,to_ns,events_gone,what");
    command.action([=] { return run_verify(*path, *output); });
}

}  // namespace sla::cli
