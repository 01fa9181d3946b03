// What sla check and sla compare have in common: how verdicts are reported, to people, as a table, to CI servers.
#pragma once

#include "viewer/analysis/limits/verdict.h"
#include "viewer/cli/command.h"
#include "viewer/formats/table/junit.h"
#include "viewer/formats/table/small_table.h"

#include <string>
#include <vector>

namespace sla::cli {

// "12.3 µs ± 16 ns", with the finding's unit.
std::string figure_text(const analysis::Finding& finding);
// The same with the place of the worst: "12.3 µs ± 16 ns at 1.5 ms (tick 2700)"; "" when nothing was measured.
std::string measured_text(const analysis::Finding& finding, const store::Session& session);
// A number of the finding's as a field; empty when nothing was measured.
formats::Field figure_field(const analysis::Finding& finding, double number);
// "ns", "events", "events/s".
std::string unit_of(const analysis::Finding& finding);
formats::Field tick_field(const analysis::Finding& finding);
formats::Field time_field(const analysis::Finding& finding, const store::Session& session);

// One verdict, as it is reported.
struct Reported {
    std::string limit;
    std::string channel;  // "": all of them
    analysis::Verdict verdict;
    std::string measured;  // in words; "": nothing was
    std::string why;
};
// "fail         LIMIT: MEASURED; WHY" and the line's end.
std::string line_of(const Reported& reported);
formats::JunitCase case_of(const Reported& reported);

// The lines, when people are to read them; else the table.
// Before anything is read: a format that is known, two files.
Result<void> check_outputs(const OutputOptions& options, const std::string& junit);
Result<void> write_verdicts(const std::string& lines, const formats::SmallTable& table, const OutputOptions& options);
// JUnit XML; nothing when the path is "".
Result<void> write_report(const std::string& suite, const std::vector<formats::JunitCase>& cases, const std::string& path);

}  // namespace sla::cli
