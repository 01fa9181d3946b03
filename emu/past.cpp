#include "emu/past.h"

#include "emu/cpu/cpu_names.h"

#include <spdlog/spdlog.h>

namespace sla::emu {

namespace {

constexpr const char* kByRealTime =
    "the CPU \"kvm\" runs by real time, by which no run happens twice: to go back use --cpu unicorn or x86emu, --clock "
    "virtual and --history-memory 256";

}  // namespace

Result<void> Past::check(const RunOptions& options) {
    if (options.history_megabytes == 0) return {};
    if (options.cpu == cpu::kKvm) return invalid_input("--history-memory: " + std::string(kByRealTime));
    if (options.clock == "host")
        return invalid_input("--history-memory: by the host's clock no run happens twice; add --clock virtual");
    if (options.speed > 0)
        return invalid_input("--history-memory: a run that is held back by --speed cannot go back; leave it out");
    if (!options.counts.empty())
        return invalid_input("--history-memory: counts of a run that goes back would be of no one run; leave --counts out");
    return {};
}

// Where there is no history lanes are told of a load here.
Past::Past(const Parts& parts, const RunOptions& options)
    : vmm_(parts.vmm), ground_(parts.ground), markers_(parts.markers), hooks_(parts.hooks) {
    if (!options.load.empty()) tell_open_spans();
    begin(parts, options);
    if (history_) return;
    parts.subject.on_loaded([this] {
        ground_.leave_course_for({});
        say("another run from here on: a snapshot");
        tell_open_spans();
        return std::string();
    });
}

void Past::begin(const Parts& parts, const RunOptions& options) {
    if (parts.vmm.cpu().keeps_time()) {
        why_not_ = kByRealTime;
        return;
    }
    if (options.clock == "host") {
        why_not_ = "by the host's clock no run happens twice: start it with --clock virtual --history-memory 256 to go back";
        return;
    }
    if (options.history_megabytes == 0) {
        why_not_ = "this run keeps no history: start it with --history-memory 256 to go back";
        return;
    }
    if (!parts.subject.unsaved().empty()) {
        why_not_ = parts.subject.unsaved();
        spdlog::warn("there is no history: {}", why_not_);
        return;
    }
    is_told_ = hooks_.admits(history::kHistoryChannel);
    history_.emplace(parts.vmm, parts.subject, parts.ground, std::size_t{options.history_megabytes} << 20,
                     history::History::Listener{[this](const std::string& text) { say(text); },
                                                [this] { markers_.clock_was_set(); }, [this] { tell_open_spans(); }});
    parts.guest.go_back_with(parts.ground, [this] { history_->came_in("what com1's terminal sent"); });
    history_->begin();
}

// On the lanes only: counts and hashes are of what the guest does.
void Past::tell_open_spans() {
    for (const std::string& name : vmm_.open_spans()) {
        if (hooks_.takes(name)) ground_.begin_open_span(name);
    }
}

void Past::say(const std::string& text) {
    if (!is_told_) is_told_ = hooks_.admits(history::kHistoryChannel);
    if (!*is_told_) return;
    if (!channel_) channel_ = markers_.open(history::kHistoryChannel, "");
    markers_.text(*channel_, text);
}

}  // namespace sla::emu
