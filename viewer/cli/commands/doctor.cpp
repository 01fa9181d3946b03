// sla doctor: what works here, what does not, and what to do.
#include "viewer/cli/command.h"
#include "viewer/cli/input.h"
#include "viewer/cli/text/host_checks.h"
#include "viewer/formats/table/small_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace sla::cli {

namespace {

formats::SmallTable table_of(const std::vector<Check>& checks) {
    formats::SmallTable table({"check", "state", "detail", "fix"});
    for (const Check& check : checks) {
        table.add({check.name, std::string(check_state_name(check.state)), check.detail, check.fix});
    }
    return table;
}

// For people: the fix stands below what it mends, so that lines stay short.
std::string lines_of(const std::vector<Check>& checks) {
    std::string out;
    for (const Check& check : checks) {
        out += fmt::format("{:<13}  {:<23}  {}\n", check_state_name(check.state), check.name, check.detail);
        if (!check.fix.empty()) out += fmt::format("{:>38}  {}\n", "fix:", check.fix);
    }
    return out;
}

int run_doctor(const std::string& typed, const OutputOptions& output) {
    const auto address = agent_address(typed);
    if (!address.ok()) return complain(address.error());
    auto format = output.chosen();
    if (!format.ok()) return complain(format.error());
    if (output.format.empty() && output.path.empty()) format = formats::Format::kText;  // for people first
    auto out = formats::Output::open(output.path);
    if (!out.ok()) return complain(out.error());
    const auto checks = check_host(*address);
    formats::ByteBuffer bytes;
    if (*format == formats::Format::kText) {
        bytes.put(lines_of(checks));
    } else {
        table_of(checks).append_to(bytes, *format);
    }
    if (const auto written = out->write(bytes.view()); !written.ok()) return complain(written.error());
    if (const auto finished = out->finish(); !finished.ok()) return complain(finished.error());
    const bool sick = std::any_of(checks.begin(), checks.end(), [](const Check& check) {
        return check.essential && check.state != CheckState::kAvailable;
    });
    return sick ? kNo : kDone;
}

}  // namespace

void add_doctor(common::Command& app) {
    common::Command& command = app.add_command("doctor", "Check this machine: what is available, what is not, and the fix");
    auto address = std::make_shared<std::string>();
    auto output = std::make_shared<OutputOptions>();
    add_agent(command, *address, "address");
    output->add_to(command);
    command.footer(
        "The counter, shared memory and the runtime directory are needed for anything; with one of them missing the exit "
        "code is 1. The rest\n"
        "are sources of events other than marked programs: each is available, or not permitted, or not present, with the "
        "fix.");
    command.action([=] { return run_doctor(*address, *output); });
}

}  // namespace sla::cli
