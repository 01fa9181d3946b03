// sla import: other tools' files as a capture.
#include "viewer/formats/catalog/import.h"

#include "proto/base/how_many.h"
#include "viewer/cli/command.h"
#include "viewer/cli/local_capture.h"
#include "viewer/cli/text/progress.h"
#include "viewer/formats/endings.h"
#include "viewer/formats/output.h"

#include <memory>

namespace sla::cli {

namespace {

struct ImportWords {
    std::string file;
    std::string capture;
    std::string format;
    std::string from;  // the same in the old spelling
};

int run_import(const ImportWords& words) {
    if (const auto good = formats::check_capture_name(words.capture); !good.ok()) return complain(good.error());
    if (!words.from.empty())
        remark("--from " + words.from + " is the old spelling of --format " + words.from +
               " and goes with the next release");
    const std::string& named = words.format.empty() ? words.from : words.format;
    const auto file = local_input(words.file);
    if (!file.ok()) return complain(file.error());
    if (formats::is_kept_from_outputs(words.capture))
        return complain(invalid_input("-o " + words.capture + " is what is read; name another file"));
    const auto format = named.empty() ? formats::detect_format(*file) : formats::parse_import_format(named);
    if (!format.ok()) return complain(format.error());
    Progress progress("reading " + display_name(*file));
    const auto report = formats::import_file(*file, *format, words.capture, [&](std::uint64_t done, std::uint64_t all) {
        return progress.goes_on(all == 0 ? -1 : static_cast<double>(done) / static_cast<double>(all));
    });
    if (!report.ok()) return complain(report.error());
    for (const std::string& sentence : report->notes) remark("note: " + sentence);
    remark("imported " + how_many(report->events, "event") + " on " + how_many(report->channels, "channel") + " from " +
           formats::import_format_name(*format) + " into '" + words.capture + "'");
    return report->events > 0 ? kDone : kNo;
}

}  // namespace

void add_import(common::Command& app) {
    common::Command& command = app.add_command("import", "Make a capture of another tool's file");
    auto words = std::make_shared<ImportWords>();
    command
        .add_option("file", words->file,
                    "What to read, - for what is piped in: csv, tsv, json or jsonl of a table, vcd, Chrome's trace JSON, "
                    "Perfetto's protobuf, Parquet, a sigrok session, a directory of `sla export --format ctf`, a trace.dat "
                    "(which the "
                    "program trace-cmd reads), the text of `trace-cmd report` or `perf script`")
        .required()
        .value_name("F");
    command.add_option("-o,--output", words->capture, "The capture; it appears when it is whole")
        .required()
        .value_name("CAPTURE");
    command
        .add_option(
            "--format", words->format,
            "csv, tsv, json, jsonl, vcd, chrome, perfetto, ctf, sr, parquet, trace-cmd, trace-dat or perf-script; else "
            "told by what is in the file")
        .value_name("FORMAT")
        .suggest({"csv", "tsv", "json", "jsonl", "vcd", "chrome", "perfetto", "ctf", "sr", "parquet", "trace-cmd",
                  "trace-dat", "perf-script"});
    command.add_option("--from", words->from, "The old spelling of --format").group("");
    command.footer(
        "A csv needs a line of column names: tick or time (seconds; or time_ms, time_us, time_ns, or values with a unit), "
        "channel, and\nany of value, text, kind, source, thread. Without such a line it is time,channel,value.\n"
        "A json or jsonl has an object an event, with members called so. A first time far from 0, as one since 1970, is where "
        "times\n"
        "count from. Of tables and Chrome's traces all times lie within three days of the first.");
    command.action([=] { return run_import(*words); });
}

}  // namespace sla::cli
