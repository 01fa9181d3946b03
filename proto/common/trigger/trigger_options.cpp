#include "proto/common/trigger/trigger_options.h"

namespace sla::trigger {

void TriggerOptions::describe(common::Command& command, bool as_option) {
    const char* group = "Triggers";
    if (as_option) {
        command
            .add_option("--trigger", words.expressions,
                        "Watch for this, as in 'net.rx then gap net.tx > 5ms' (repeatable; grammar: see the footer)")
            .value_name("EXPR")
            .one_each()
            .group(group);
    }
    command.add_option("--trigger-file", files, "Watch by the levels in this file (repeatable)")
        .value_name("FILE")
        .one_each()
        .group(group);
    command.add_option("--window", words.window, "Events kept of a shot: this long around it (20ms)")
        .value_name("TIME")
        .group(group);
    command.add_option("--pre", words.pre, "Part of the window before the trigger (50%)").value_name("PERCENT").group(group);
    command.add_option("--pre-time", words.pre_time, "Keep this long before the trigger, instead of --window and --pre")
        .value_name("TIME")
        .group(group);
    command.add_option("--post-time", words.post_time, "And this long after it").value_name("TIME").group(group);
    command.add_option("--shots", words.shots, "Stop after so many shots (0: go on)")
        .at_most(kMaxShots)
        .value_name("N")
        .group(group);
    command.add_option("--hold-off", words.hold_off, "Rest this long after a shot before the next one is waited for")
        .value_name("TIME")
        .group(group);
}

bool TriggerOptions::shaped() const {
    return !words.window.empty() || !words.pre.empty() || !words.pre_time.empty() || !words.post_time.empty() ||
           !words.hold_off.empty() || words.shots != 0;
}

Result<std::vector<wire::SetTrigger>> TriggerOptions::requests() const {
    TriggerWords all = words;
    for (const std::string& path : files) {
        Result<TriggerFile> file = read_trigger_file(path);
        if (!file) return file.error();
        all.files.push_back(std::move(*file));
    }
    return to_requests(all);
}

}  // namespace sla::trigger
