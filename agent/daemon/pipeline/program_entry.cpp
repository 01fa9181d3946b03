#include "agent/daemon/pipeline/program_entry.h"

#include <algorithm>

namespace sla::daemon {

ProgramEntry::ProgramEntry(std::shared_ptr<source::Program> program, ChannelTable& channels, Notices& notices)
    : channels_(channels), notices_(notices), drain_(program, *this) {
    const ring::SegmentView& view = program->view;
    const std::string residence = program->residence.text();
    facts_.pid = static_cast<std::uint32_t>(program->residence.pid);
    facts_.own_pid = program->residence.own_pid;
    facts_.cgroup = program->residence.cgroup;
    facts_.is_elsewhere = program->residence.is_elsewhere;
    facts_.id = channels.begin_source(program->segment_id, view.start_time());
    facts_.kind = view.source_kind();
    facts_.name = view.program() + (residence.empty() ? "" : " (" + residence + ")");
    facts_.command = view.command();
    facts_.section_ticks = view.section_ticks();
    facts_.clock_domain = view.stamp_clock() == SLA_STAMP_OWN ? 1 : 0;
    channels_.announce_source(facts_);
}

void ProgramEntry::end() {
    facts_.ended = true;
    channels_.announce_source(facts_);
    channels_.end_source(facts_.id);
}

void ProgramEntry::apply(const ChannelPolicy& channel_policy, std::uint64_t version) {
    const ring::SegmentView& view = drain_.program().view;
    std::size_t count = view.channel_count();
    std::size_t known = version == applied_version_ ? controls_.size() : 0;
    if (known >= count) return;
    bool changed = false;
    controls_.resize(std::max(count, controls_.size()));
    for (std::size_t at = known; at < count; at++) {
        auto index = static_cast<std::uint32_t>(at + 1);
        ring::ChannelControl wanted = channel_policy.control_of(drain_.description(index).name);
        if (wanted == controls_[at]) continue;
        controls_[at] = wanted;
        view.set_control(index, wanted);
        changed = true;
    }
    applied_version_ = version;
    if (changed && drain_.program().notify_controls) drain_.program().notify_controls();
}

drain::DrainedChannel& ProgramEntry::channel(const ring::ChannelDescription& description) {
    return channels_.channel(facts_.id, description);
}

ThreadId ProgramEntry::thread(std::uint32_t tid, const std::string& name) {
    return channels_.thread(facts_.id, tid, name);
}

void ProgramEntry::release_thread(ThreadId thread) {
    channels_.release_thread(facts_.id, thread);
}

void ProgramEntry::notice(const std::string& text) {
    notices_.say(facts_.name + " (pid " + std::to_string(facts_.pid) + "): " + text, facts_.id);
}

}  // namespace sla::daemon
