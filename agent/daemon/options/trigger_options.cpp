#include "agent/daemon/options/trigger_options.h"

namespace sla::daemon {

void TriggerOptions::describe(common::Command& app) {
    const auto one_each = [](common::Option option, const char* type) { option.value_name(type).one_each(); };
    const std::string group = "Triggers";
    one_each(app.add_option("--trigger", words.expressions, trigger::kTriggerHelp).group(group), "EXPR");
    one_each(app.add_option("--trigger-file", files, trigger::kTriggerFileHelp).group(group), "FILE");
    app.add_option("--window", words.window, trigger::kWindowHelp).value_name("TIME").group(group);
    app.add_option("--pre", words.pre, trigger::kPreHelp).value_name("PERCENT").group(group);
    app.add_option("--pre-time", words.pre_time, trigger::kPreTimeHelp).value_name("TIME").group(group);
    app.add_option("--post-time", words.post_time, trigger::kPostTimeHelp).value_name("TIME").group(group);
    app.add_option("--shots", words.shots, "Stop after so many shots (0: go on)")
        .at_most(trigger::kMaxShots)
        .value_name("N")
        .group(group);
    app.add_option("--hold-off", words.hold_off, trigger::kHoldOffHelp).value_name("TIME").group(group);
    one_each(
        app.add_option(
               "--action", words.actions,
               "What a shot makes happen: stop, notify, fleet, stop-guest, snapshot=FILE, run=PROGRAM ARGS (repeatable)")
            .group(group),
        "ACTION");
    app.add_option("--keep-shots", words.keep, "Snapshots kept of each trigger, the newest (0: all)")
        .value_name("N")
        .group(group);
}

Result<std::vector<wire::SetTrigger>> TriggerOptions::requests() const {
    return trigger::to_requests(words, files);
}

}  // namespace sla::daemon
