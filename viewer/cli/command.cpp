#include "viewer/cli/command.h"

#include "proto/wire/version.h"
#include "viewer/cli/file_commands.h"
#include "viewer/cli/local_capture.h"
#include "viewer/export/output.h"

#include <unistd.h>

#include <cstdio>

namespace sla::cli {

int complain(const Error& error) {
    std::fprintf(stderr, "sla: %s\n", with_display_names(error.message).c_str());
    return exit_code(error);
}

void remark(const std::string& text) {
    std::fprintf(stderr, "sla: %s\n", with_display_names(text).c_str());
}

void OutputOptions::add_to(CLI::App& command) {
    command
        .add_option("--format", format,
                    "csv, tsv, json, jsonl or text; else by the ending of -o, else text on a terminal and csv elsewhere")
        ->type_name("FORMAT");
    command.add_option("-o,--output", path, "Write to this file (it appears when it is whole) instead of standard output")
        ->type_name("FILE");
}

Result<exporting::Format> OutputOptions::chosen() const {
    if (!format.empty()) return exporting::parse_format(format);
    const bool to_terminal = (path.empty() || path == "-") && isatty(STDOUT_FILENO) == 1;
    return exporting::format_for_file(path, to_terminal ? exporting::Format::kText : exporting::Format::kCsv);
}

namespace {

void describe(CLI::App& app, int& code) {
    app.set_version_flag("--version", "sla " + std::string(wire::kProductVersion));
    app.require_subcommand(1);
    app.footer(
        "CAPTURE is a file, ADDRESS is unix:PATH or tcp:HOST:PORT; with neither the agent of this user is asked.\n"
        "`sla COMMAND --help` tells about one command.\n"
        "Exit codes: 0 done, 1 the answer is \"no\" (nothing found), 2 wrong use, 3 the outside world failed.");
    add_record(app, code);
    add_channels(app, code);
    add_table(app, code);
    add_export(app, code);
    add_import(app, code);
    add_stats(app, code);
    add_report(app, code);
    add_find(app, code);
    add_check(app, code);
    add_draw(app, code);
    add_trigger(app, code);
    add_set(app, code);
    add_snapshot(app, code);
    add_mark(app, code);
    add_top(app, code);
    add_doctor(app, code);
    add_completion(app, code);
    add_probes(app, code);
    add_places(app, code);
    add_verify(app, code);
    add_cut(app, code);
    add_merge(app, code);
    add_compare(app, code);
}

// CLI11 says "a subcommand is required" of a word that is none; people want to know which word.
bool is_unknown_command(CLI::App& app, std::string_view word) {
    if (word.empty() || word.starts_with('-')) return false;
    return app.get_subcommands([&](const CLI::App* command) { return command->get_name() == word; }).empty();
}

}  // namespace

int run(int argc, const char* const* argv) {
    CLI::App app("Soft logic analyzer: records what marked programs do, and tells it.", "sla");
    int code = kDone;
    exporting::forget_kept_files();  // of a command before
    try {
        describe(app, code);
        if (argc > 1 && is_unknown_command(app, argv[1])) {
            std::fprintf(stderr, "sla: there is no command '%s'; `sla --help` lists them\n", argv[1]);
            return kWrongUse;
        }
        app.parse(argc, argv);
        return code;
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? kDone : kWrongUse;
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "sla: there is not enough memory for this\n");
        return kOutsideFailed;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "sla: %s\n", error.what());
        return kOutsideFailed;
    }
}

}  // namespace sla::cli
