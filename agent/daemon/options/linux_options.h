// The options of sla-agent that concern the Linux host.
#pragma once

#include "agent/linux/linux_options.h"
#include "proto/base/result.h"

#include "proto/common/command_line.h"

#include <string>

namespace sla::daemon {

// Every source of events and whether it can be had, a line each: NAME, STATE, DETAIL and FIX parted by tabs.
void print_sources();
// What of a program can be hooked, a line each: KIND, NAME, OFFSET, ARGUMENTS and COST parted by tabs.
Result<void> print_probes(const std::string& path);

void describe_linux_options(common::Command& app, linux::LinuxOptions& options);

}  // namespace sla::daemon
