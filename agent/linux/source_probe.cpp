#include "agent/linux/source_probe.h"

#include "agent/linux/tracefs/event_selection.h"
#include "agent/linux/tracefs/tracefs.h"
#include "proto/base/device_access.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <linux/hw_breakpoint.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

namespace sla::linux {
namespace {

SourceReport from_error(const std::string& name, const Error& error) {
    const bool permission = error.message.starts_with("no permission");
    const std::size_t fix = error.message.find("; ");
    const std::size_t begin = error.message.find(": ");
    SourceReport report{name, permission ? Access::kNoPermission : Access::kNotPresent, error.message, ""};
    if (begin != std::string::npos)
        report.detail = error.message.substr(begin + 2, fix == std::string::npos ? fix : fix - begin - 2);
    if (permission && fix != std::string::npos) report.fix = error.message.substr(fix + 2);
    return report;
}

// With the capabilities that the program file gives: access() leaves those of an ordinary user out of account.
bool is_open_to_us(const std::string& path, int mode) {
    return ::faccessat(AT_FDCWD, path.c_str(), mode, AT_EACCESS) == 0;
}

// How many events of the group this kernel has.
std::size_t events_of(const std::string& tracefs, const EventGroup& group) {
    std::size_t count = 0;
    for (const std::string_view event : group.events) {
        const std::size_t colon = event.find(':');
        const std::string pattern(event.substr(colon + 1));
        std::error_code none;
        const std::string directory = tracefs + "/events/" + std::string(event.substr(0, colon));
        for (const auto& entry : std::filesystem::directory_iterator(directory, none)) {
            if (!entry.is_directory(none)) continue;
            count += ::fnmatch(pattern.c_str(), entry.path().filename().c_str(), 0) == 0 ? 1 : 0;
        }
    }
    return count;
}

void probe_trace_events(std::vector<SourceReport>& reports) {
    auto tracefs = find_tracefs();
    const bool open = tracefs && is_open_to_us(*tracefs + "/instances", W_OK | X_OK);
    for (const EventGroup& group : event_groups()) {
        const std::string name = "--linux " + std::string(group.name);
        if (!tracefs) {
            reports.push_back(from_error(name, tracefs.error()));
        } else if (!open) {
            reports.push_back(from_error(name, tracefs_refused(*tracefs + "/instances", EACCES)));
        } else if (const std::size_t count = events_of(*tracefs, group); count > 0) {
            reports.push_back(
                {name, Access::kAvailable, std::string(group.what) + ", " + std::to_string(count) + " events", ""});
        } else {
            const std::string why = group.name == "kvm" ? "; the kvm module is not loaded" : "";
            reports.push_back({name, Access::kNotPresent, "this kernel has no events for " + std::string(group.what) + why,
                               group.name == "kvm" ? "as root: modprobe kvm_intel (or kvm_amd)" : ""});
        }
    }
}

SourceReport probe_uprobes() {
    const std::string name = "--uprobe";
    auto tracefs = find_tracefs();
    if (!tracefs) return from_error(name, tracefs.error());
    const std::string file = *tracefs + "/dynamic_events";
    const std::string old_file = *tracefs + "/uprobe_events";
    if (is_open_to_us(file, W_OK) && is_open_to_us(old_file, F_OK))
        return {name, Access::kAvailable, "functions and USDT probes of programs, as they are", ""};
    if (errno == EACCES || errno == EPERM) return from_error(name, tracefs_refused(file, EACCES));
    return {name, Access::kNotPresent, "this kernel was built without CONFIG_UPROBE_EVENTS", ""};
}

SourceReport probe_perf(const std::string& name, const perf_event_attr& attribute, pid_t pid, int cpu,
                        const std::string& what) {
    auto opened = open_perf_event(attribute, pid, cpu, what);
    if (std::holds_alternative<UniqueFd>(opened)) return {name, Access::kAvailable, what, ""};
    const PerfRefusal& refusal = std::get<PerfRefusal>(opened);
    return {name, refusal.access, refusal.reason, refusal.fix};
}

perf_event_attr machine_wide(perf_event_attr attribute) {
    attribute.exclude_kernel = 0;
    return attribute;
}

SourceReport probe_vms() {
    const std::string name = "virtual machines";
    if (::access("/dev/kvm", F_OK) != 0)
        return {name, Access::kNotPresent,
                "/dev/kvm is not there: no hardware virtualisation, or the kvm module is not loaded", ""};
    if (::access("/dev/kvm", R_OK | W_OK) != 0)
        return {name, Access::kNoPermission, "/dev/kvm is closed to this user", device_access_hint("/dev/kvm")};
    return {name, Access::kAvailable, "/dev/kvm", ""};
}

}  // namespace

std::vector<SourceReport> probe_sources() {
    std::vector<SourceReport> reports;
    probe_trace_events(reports);
    reports.push_back(probe_uprobes());
    alignas(8) static int watched = 0;
    const perf_event_attr clock = perf_attribute(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
    const perf_event_attr cycles = perf_attribute(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
    reports.push_back(
        probe_perf("watchpoints", store_watch_attribute(&watched), 0, -1, "four data watchpoints in own processes"));
    reports.push_back(probe_perf("sampling by time", clock, 0, -1, "own processes"));
    reports.push_back(probe_perf("sampling by time, all", machine_wide(clock), -1, 0, "the whole machine, kernel included"));
    reports.push_back(probe_perf("hardware counters", cycles, 0, -1, "cycles of own processes"));
    reports.push_back(probe_vms());
    return reports;
}

}  // namespace sla::linux
