// sla probes: what of a program can be hooked without rebuilding it.
#include "viewer/cli/child.h"
#include "viewer/cli/command.h"
#include "viewer/cli/programs.h"

namespace sla::cli {

namespace {

// The agent knows how to read programs; its table is ours.
int run_probes(const std::string& program) {
    ChildOptions options;
    options.argv = {sister_program("sla-agent"), "--probes", program};
    auto child = Child::start(options);
    if (!child.ok()) return complain(child.error());
    std::optional<Ending> ending;
    while (!(ending = child->wait(std::chrono::seconds(1)))) {
    }
    return ending->signal == 0 ? ending->code : kOutsideFailed;
}

}  // namespace

void add_probes(CLI::App& app, int& code) {
    CLI::App* command = app.add_subcommand("probes", "List the functions and USDT probes of a program that can be hooked");
    auto program = std::make_shared<std::string>();
    command->add_option("program", *program, "Path of the program or library")->required()->type_name("PROGRAM");
    command->footer(
        "One line each, parted by tabs: kind, name, offset in the file, arguments (of USDT probes), and what stopping there "
        "costs each time.\n"
        "Hook one with: sla record --uprobe PROGRAM:NAME -- PROGRAM ...");
    command->callback([=, &code] { code = run_probes(*program); });
}

}  // namespace sla::cli
