#include "proto/capture/pieces/capture_series.h"
#include "viewer/capture_tools/capture_facts.h"
#include "viewer/cli/command.h"
#include "viewer/cli/commands/record/record.h"
#include "viewer/cli/commands/record/recorded_program.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/private_agent.h"
#include "viewer/cli/text/progress.h"

#include <fmt/format.h>

#include <unistd.h>

#include <csignal>
#include <string>
#include <thread>
#include <vector>

namespace sla::cli {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

// Nothing is run: the machine itself is recorded, until the time is over or somebody stops it.
void wait_for_end(PrivateAgent& agent, const RecordOptions& options) {
    Progress progress("recording (Ctrl-C ends it)");
    const auto time_over = options.end();
    while (interrupted() == 0 && Clock::now() < time_over && !agent.has_died()) {
        progress.show(-1);
        std::this_thread::sleep_for(milliseconds(20));
    }
}

// Whoever the program left behind in the background goes on without an agent.
void warn_of_going_on(const RecordOptions& options) {
    const std::vector<std::string> files = options.recorded_files();
    const auto facts =
        files.empty() ? Result<capture_tools::CaptureFacts>(not_found("")) : capture_tools::facts_of(files.back());
    if (!facts.ok()) return;
    std::vector<std::string> names;
    for (const capture_tools::MarkedProgram& program : facts->going_on) {
        const auto pid = static_cast<pid_t>(program.pid);
        if (pid > 0 && kill(pid, 0) == 0) names.push_back(fmt::format("{} ({})", program.name, pid));
    }
    if (names.empty()) return;
    warn(fmt::format("{} had started what still runs and marks: {}; from now on it is not recorded", options.program[0],
                     fmt::join(names, ", ")));
}

// Ends the agent, so that the file is whole; reports what it warned of.
int finish(PrivateAgent& agent, const RecordOptions& options) {
    const auto finished = agent.finish();
    bool left_out = false;
    bool turned_away = false;
    for (const std::string& warning : agent.warnings()) {
        warn(warning);
        left_out |= warning.starts_with("kernel events are left out");
        turned_away |= warning.find(" was turned away") != std::string::npos;
    }
    if (!finished.ok()) complain(finished.error());
    if (left_out && options.program.empty()) return kOutsideFailed;  // there was nothing else to record
    const char* why_empty = !finished.ok() ? "what was marked went with the agent"
                            : turned_away  ? "nothing could be taken of what was marked"
                            : left_out     ? "nothing was marked, and what was asked of the kernel is left out"
                                           : nullptr;
    const std::uint64_t events = report_recorded(options, why_empty);
    if (finished.ok() && !options.program.empty()) warn_of_going_on(options);
    return finished.ok() && (events > 0 || !(left_out || turned_away)) ? kDone : kOutsideFailed;
}

}  // namespace

ProgramEnd run_to_end(process::Child& program, PrivateAgent& agent, const RecordOptions& options,
                      const std::function<void()>& meanwhile) {
    constexpr auto kTimeout = seconds(5);  // between asking a program to end and ending it
    const auto time_over = options.end();
    auto kill_at = Clock::time_point::max();
    int passed_on = 0;
    bool by_time = false;
    bool agent_reported = false;
    for (;;) {
        if (const auto ending = program.wait(milliseconds(100))) return {*ending, by_time};
        const auto now = Clock::now();
        if (meanwhile) meanwhile();
        if (interrupted() != 0 && passed_on == 0) {
            passed_on = interrupted();
            if (interrupted_alone()) program.signal(passed_on);  // else the terminal has sent it to the program too
            kill_at = now + kTimeout;
        }
        if (now >= time_over && passed_on == 0) {
            by_time = true;
            passed_on = SIGTERM;
            program.signal(SIGTERM);
            kill_at = now + kTimeout;
        }
        if (now >= kill_at) program.signal(SIGKILL);
        if (!agent_reported && agent.has_died()) {
            agent_reported = true;
            warn("the agent died; the program runs on, but nothing more is recorded");
        }
    }
}

int code_of(const ProgramEnd& end, const RecordOptions& options, int recorded) {
    if (end.ending.code == 0) return recorded;
    warn(options.program[0] + " " + end.ending.text());
    return end.by_time && end.ending.signal != 0 ? recorded : end.ending.code;
}

std::vector<std::string> agent_options(const RecordOptions& options) {
    std::vector<std::string> words;
    if (!options.linux_events.empty()) words = {"--linux", options.linux_events};
    for (const std::string& hook : options.uprobes) words.insert(words.end(), {"--uprobe", hook});
    for (const std::string& watch : options.watches) words.insert(words.end(), {"--watch", watch});
    for (const std::string& sample : options.samples) words.insert(words.end(), {"--sample", sample});
    for (const std::uint32_t pid : options.pids) words.insert(words.end(), {"--pid", std::to_string(pid)});
    if (options.follow) words.insert(words.end(), {"--pid", std::to_string(getpid())});  // the program will be our child
    if (options.rotation.rotates()) {
        const std::string files = std::to_string(options.rotation.keep_files);
        words.insert(words.end(), {"--rotate", options.rotate, "--keep-files", files});
    }
    if (!options.linux_buffer.empty()) words.insert(words.end(), {"--linux-buffer", options.linux_buffer});
    return words;
}

int record_program(const RecordOptions& options) {
    if (options.program.empty()) {
        auto agent = PrivateAgent::start(options.file, agent_options(options));
        if (!agent.ok()) return complain(agent.error());
        wait_for_end(**agent, options);
        return finish(**agent, options);
    }
    auto recorded = RecordedProgram::prepare(options, options.file);
    if (!recorded.ok()) return complain(recorded.error());
    PrivateAgent& agent = recorded->agent();
    if (const auto begun = recorded->begin(); !begun.ok()) {
        complain(begun.error());
        if (const auto finished = agent.finish(); !finished.ok()) complain(finished.error());
        return kOutsideFailed;
    }
    const ProgramEnd end = run_to_end(recorded->program(), agent, options, {});
    return code_of(end, options, finish(agent, options));
}

}  // namespace sla::cli
