// `sla counters log`: its command and what it was asked for.
#pragma once

#include "viewer/cli/counters/counters.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sla::cli {

struct LogOptions {
    CountersOptions counted;  // events, privilege, output, program
    std::string every = "1s";
    std::optional<std::uint32_t> pid;
    bool lanes = false;
    std::string address;  // of the agent that has them
};

void add_counters_log(common::Command& above);
int log_counters(const LogOptions& options);

}  // namespace sla::cli
