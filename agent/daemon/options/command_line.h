// The agent's command line: what may be typed, and what it means together with the configuration file. The command line
// wins.
#pragma once

#include "agent/daemon/options/access_commands.h"
#include "agent/daemon/options/options.h"
#include "agent/daemon/options/publish_options.h"
#include "proto/base/result.h"
#include "proto/common/command_line.h"
#include "proto/common/trigger/trigger_options.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sla::daemon {

struct CommandLine {
    std::vector<std::string> listen;
    bool insecure = false;
    AccessCommands access;
    std::string metrics;
    std::string record;
    std::string rotate;
    std::optional<std::uint32_t> keep_files;
    PublishOptions publish;
    std::string channel_memory;
    std::string memory;
    std::string shot_memory;
    std::string keep;
    std::vector<std::string> channels;
    std::string config;
    linux::LinuxOptions host;
    std::string as_user;  // to become after the trace has been opened; empty: nobody else
    bool sources = false;
    std::string probes;
    bool no_config = false;
    bool quiet = false;
    trigger::TriggerOptions triggers;
};

// Adds every option to the application; the words land in `line` when it parses.
void describe(common::Command& app, CommandLine& line);

// Reads the configuration file too, when there is one.
Result<Options> options_of(const CommandLine& line);

}  // namespace sla::daemon
