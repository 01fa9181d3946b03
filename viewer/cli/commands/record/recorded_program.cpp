#include "viewer/cli/commands/record/recorded_program.h"

#include "viewer/process/programs.h"

#include <algorithm>
#include <filesystem>

namespace sla::cli {

namespace {

// "counter:rw" and "ns::counter" name no process, "42:counter" does.
bool names_a_process(const std::string& watch) {
    const std::size_t end = watch.find_first_not_of("0123456789");
    return end != std::string::npos && end > 0 && watch[end] == ':';
}

}  // namespace

Result<void> check_watches(const RecordOptions& options) {
    for (const std::string& watch : options.watches) {
        if (options.program.empty() && !names_a_process(watch))
            return invalid_input("--watch " + watch +
                                 ": names no process: PID:SYMBOL, or write the PROGRAM that has it behind --");
    }
    return {};
}

Result<RecordedProgram> RecordedProgram::prepare(const RecordOptions& options, const std::string& agent_file) {
    if (!process::program_exists(options.program[0])) {  // before a file is replaced
        std::error_code ignored;
        const bool there = std::filesystem::exists(options.program[0], ignored);
        return unavailable("cannot start '" + options.program[0] +
                           (there ? "': it may not be executed" : "': there is no such program"));
    }
    auto agent = PrivateAgent::prepare();
    if (!agent.ok()) return agent.error();
    process::ChildOptions how;
    how.argv = options.program;
    how.environment = {{"SLA_RUNTIME_DIR", (*agent)->runtime_dir()}};
    if (options.ring_slots != 0) how.environment.emplace_back("SLA_RING_SLOTS", std::to_string(options.ring_slots));
    how.with_all_below = true;
    how.held = !std::all_of(options.watches.begin(), options.watches.end(), names_a_process);
    RecordedProgram recorded(std::move(*agent), std::move(how));
    RecordOptions known = options;
    if (recorded.how_.held) {
        auto held = process::Child::start(recorded.how_);
        if (!held.ok()) return held.error();
        recorded.program_.emplace(std::move(*held));
        for (std::string& watch : known.watches) {
            if (!names_a_process(watch)) watch.insert(0, std::to_string(recorded.program_->pid()) + ":");
        }
    }
    if (auto launched = recorded.agent_->launch(agent_file, agent_options(known)); !launched.ok()) return launched.error();
    return recorded;
}

Result<void> RecordedProgram::begin() {
    if (program_) return program_->release();
    auto started = process::Child::start(how_);
    if (!started.ok()) return started.error();
    program_.emplace(std::move(*started));
    return {};
}

}  // namespace sla::cli
