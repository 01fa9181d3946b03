#include "viewer/cli/command.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/private_agent.h"
#include "viewer/cli/programs.h"
#include "viewer/cli/record.h"

#include <csignal>

namespace sla::cli {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

}  // namespace

Ending run_to_end(Child& program, PrivateAgent& agent, const RecordOptions& options,
                  const std::function<void()>& meanwhile) {
    constexpr auto kPatience = seconds(5);  // between asking a program to end and ending it
    const auto time_over =
        options.for_ps ? Clock::now() + std::chrono::microseconds(*options.for_ps / 1'000'000) : Clock::time_point::max();
    auto kill_at = Clock::time_point::max();
    int passed_on = 0;
    bool agent_told = false;
    for (;;) {
        if (const auto ending = program.wait(milliseconds(100))) return *ending;
        const auto now = Clock::now();
        if (meanwhile) meanwhile();
        if (interrupted() != 0 && passed_on == 0) {
            passed_on = interrupted();
            if (interrupted_alone()) program.signal(passed_on);  // else the terminal has sent it to the program too
            kill_at = now + kPatience;
        }
        if (now >= time_over && passed_on == 0) {
            passed_on = SIGTERM;
            program.signal(SIGTERM);
            kill_at = now + kPatience;
        }
        if (now >= kill_at) program.signal(SIGKILL);
        if (!agent_told && agent.has_died()) {
            agent_told = true;
            remark("the agent died; the program runs on, but nothing more is recorded");
        }
    }
}

int record_program(const RecordOptions& options) {
    if (!program_exists(options.program[0])) {  // before a file is replaced
        return complain(unavailable("cannot start '" + options.program[0] + "': there is no such program"));
    }
    std::vector<std::string> more;
    if (options.rotation.rotates()) {
        more = {"--rotate", options.rotate, "--keep-files", std::to_string(options.rotation.keep_files)};
    }
    auto agent = PrivateAgent::start(options.file, more);
    if (!agent.ok()) return complain(agent.error());
    ChildOptions child;
    child.argv = options.program;
    child.environment = {{"SLA_RUNTIME_DIR", (*agent)->runtime_dir()}};
    if (options.ring_slots != 0) child.environment.emplace_back("SLA_RING_SLOTS", std::to_string(options.ring_slots));
    auto program = Child::start(child);
    if (!program.ok()) {
        complain(program.error());
        if (const auto finished = (*agent)->finish(); !finished.ok()) complain(finished.error());
        return kOutsideFailed;
    }
    const Ending ending = run_to_end(*program, **agent, options, {});
    if (ending.code != 0) remark(options.program[0] + " " + ending.text());
    const auto finished = (*agent)->finish();
    if (!finished.ok()) complain(finished.error());
    tell_recorded(options);
    return finished.ok() ? kDone : kOutsideFailed;
}

}  // namespace sla::cli
