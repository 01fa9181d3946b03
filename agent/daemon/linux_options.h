// The options of sla-agent that concern the Linux host.
#pragma once

#include "agent/source/linux/linux_source.h"

#include <CLI/CLI.hpp>

namespace sla::daemon {

// Every source of events and whether it can be had, a line each: NAME, STATE, DETAIL and FIX parted by tabs.
void print_sources();

void describe_linux_options(CLI::App& app, source::LinuxOptions& options);

}  // namespace sla::daemon
