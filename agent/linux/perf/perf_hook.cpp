#include "agent/linux/perf/perf_hook.h"

#include "agent/linux/events/owner_name.h"
#include "agent/linux/events/task_table.h"
#include "agent/linux/perf/perf_event.h"
#include "agent/linux/perf/perf_record.h"
#include "agent/linux/perf/perf_selection.h"

#include <linux/hw_breakpoint.h>

#include <ctime>
#include <utility>

namespace sla::linux {
namespace {

Result<void> check_process(pid_t pid) {
    if (threads_of(pid).empty()) return not_found("there is no process " + std::to_string(pid) + "; it may have ended");
    return {};
}

// Of all our events: the same sample, the same clock, threads and children born later included.
perf_event_attr attribute_of(std::uint32_t type, std::uint64_t config, bool inherits) {
    perf_event_attr attribute = perf_attribute(type, config);
    attribute.sample_type = kPerfSampleType;
    attribute.read_format = PERF_FORMAT_LOST;
    attribute.use_clockid = 1;
    attribute.clockid = CLOCK_MONOTONIC_RAW;
    attribute.inherit = inherits ? 1 : 0;
    attribute.comm = 1;
    return attribute;
}

// The processor watches 1, 2, 4 or 8 bytes that lie on a multiple of their number.
std::uint64_t watch_length(std::uint64_t address, std::uint64_t size) {
    std::uint64_t length = 8;
    while (length > 1 && (address % length != 0 || (size != 0 && length > size))) length /= 2;
    return length;
}

std::uint32_t breakpoint_type(WatchedAccess access) {
    switch (access) {
        case WatchedAccess::kWrite: return HW_BREAKPOINT_W;
        case WatchedAccess::kReadWrite: return HW_BREAKPOINT_RW;
        case WatchedAccess::kExecute: break;
    }
    return HW_BREAKPOINT_X;
}

}  // namespace

Result<PerfHook> watch_hook(const std::string& typed, ProcessSymbols& symbols, LaneSink& sink) {
    auto request = parse_watch(typed);
    if (!request) return request.error();
    if (const Result<void> there = check_process(request->pid); !there) return there.error();
    auto found = symbols.find(request->pid, request->symbol);
    if (!found) return found.error();
    const bool executes = request->access == WatchedAccess::kExecute;
    PerfHook hook;
    hook.what = "--watch " + typed;
    hook.lane = sink.lane("linux.watch." + lane_part(request->symbol), "");
    hook.attribute = attribute_of(PERF_TYPE_BREAKPOINT, 0, true);
    hook.attribute.bp_type = breakpoint_type(request->access);
    hook.attribute.bp_addr = found->address;
    hook.attribute.bp_len = executes ? sizeof(long) : watch_length(found->address, found->size);
    hook.attribute.sample_period = 1;
    hook.pids = {request->pid};
    hook.watched_pid = request->pid;
    hook.reports_value = !executes;
    if (!executes && found->size > hook.attribute.bp_len)
        sink.notice(typed + ": has " + std::to_string(found->size) + " bytes; the first " +
                    std::to_string(hook.attribute.bp_len) + " are watched");
    return hook;
}

Result<PerfHook> sample_hook(const std::string& typed, const std::vector<pid_t>& pids, LaneSink& sink) {
    auto request = parse_sample(typed);
    if (!request) return request.error();
    PerfHook hook;
    hook.what = "--sample " + typed;
    hook.lane = sink.lane("linux.sample." + lane_part(request->name), "");
    hook.attribute = attribute_of(request->type, request->config, !pids.empty());
    hook.attribute.exclude_kernel = 0;
    hook.attribute.sample_period = request->every;
    for (const pid_t pid : pids) {
        if (const Result<void> there = check_process(pid); !there) return there.error();
    }
    hook.pids = pids;
    return hook;
}

}  // namespace sla::linux
