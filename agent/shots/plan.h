// What a SetTrigger asks for, checked and in the agent's own words.
#pragma once

#include "proto/base/result.h"
#include "proto/common/trigger/ast.h"
#include "proto/wire/capture.pb.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::shots {

// What a shot makes the agent do beside notifying its readers.
struct Actions {
    bool stop = false;
    bool notify = false;
    bool stop_guest = false;                         // emulated PCs stand still, as soon as the agent knows of the hit
    bool fleet = false;                              // every other host of the fleet keeps the same window, at the hit
    std::vector<std::string> snapshots;              // files, without number
    std::vector<std::vector<std::string>> commands;  // program and arguments
    std::uint32_t keep = 0;                          // snapshots kept; 0: all

    [[nodiscard]] bool reach_outside() const { return !snapshots.empty() || !commands.empty(); }
};

struct Plan {
    std::string name;
    std::string text;  // the expression, or "levels: NAME, NAME"
    trigger::Trigger tree;
    std::int64_t pre_ps = 0;
    std::int64_t post_ps = 0;
    std::int64_t hold_off_ps = 0;
    std::uint64_t shots = 0;  // 0: no end
    Actions actions;
    wire::SetTrigger asked;  // as it came, with the name that was given to it
};

// `local`: from the agent's own command line or the Unix socket; others may not make the agent write files or run programs.
Result<Plan> plan_of(const wire::SetTrigger& request, bool local);

// By which a trigger goes that is asked for by that name: short, and on one line.
std::string name_of(const std::string& asked);

// Parted at blanks; "double quotes" keep a word together.
std::vector<std::string> words_of(const std::string& command);

}  // namespace sla::shots
