#include "viewer/cli/command.h"

#include "proto/wire/version.h"
#include "viewer/cli/local_capture.h"
#include "viewer/formats/output.h"
#include "viewer/ingest/remote/credentials.h"

#include <unistd.h>

#include <cstdio>

namespace sla::cli {

namespace {

struct Wanted {
    bool quiet = false;
    bool verbose = false;
} wanted;  // by the one command line of this process

}  // namespace

int complain(const Error& error) {
    std::fprintf(stderr, "sla: %s\n", with_display_names(error.message).c_str());
    return exit_code(error);
}

void warn(const std::string& text) {
    std::fprintf(stderr, "sla: %s\n", with_display_names(text).c_str());
}

void remark(const std::string& text) {
    if (!wanted.quiet) warn(text);
}

void mention(const std::string& text) {
    if (wanted.verbose && !wanted.quiet) warn(text);
}

bool is_quiet() {
    return wanted.quiet;
}

int write_text(const std::string& path, std::string_view text) {
    auto out = formats::Output::open(path);
    if (!out.ok()) return complain(out.error());
    const auto finished = out->finish(text);
    return finished.ok() ? kDone : complain(finished.error());
}

void OutputOptions::add_to(common::Command& command) {
    command
        .add_option("--format", format,
                    "csv, tsv, json, jsonl or text; else by the ending of -o, else text on a terminal and csv elsewhere")
        .value_name("FORMAT")
        .suggest({"csv", "tsv", "json", "jsonl", "text"});
    command.add_option("-o,--output", path, "Write to this file (it appears when it is whole) instead of standard output")
        .value_name("FILE");
}

void OutputOptions::add_raw(common::Command& command) {
    command.add_flag("--raw", raw,
                     "All columns and plain nanoseconds as text too; else units, and what fits 120 characters");
}

Result<formats::Format> OutputOptions::chosen() const {
    if (raw && format.empty() && (path.empty() || path == "-")) return formats::Format::kText;
    if (!format.empty()) return formats::parse_format(format);
    const bool to_terminal = (path.empty() || path == "-") && isatty(STDOUT_FILENO) == 1;
    return formats::format_of_name(path, to_terminal ? formats::Format::kText : formats::Format::kCsv);
}

int OutputOptions::write(const formats::SmallTable& table, formats::Format form, int done) const {
    auto out = formats::Output::open(path);
    if (!out.ok()) return complain(out.error());
    const auto written = table.write(form, *out);
    return written.ok() ? done : complain(written.error());
}

namespace {

void describe(common::Command& app) {
    app.version("sla " + std::string(wire::kProductVersion));
    app.footer(
        "CAPTURE is a file; of rotated files FILE.sla without a number, their folder or a 'pattern' in quotes names all as "
        "one; "
        "or fleet:nats://SERVER/FLEET[/HOST[/CAPTURE]]. ADDRESS is unix:PATH, ssh:[USER@]HOST[:PATH], "
        "tls:HOST:PORT[#FINGERPRINT] or "
        "tcp:HOST:PORT; with neither the agent of this user is asked.\n"
        "`sla COMMAND --help` describes one command.\n"
        "Exit codes: 0 done, 1 the answer is \"no\" (nothing found), 2 wrong use, 3 the outside world failed.");
    app.title_commands("Make a capture");
    add_record(app);
    add_snapshot(app);
    add_import(app);
    app.title_commands("Look into a capture");
    add_channels(app);
    add_table(app);
    add_stats(app);
    add_find(app);
    add_sql(app);
    add_places(app);
    add_draw(app);
    add_report(app);
    app.title_commands("Hold it against limits");
    add_check(app);
    add_compare(app);
    app.title_commands("Work on capture files");
    add_export(app);
    add_cut(app);
    add_merge(app);
    add_verify(app);
    app.title_commands("Steer the running agent");
    add_top(app);
    add_set(app);
    add_trigger(app);
    add_mark(app);
    add_fleet(app);
    add_archive(app);
    app.title_commands("This machine, this shell");
    add_counters(app);
    add_doctor(app);
    add_probes(app);
    add_relay(app);
    add_completion(app);
    app.add_flag_everywhere("-q,--quiet", wanted.quiet, "Warnings and errors only: no notes, no progress");
    app.add_option_everywhere(
        "--token-file", ingest::token_file(), "FILE",
        "For tls: addresses, the token in this file (mode 0600); default: SLA_TOKEN or SLA_TOKEN_FILE");
    app.add_flag_everywhere("-v,--verbose", wanted.verbose, "Also say what was read, and how long it took");
}

}  // namespace

int run(int argc, const char* const* argv) {
    wanted = {};
    ingest::token_file().clear();
    formats::forget_kept_files();  // of a command before
    try {
        common::Command app("sla", "Soft logic analyzer: records what marked programs do, and shows it.");
        describe(app);
        return app.run(argc, argv);
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "sla: there is not enough memory for this\n");
        return kOutsideFailed;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "sla: %s\n", error.what());
        return kOutsideFailed;
    }
}

}  // namespace sla::cli
