// sla import: other tools' files as a capture.
#include "viewer/formats/catalog/import.h"

#include "viewer/cli/command.h"
#include "viewer/cli/local_capture.h"
#include "viewer/cli/progress.h"
#include "viewer/formats/output.h"

#include <memory>

namespace sla::cli {

namespace {

struct ImportWords {
    std::string file;
    std::string capture;
    std::string from;
};

int run_import(const ImportWords& words) {
    const auto file = local_input(words.file);
    if (!file.ok()) return complain(file.error());
    if (formats::is_kept_from_outputs(words.capture))
        return complain(invalid_input("-o " + words.capture + " is what is read; name another file"));
    const auto format = words.from.empty() ? formats::detect_format(*file) : formats::parse_import_format(words.from);
    if (!format.ok()) return complain(format.error());
    Progress progress("reading " + display_name(*file));
    const auto report = formats::import_file(*file, *format, words.capture, [&](std::uint64_t done, std::uint64_t all) {
        return progress.goes_on(all == 0 ? -1 : static_cast<double>(done) / static_cast<double>(all));
    });
    if (!report.ok()) return complain(report.error());
    for (const std::string& sentence : report->notes) remark("note: " + sentence);
    remark("imported " + std::to_string(report->events) + " events on " + std::to_string(report->channels) +
           " channels from " + formats::import_format_name(*format) + " into '" + words.capture + "'");
    return report->events > 0 ? kDone : kNo;
}

}  // namespace

void add_import(common::Command& app) {
    common::Command& command = app.add_command("import", "Make a capture of another tool's file");
    auto words = std::make_shared<ImportWords>();
    command
        .add_option(
            "file", words->file,
            "What to read, - for what is piped in: csv, tsv, vcd, Chrome's trace JSON, a sigrok session, a directory "
            "of `sla export --to ctf`, the text of `trace-cmd report`")
        .required()
        .value_name("F");
    command.add_option("-o,--output", words->capture, "The capture; it appears when it is whole")
        .required()
        .value_name("CAPTURE");
    command
        .add_option("--from", words->from, "csv, tsv, vcd, chrome, ctf, sr or trace-cmd; else told by what is in the file")
        .value_name("FORMAT")
        .suggest({"csv", "tsv", "vcd", "chrome", "ctf", "sr", "trace-cmd"});
    command.footer(
        "A csv needs a line of column names: tick or time (seconds; or time_ms, time_us, time_ns, or values with a unit), "
        "channel, and\nany of value, text, kind, source, thread. Without such a line it is time,channel,value.");
    command.action([=] { return run_import(*words); });
}

}  // namespace sla::cli
