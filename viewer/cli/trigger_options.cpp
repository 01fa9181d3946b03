#include "viewer/cli/trigger_options.h"

namespace sla::cli {

void TriggerOptions::describe(common::Command& command, bool as_option) {
    const char* group = "Triggers";
    if (as_option) {
        command.add_option("--trigger", words.expressions, trigger::kTriggerHelp).value_name("EXPR").one_each().group(group);
    }
    command.add_option("--trigger-file", files, trigger::kTriggerFileHelp).value_name("FILE").one_each().group(group);
    command.add_option("--window", words.window, trigger::kWindowHelp).value_name("TIME").group(group);
    command.add_option("--pre", words.pre, trigger::kPreHelp).value_name("PERCENT").group(group);
    command.add_option("--pre-time", words.pre_time, trigger::kPreTimeHelp).value_name("TIME").group(group);
    command.add_option("--post-time", words.post_time, trigger::kPostTimeHelp).value_name("TIME").group(group);
    command.add_option("--shots", words.shots, "Stop after so many shots (0: go on)")
        .at_most(trigger::kMaxShots)
        .value_name("N")
        .group(group);
    command.add_option("--hold-off", words.hold_off, trigger::kHoldOffHelp).value_name("TIME").group(group);
}

bool TriggerOptions::shaped() const {
    return !words.window.empty() || !words.pre.empty() || !words.pre_time.empty() || !words.post_time.empty() ||
           !words.hold_off.empty() || words.shots != 0;
}

Result<std::vector<wire::SetTrigger>> TriggerOptions::requests() const {
    return trigger::to_requests(words, files);
}

}  // namespace sla::cli
