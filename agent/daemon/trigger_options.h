// The trigger options of `sla-agent`: their words, and files read.
#pragma once

#include "proto/base/result.h"
#include "proto/trigger/trigger_words.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace sla::daemon {

struct TriggerOptions {
    trigger::TriggerWords words;
    std::vector<std::string> files;

    void describe(CLI::App& app);
    // Reads the files, parses everything.
    [[nodiscard]] Result<std::vector<wire::SetTrigger>> requests() const;
};

}  // namespace sla::daemon
