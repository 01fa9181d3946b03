#include "agent/daemon/program_entry.h"

#include "agent/daemon/pipeline.h"

#include <algorithm>

namespace sla::daemon {

ProgramEntry::ProgramEntry(std::shared_ptr<source::Program> program, Pipeline& pipeline)
    : pipeline_(pipeline), drain_(program, *this) {
    const ring::SegmentView& view = program->view;
    const std::string residence = program->residence.text();
    facts_.pid = static_cast<std::uint32_t>(program->residence.pid);
    facts_.own_pid = program->residence.own_pid;
    facts_.cgroup = program->residence.cgroup;
    facts_.id = pipeline.directory().source(program->segment_id, view.start_time()).id;
    facts_.kind = view.source_kind();
    facts_.name = view.program() + (residence.empty() ? "" : " (" + residence + ")");
    facts_.command = view.command();
    facts_.section_ticks = view.section_ticks();
    facts_.clock_domain = view.stamp_clock() == SLA_STAMP_OWN ? 1 : 0;
    pipeline_.announce(source_frame(facts_));
}

void ProgramEntry::announce_end() {
    facts_.ended = true;
    pipeline_.announce(source_frame(facts_));
}

void ProgramEntry::obey(const Switchboard& switchboard, std::uint64_t version) {
    const ring::SegmentView& view = drain_.program().view;
    std::size_t count = view.channel_count();
    std::size_t known = version == obeyed_version_ ? controls_.size() : 0;
    if (known >= count) return;
    bool changed = false;
    controls_.resize(std::max(count, controls_.size()));
    for (std::size_t at = known; at < count; at++) {
        auto index = static_cast<std::uint32_t>(at + 1);
        ring::ChannelControl wanted = switchboard.control_of(view.channel(index).name);
        if (wanted == controls_[at]) continue;
        controls_[at] = wanted;
        view.set_control(index, wanted);
        changed = true;
    }
    obeyed_version_ = version;
    if (changed && drain_.program().tell_controls) drain_.program().tell_controls();
}

drain::Channel& ProgramEntry::channel(const ring::ChannelDescription& description) {
    return pipeline_.lane(facts_.id, description.name, description.format, description.overwrite).channel;
}

ThreadId ProgramEntry::thread(std::uint32_t tid, const std::string& name) {
    return pipeline_.thread(facts_.id, tid, name);
}

void ProgramEntry::notice(const std::string& text) {
    pipeline_.notice(facts_.name + " (pid " + std::to_string(facts_.pid) + "): " + text, facts_.id);
}

}  // namespace sla::daemon
