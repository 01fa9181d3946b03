// sla export: a capture in the formats of other tools.
#include "viewer/formats/catalog/export.h"

#include "viewer/cli/command.h"
#include "viewer/cli/input.h"
#include "viewer/cli/text/progress.h"

#include <memory>

namespace sla::cli {

namespace {

struct ExportWords {
    InputOptions input;
    std::string format;
    std::string to;  // a time; a format in the old spelling
    std::string path;
    std::string rate;
};

// "10MHz", "2.5 GHz", "1000".
Result<double> parse_rate(const std::string& text) {
    if (text.empty()) return 0.0;
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    std::string unit(end);
    unit.erase(0, std::min(unit.find_first_not_of(' '), unit.size()));
    const double scale = unit.empty() || unit == "Hz" ? 1
                         : unit == "kHz"              ? 1e3
                         : unit == "MHz"              ? 1e6
                         : unit == "GHz"              ? 1e9
                         : unit == "THz"              ? 1e12
                                                      : 0;
    if (end == text.c_str() || scale == 0 || !(number * scale >= 1 && number * scale <= 1e12))
        return invalid_input("--rate: '" + text + "' is not a sample rate; write it like 10MHz (from 1 Hz to 1 THz)");
    return number * scale;
}

// --to was the format once; it means a time, as everywhere, unless it is a format's name.
Result<ExportWords> with_meaning(ExportWords words) {
    if (words.to.empty()) return words;
    if (formats::parse_export_format(words.to).ok()) {
        if (!words.format.empty())
            return invalid_input("--to " + words.to + " and --format " + words.format + " are two formats");
        remark("--to " + words.to + " is the old spelling of --format " + words.to + " and goes with the next release");
        words.format = words.to;
    } else if (words.input.to.empty()) {
        words.input.to = words.to;
    } else {
        return invalid_input("--to and --until say the same twice");
    }
    return words;
}

int run_export(const ExportWords& typed) {
    const auto meant = with_meaning(typed);
    if (!meant.ok()) return complain(meant.error());
    const ExportWords& words = *meant;
    const auto format =
        words.format.empty() ? formats::export_format_of_name(words.path) : formats::parse_export_format(words.format);
    if (!format.ok()) return complain(format.error());
    const auto rate = parse_rate(words.rate);
    if (!rate.ok()) return complain(rate.error());
    if (!words.rate.empty() && *format != formats::ExportFormat::kSr)
        return complain(invalid_input("--rate is of sr's samples; other formats keep every event's own time"));
    if (const auto good = words.input.check(); !good.ok()) return complain(good.error());
    store::Session session;
    if (const auto loaded = words.input.load(session, words.input.channels, InputOptions::Rows::kRange); !loaded.ok())
        return complain(loaded.error());
    const auto selection = words.input.select(session);
    if (!selection.ok()) return complain(selection.error());
    formats::ExportOptions options{*format, *rate};
    Progress progress("writing " + (words.path == "-" ? std::string("to standard output") : words.path));
    const auto report =
        formats::export_capture(session, *selection, options, words.path,
                                [&](std::uint64_t done, std::uint64_t all) { return progress.rows_go_on(done, all); });
    if (!report.ok()) return complain(report.error());
    for (const std::string& sentence : report->left_out) remark("note: " + sentence);
    if (report->events == 0) remark("no events there in " + words.input.name() + "; `sla channels` lists what it has");
    return kDone;
}

}  // namespace

void add_export(common::Command& app) {
    common::Command& command = app.add_command("export", "Write a capture in the format of another tool");
    auto words = std::make_shared<ExportWords>();
    words->input.add_target(command);
    command
        .add_option("--format", words->format,
                    "csv, tsv, json, jsonl, text (the event table), vcd (GTKWave, Surfer), chrome (trace event JSON), "
                    "perfetto, ctf (a directory; babeltrace2, Trace Compass), sr (sigrok), sla (a capture) or parquet "
                    "(DuckDB, ClickHouse, pandas); else by the ending of -o")
        .value_name("FORMAT")
        .suggest({"csv", "tsv", "json", "jsonl", "text", "vcd", "chrome", "perfetto", "ctf", "sr", "sla", "parquet"});
    command.add_option("-o,--output", words->path, "What to write, `-` for standard output; it appears when it is whole")
        .required()
        .value_name("F");
    words->input.add_channels(command);
    command.add_option("--from", words->input.from, "From this time of the capture on, as in 1.5ms").value_name("TIME");
    command.add_option("--to", words->to, "Up to this time, not included").value_name("TIME");
    command.add_option("--until", words->input.to, "The same").value_name("TIME");
    words->input.add_filter(command);
    command
        .add_option("--rate", words->rate,
                    "Of sr's samples, as in 10MHz; else the highest of 1, 2, 5 times a power of ten that gives at most 16 M "
                    "samples, and 256 MiB of them")
        .value_name("RATE");
    command.footer(
        "Endings of -o: .csv .tsv .json .jsonl .txt .vcd .sr .pftrace (perfetto) .ctf .chrome.json .parquet\n"
        "Has no place for (a note on standard error says it, with numbers):\n"
        "  csv tsv json jsonl text  details behind a text\n"
        "  vcd                      threads, details, causes of losses; losses are x and a count\n"
        "  chrome, ctf              shots; ctf keeps raw ticks and discarded events too\n"
        "  perfetto                 fractions of a nanosecond, ticks, details\n"
        "  sr                       all but one bit a channel at the rate of --rate\n"
        "  sla                      the agent's own counts of each channel and its triggers\n"
        "  parquet                  readings of the clock (one line stands for them), shots, notes\n"
        "Which source has a clock of its own, had not ended yet, and what marking cost there (overhead_ns of sla stats), "
        "comes "
        "back from sla, vcd, chrome, ctf, perfetto and parquet; what it cost on channels that are stamped in another way "
        "than "
        "their source from sla alone.");
    command.action([=] { return run_export(*words); });
}

}  // namespace sla::cli
