#include "viewer/cli/command.h"

#include "proto/base/control_characters.h"
#include "proto/wire/version.h"
#include "viewer/cli/local_capture.h"
#include "viewer/formats/output.h"
#include "viewer/ingest/remote/credentials.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <vector>

namespace sla::cli {

namespace {

struct Wanted {
    bool quiet = false;
    bool verbose = false;
} wanted;  // by the one command line of this process

}  // namespace

int complain(const Error& error) {
    std::fprintf(stderr, "sla: %s\n", harmless_lines(with_display_names(error.message)).c_str());
    return exit_code(error);
}

void warn(const std::string& text) {
    std::fprintf(stderr, "sla: %s\n", harmless_lines(with_display_names(text)).c_str());
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

struct CommandEntry {
    std::string_view name;
    void (*add)(common::Command& app);
};

struct Chapter {
    const char* title;
    std::vector<CommandEntry> commands;
};

// In the order of the help.
const std::vector<Chapter>& chapters() {
    static const std::vector<Chapter> all = {
        {"Make a capture", {{"record", add_record}, {"snapshot", add_snapshot}, {"import", add_import}}},
        {"Look into a capture",
         {{"channels", add_channels},
          {"table", add_table},
          {"stats", add_stats},
          {"find", add_find},
          {"sql", add_sql},
          {"places", add_places},
          {"draw", add_draw},
          {"report", add_report}}},
        {"Hold it against limits", {{"check", add_check}, {"compare", add_compare}}},
        {"Work on capture files", {{"export", add_export}, {"cut", add_cut}, {"merge", add_merge}, {"verify", add_verify}}},
        {"Steer the running agent",
         {{"top", add_top},
          {"set", add_set},
          {"trigger", add_trigger},
          {"mark", add_mark},
          {"fleet", add_fleet},
          {"archive", add_archive}}},
        {"This machine, this shell",
         {{"counters", add_counters}, {"doctor", add_doctor}, {"probes", add_probes}, {"relay", add_relay}}}};
    return all;
}

bool is_a_command(std::string_view word) {
    return std::any_of(chapters().begin(), chapters().end(), [&](const Chapter& chapter) {
        return std::any_of(chapter.commands.begin(), chapter.commands.end(),
                           [&](const CommandEntry& entry) { return entry.name == word; });
    });
}

// All of them, but where the first word is a command, that one alone: what the others understand takes a fifth of the time
// in which it starts.
void describe(common::Command& app, std::string_view first) {
    const bool is_alone = is_a_command(first);
    app.version("sla " + std::string(wire::kProductVersion));
    app.footer(
        "CAPTURE is a file; of rotated files FILE.sla without a number, their folder or a 'pattern' in quotes names all as "
        "one; "
        "or fleet:nats://SERVER/FLEET[/HOST[/CAPTURE]]. ADDRESS is unix:PATH, ssh:[USER@]HOST[:PATH], "
        "tls:HOST:PORT[#FINGERPRINT] or "
        "tcp:HOST:PORT; with neither the agent of this user is asked.\n"
        "`sla COMMAND --help` describes one command.\n"
        "Exit codes: 0 done, 1 the answer is \"no\" (nothing found), 2 wrong use, 3 the outside world failed.");
    for (const Chapter& chapter : chapters()) {
        app.title_commands(chapter.title);
        for (const CommandEntry& entry : chapter.commands) {
            if (!is_alone || entry.name == first) entry.add(app);
        }
    }
    if (!is_alone) add_completion(app);  // which names all of them
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
        describe(app, argc > 1 ? argv[1] : "");
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
