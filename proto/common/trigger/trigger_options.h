// The options for triggers of `sla-agent`, `sla record`, `sla trigger set` and `sla fleet trigger`: their words, and files read.
#pragma once

#include "proto/base/result.h"
#include "proto/common/command_line.h"
#include "proto/common/trigger/trigger_words.h"

#include <string>
#include <vector>

namespace sla::trigger {

struct TriggerOptions {
    TriggerWords words;
    std::vector<std::string> files;

    // `as_option`: the expression stands behind --trigger; else the command has its own place for it.
    void describe(common::Command& command, bool as_option);
    // Window, shots and the like were said.
    [[nodiscard]] bool shaped() const;
    // Reads the files, parses everything.
    [[nodiscard]] Result<std::vector<wire::SetTrigger>> requests() const;
};

}  // namespace sla::trigger
