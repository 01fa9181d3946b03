// What every command of `sla` shares: how it is added, how it ends, how it complains.
#pragma once

#include "proto/base/result.h"
#include "viewer/export/format.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

namespace sla::cli {

// The contract's exit codes.
inline constexpr int kDone = 0;
inline constexpr int kNo = 1;
inline constexpr int kWrongUse = 2;
inline constexpr int kOutsideFailed = 3;

// Each adds one subcommand; running it stores its exit code.
void add_channels(CLI::App& app, int& code);
void add_table(CLI::App& app, int& code);
void add_export(CLI::App& app, int& code);
void add_import(CLI::App& app, int& code);
void add_report(CLI::App& app, int& code);
void add_stats(CLI::App& app, int& code);
void add_check(CLI::App& app, int& code);
void add_draw(CLI::App& app, int& code);
void add_record(CLI::App& app, int& code);
void add_find(CLI::App& app, int& code);
void add_trigger(CLI::App& app, int& code);
void add_set(CLI::App& app, int& code);
void add_snapshot(CLI::App& app, int& code);
void add_mark(CLI::App& app, int& code);
void add_top(CLI::App& app, int& code);
void add_doctor(CLI::App& app, int& code);
void add_completion(CLI::App& app, int& code);
void add_probes(CLI::App& app, int& code);
void add_places(CLI::App& app, int& code);

// The whole program but for main's signal set-up: parses, runs, returns the exit code. For tests too.
int run(int argc, const char* const* argv);

// "sla: MESSAGE" on stderr; gives the error's exit code.
int complain(const Error& error);
// A remark on stderr.
void remark(const std::string& text);

// --format and -o of a command that writes a table. Nothing said: by the file's ending, else text on a terminal and csv
// elsewhere.
struct OutputOptions {
    std::string format;
    std::string path;

    void add_to(CLI::App& command);
    [[nodiscard]] Result<exporting::Format> chosen() const;
};

}  // namespace sla::cli
