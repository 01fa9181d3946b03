// sla probes: what of a program can be hooked without rebuilding it.
#include "viewer/cli/command.h"
#include "viewer/cli/text/agent_lines.h"
#include "viewer/formats/table/small_table.h"

#include <cstdio>
#include <memory>

namespace sla::cli {

namespace {

constexpr std::chrono::seconds kLongest{120};  // for programs of many million symbols

// The agent knows how to read programs; the first of its lines is the columns' names.
int run_probes(const std::string& program, const OutputOptions& output) {
    auto format = output.chosen();
    if (!format.ok()) return complain(format.error());
    if (output.format.empty() && output.path.empty()) format = formats::Format::kTsv;  // for cut and grep first
    const auto lines = ask_agent({"--probes", program}, kLongest);
    if (!lines.ok()) return complain(lines.error());
    if (lines->code != 0 || lines->rows.empty()) {
        std::fputs(lines->said.c_str(), stderr);
        return lines->code != 0 ? lines->code : kOutsideFailed;
    }
    formats::SmallTable table(lines->rows.front());
    for (std::size_t i = 1; i < lines->rows.size(); ++i) {
        std::vector<formats::Field> row(lines->rows[i].begin(), lines->rows[i].end());
        row.resize(lines->rows.front().size());
        table.add(std::move(row));
    }
    const int code = output.write(table, *format);
    if (code != kDone || table.size() > 0) return code;
    remark(program + " has no functions by name and no USDT probes; a place in it can be hooked: --uprobe " + program +
           ":0xOFFSET");
    return kNo;
}

}  // namespace

void add_probes(common::Command& app) {
    common::Command& command =
        app.add_command("probes", "List the functions and USDT probes of a program that can be hooked");
    auto program = std::make_shared<std::string>();
    auto output = std::make_shared<OutputOptions>();
    command.add_option("program", *program, "Path of the program or library").required().value_name("PROGRAM");
    output->add_to(command);
    command.footer(
        "A row each: kind, name, offset in the file, arguments (of USDT probes), and what stopping there costs each time; "
        "parted by tabs when\n"
        "no format is asked for. Hook one with: sla record --uprobe PROGRAM:NAME -- PROGRAM ...\n"
        "Exit codes: 1 nothing of it can be hooked by name, or it is not there, 2 it is no program.");
    command.action([=] { return run_probes(*program, *output); });
}

}  // namespace sla::cli
