// A program and the private agent that records it. The agent is there first; the program runs from begin() on.
//
// A variable of the program itself can be watched (`--watch SYMBOL`): then it is started before the agent and held at its
// first instruction, since a watchpoint needs the address, and that is known once the program lies in memory.
#pragma once

#include "viewer/cli/commands/record/record.h"
#include "viewer/cli/private_agent.h"

#include <memory>
#include <optional>
#include <string>

namespace sla::cli {

class RecordedProgram {
public:
    // `agent_file`: what the agent records into; empty: nothing.
    static Result<RecordedProgram> prepare(const RecordOptions& options, const std::string& agent_file);

    [[nodiscard]] PrivateAgent& agent() { return *agent_; }
    // Only once it has begun.
    [[nodiscard]] process::Child& program() { return *program_; }
    Result<void> begin();

private:
    RecordedProgram(std::unique_ptr<PrivateAgent> agent, process::ChildOptions how)
        : agent_(std::move(agent)), how_(std::move(how)) {}

    std::unique_ptr<PrivateAgent> agent_;
    process::ChildOptions how_;
    std::optional<process::Child> program_;
};

}  // namespace sla::cli
