#include "agent/linux/perf/perf_event.h"

#include "agent/linux/capability_advice.h"
#include "agent/linux/tracefs/tracefs.h"
#include "proto/base/text.h"

#include <linux/capability.h>
#include <linux/hw_breakpoint.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>

namespace sla::linux {
namespace {

PerfRefusal words_of(int errno_value, const perf_event_attr& attribute, const std::string& what) {
    switch (errno_value) {
        case EACCES:
        case EPERM: {
            const auto paranoid = read_control("/proc/sys/kernel/perf_event_paranoid");
            return {
                Access::kNoPermission,
                what + " is closed to this user (kernel.perf_event_paranoid is " + (paranoid ? *paranoid : "hidden") + ")",
                "run as root, or: " + setcap_advice(CAP_PERFMON)};
        }
        case ENOENT:
            if (attribute.type == PERF_TYPE_HARDWARE || attribute.type == PERF_TYPE_RAW ||
                attribute.type == PERF_TYPE_HW_CACHE)
                return {Access::kNotPresent,
                        what + ": no performance counters are exposed by this processor or virtual machine", ""};
            return {Access::kNotPresent, what + ": this kernel does not have it", ""};
        case EOPNOTSUPP: return {Access::kNotPresent, what + ": the processor cannot count it this way", ""};
        case ENOSPC:
            return {Access::kNotPresent, what + ": the processor's debug registers are all in use (there are four)", ""};
        case ESRCH: return {Access::kNotPresent, what + ": there is no such process", ""};
        case EMFILE: return {Access::kNotPresent, what + ": this process has no file descriptor left", "raise ulimit -n"};
        case ENOSYS: return {Access::kNotPresent, what + ": this kernel was built without CONFIG_PERF_EVENTS", ""};
        default: return {Access::kNotPresent, what + ": " + std::strerror(errno_value), ""};
    }
}

PerfRefusal refusal_of(int errno_value, const perf_event_attr& attribute, const std::string& what) {
    PerfRefusal refusal = words_of(errno_value, attribute, what);
    refusal.number = errno_value;
    return refusal;
}

// Some virtual machines take debug registers and never raise their exception: a store of our own shows it. True too
// where that cannot be tried; what stands in the way is then said of the event that was asked for.
bool does_breakpoint_fire() {
    alignas(8) static volatile std::uint32_t watched = 0;
    perf_event_attr attribute = store_watch_attribute(const_cast<const std::uint32_t*>(&watched));
    const UniqueFd event(static_cast<int>(::syscall(SYS_perf_event_open, &attribute, 0, -1, -1, PERF_FLAG_FD_CLOEXEC)));
    if (event.get() < 0 || ::ioctl(event.get(), PERF_EVENT_IOC_ENABLE, 0) != 0) return true;
    watched = 1;
    std::uint64_t stores = 0;
    return ::read(event.get(), &stores, sizeof stores) != sizeof stores || stores > 0;
}

}  // namespace

const char* access_name(Access access) {
    switch (access) {
        case Access::kAvailable: return "available";
        case Access::kNoPermission: return "no permission";
        case Access::kNotPresent: break;
    }
    return "not present";
}

perf_event_attr perf_attribute(std::uint32_t type, std::uint64_t config) {
    perf_event_attr attribute{};
    attribute.size = sizeof attribute;
    attribute.type = type;
    attribute.config = config;
    attribute.disabled = 1;
    attribute.exclude_kernel = 1;
    attribute.exclude_hv = 1;
    return attribute;
}

perf_event_attr store_watch_attribute(const void* address) {
    perf_event_attr attribute = perf_attribute(PERF_TYPE_BREAKPOINT, 0);
    attribute.bp_type = HW_BREAKPOINT_W;
    attribute.bp_addr = reinterpret_cast<std::uint64_t>(address);
    attribute.bp_len = HW_BREAKPOINT_LEN_4;
    return attribute;
}

std::variant<UniqueFd, PerfRefusal> open_perf_event(const perf_event_attr& attribute, pid_t pid, int cpu,
                                                    const std::string& what) {
    const long fd = ::syscall(SYS_perf_event_open, &attribute, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
    if (fd < 0) return refusal_of(errno, attribute, what);
    UniqueFd event(static_cast<int>(fd));
    if (attribute.type != PERF_TYPE_BREAKPOINT) return event;
    static const bool does_fire = does_breakpoint_fire();
    if (does_fire) return event;
    return PerfRefusal{
        Access::kNotPresent,
        what + ": the debug registers of this virtual machine never fire (it takes them, and tells of no store)", ""};
}

std::vector<int> parse_cpu_list(std::string_view text) {
    constexpr int kMaxCpus = 8192;  // more no kernel for this processor is built for
    std::vector<int> cpus;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        const std::string_view range = trimmed(text.substr(0, comma), " \t\n");
        text.remove_prefix(std::min(comma + 1, text.size()));
        const std::size_t dash = range.find('-');
        const auto first = whole_number<int>(range.substr(0, dash));
        const auto last = dash == std::string_view::npos ? first : whole_number<int>(range.substr(dash + 1));
        if (!first || !last || *first < 0 || *last >= kMaxCpus) continue;
        for (int cpu = *first; cpu <= *last; cpu++) cpus.push_back(cpu);
    }
    return cpus;
}

std::vector<int> online_cpus() {
    const auto list = read_control("/sys/devices/system/cpu/online");
    std::vector<int> cpus = list ? parse_cpu_list(*list) : std::vector<int>();
    if (!cpus.empty()) return cpus;
    cpus.resize(static_cast<std::size_t>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN))));
    std::iota(cpus.begin(), cpus.end(), 0);
    return cpus;
}

Error as_error(const PerfRefusal& refusal) {
    return unavailable(std::string(access_name(refusal.access)) + ": " + refusal.reason +
                       (refusal.fix.empty() ? "" : "; " + refusal.fix));
}

}  // namespace sla::linux
