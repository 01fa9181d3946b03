#include "agent/linux/tracefs/trace_session.h"

#include "agent/linux/tracefs/event_selection.h"
#include "agent/linux/tracefs/tracefs.h"

#include <unistd.h>

#include <algorithm>

namespace sla::linux {
namespace {

constexpr std::uint64_t kMaxBufferPerCpu = std::uint64_t{16} << 20;
constexpr std::uint64_t kMaxBufferInAll = std::uint64_t{256} << 20;
constexpr std::uint64_t kMinBufferPerCpu = std::uint64_t{1} << 20;

std::uint64_t buffer_per_cpu(std::uint64_t asked) {
    if (asked != 0) return asked;
    const auto cpus = static_cast<std::uint64_t>(std::max(1L, ::sysconf(_SC_NPROCESSORS_CONF)));
    return std::clamp(kMaxBufferInAll / cpus, kMinBufferPerCpu, kMaxBufferPerCpu);
}

}  // namespace

Result<std::unique_ptr<TraceSession>> TraceSession::open(const LinuxOptions& options, OpenedTrace& opened) {
    auto tracefs = find_tracefs();
    if (!tracefs) return tracefs.error();
    TraceInstance::sweep(*tracefs);
    UprobeSet::sweep(*tracefs);
    auto session = std::make_unique<TraceSession>();
    if (Result<void> set = session->set_up(*tracefs, options, opened); !set) {
        opened = OpenedTrace();
        return set.error();
    }
    return session;
}

Result<void> TraceSession::set_up(const std::string& tracefs, const LinuxOptions& options, OpenedTrace& opened) {
    std::vector<SelectedEvent> events;
    if (!options.events.empty()) {
        auto parsed = parse_event_selection(options.events);
        if (!parsed) return parsed.error();
        events = std::move(*parsed);
    }
    auto instance = TraceInstance::create(tracefs, buffer_per_cpu(options.buffer_bytes));
    if (!instance) return instance.error();
    instance_ = std::move(*instance);
    if (Result<void> followed = instance_->follow(options.pids); !followed) return followed;
    if (!events.empty()) {
        auto enabled = instance_->enable(events);
        if (!enabled) return enabled.error();
        opened.events = std::move(*enabled);
    }
    if (!options.uprobes.empty()) {
        auto set = UprobeSet::create(tracefs, options.uprobes);
        if (!set) return set.error();
        uprobes_ = std::move(*set);
        for (const ProbeLine& line : uprobes_->lines()) {
            auto enabled = instance_->enable({{uprobes_->group(), line.event, "", true}});
            if (!enabled) return enabled.error();
            opened.events.push_back(std::move(enabled->front()));
            opened.events.back().lane = line.lane;
            opened.events.back().edge = line.edge;
        }
    }
    return instance_->open_for_reading(opened);
}

}  // namespace sla::linux
