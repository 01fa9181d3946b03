// The trigger options of `sla-agent`: their words, and files read.
#pragma once

#include "proto/base/result.h"
#include "proto/common/command_line.h"
#include "proto/common/trigger/trigger_words.h"

#include <string>
#include <vector>

namespace sla::daemon {

struct TriggerOptions {
    trigger::TriggerWords words;
    std::vector<std::string> files;

    void describe(common::Command& app);
    // Reads the files, parses everything.
    [[nodiscard]] Result<std::vector<wire::SetTrigger>> requests() const;
};

}  // namespace sla::daemon
