// What the agent knows of this machine and its programs, as lines whose words are parted by tabs.
#pragma once

#include "proto/base/result.h"

#include <chrono>
#include <string>
#include <vector>

namespace sla::cli {

struct AgentLines {
    std::vector<std::vector<std::string>> rows;
    int code = 0;      // the agent's exit code
    std::string said;  // all of it as it came; what to show when the code is not 0
};

// Runs `sla-agent` with these words and waits for its end, at most so long: then it is stopped, which is an error.
Result<AgentLines> ask_agent(const std::vector<std::string>& words, std::chrono::seconds longest);

}  // namespace sla::cli
