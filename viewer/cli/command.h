// What every command of `sla` shares: how it is added, how it ends, how it complains.
#pragma once

#include "proto/base/exit_codes.h"
#include "proto/base/result.h"
#include "proto/common/command_line.h"
#include "viewer/formats/table/format.h"
#include "viewer/formats/table/small_table.h"

#include <string>
#include <string_view>

namespace sla::cli {

using exits::kDone;
using exits::kNo;
using exits::kOutsideFailed;
using exits::kWrongUse;

// Each adds one command.
void add_record(common::Command& app);
void add_snapshot(common::Command& app);
void add_import(common::Command& app);
void add_channels(common::Command& app);
void add_table(common::Command& app);
void add_stats(common::Command& app);
void add_relay(common::Command& app);
void add_find(common::Command& app);
void add_sql(common::Command& app);
void add_places(common::Command& app);
void add_draw(common::Command& app);
void add_report(common::Command& app);
void add_counters(common::Command& app);
void add_check(common::Command& app);
void add_compare(common::Command& app);
void add_export(common::Command& app);
void add_cut(common::Command& app);
void add_merge(common::Command& app);
void add_verify(common::Command& app);
void add_top(common::Command& app);
void add_set(common::Command& app);
void add_trigger(common::Command& app);
void add_fleet(common::Command& app);
void add_archive(common::Command& app);
void add_mark(common::Command& app);
void add_doctor(common::Command& app);
void add_probes(common::Command& app);
void add_completion(common::Command& app);

// The whole program but for main's signal set-up: parses, runs, returns the exit code. For tests too.
int run(int argc, const char* const* argv);

// "sla: MESSAGE" on stderr; gives the error's exit code.
int complain(const Error& error);
// What people have to know though it is no failure, on stderr.
void warn(const std::string& text);
// What helps them on, on stderr; not with -q.
void remark(const std::string& text);
// What was done and how long it took, on stderr; with -v only.
void mention(const std::string& text);
// Neither remarks nor progress are wanted.
bool is_quiet();

// A whole text into this file, or to standard output ("", "-"); the exit code.
int write_text(const std::string& path, std::string_view text);

// --format and -o of a command that writes a table. Nothing said: by the file's ending, else text on a terminal and csv
// elsewhere.
struct OutputOptions {
    std::string format;
    std::string path;
    bool raw = false;

    void add_to(common::Command& command);
    // Of commands whose text form is made for people.
    void add_raw(common::Command& command);
    [[nodiscard]] Result<formats::Format> chosen() const;
    // Whether this form means people: units, few columns.
    [[nodiscard]] bool is_for_people(formats::Format form) const { return form == formats::Format::kText && !raw; }
    // The whole table, in a form that was chosen. The exit code: `done` when nothing fails.
    [[nodiscard]] int write(const formats::SmallTable& table, formats::Format form, int done = kDone) const;
};

}  // namespace sla::cli
