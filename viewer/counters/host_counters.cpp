#include "viewer/counters/host_counters.h"

#include <dirent.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace sla::counters {

namespace {

int open_counter(const Event& event, pid_t thread, Privilege privilege, int leader = -1) {
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = event.type;
    attributes.config = event.config;
    attributes.inherit = leader < 0 ? 1 : 0;
    attributes.exclude_kernel = privilege == Privilege::kUser ? 1 : 0;
    attributes.exclude_user = privilege == Privilege::kKernel ? 1 : 0;
    attributes.exclude_hv = 1;
    attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    return static_cast<int>(syscall(SYS_perf_event_open, &attributes, thread, -1, leader, PERF_FLAG_FD_CLOEXEC));
}

std::string reason(const Event& event, int error) {
    switch (error) {
        case ENOENT:
        case ENODEV:
            return event.is_software() ? "this kernel does not have it"
                                       : "no such counter is exposed by this processor or virtual machine";
        case EACCES:
        case EPERM:
            return "to count the kernel too is not for this user; --privilege user, or as root: sysctl "
                   "kernel.perf_event_paranoid=1";
        case EOPNOTSUPP: return "the processor cannot count it";
        case ENOSYS: return "this kernel was built without CONFIG_PERF_EVENTS";
        default: return std::strerror(error);
    }
}

std::vector<pid_t> threads_of(pid_t process) {
    std::vector<pid_t> out;
    DIR* directory = opendir(("/proc/" + std::to_string(process) + "/task").c_str());
    if (directory == nullptr) return out;
    while (const dirent* entry = readdir(directory)) {
        const pid_t thread = std::atoi(entry->d_name);
        if (thread > 0) out.push_back(thread);
    }
    closedir(directory);
    return out;
}

struct CounterValue {
    std::uint64_t value = 0;
    std::uint64_t enabled_ns = 0;
    std::uint64_t running_ns = 0;  // on the processor
};

}  // namespace

std::string absence_of(const Event& event, Privilege privilege) {
    if (event.world == World::kPentium) return "";
    const int counter = open_counter(event, 0, privilege);
    const bool is_closed = errno == EACCES || errno == EPERM;
    if (counter < 0) return (is_closed ? "no permission: " : "not present: ") + reason(event, errno);
    close(counter);
    return "";
}

// A group is counted as a whole or not at all, so the kernel refuses one that does not fit.
std::size_t fitting(std::span<const Event> events, Privilege privilege) {
    std::vector<int> group;
    for (const Event& event : events) {
        const int counter = open_counter(event, 0, privilege, group.empty() ? -1 : group.front());
        if (counter < 0) break;
        group.push_back(counter);
    }
    for (const int counter : group) close(counter);
    return std::max<std::size_t>(group.size(), 1);
}

Result<HostCounters> HostCounters::open(std::span<const Event> events, pid_t process, Privilege privilege) {
    const std::vector<pid_t> threads = threads_of(process);
    if (threads.empty()) return not_found("there is no process " + std::to_string(process));
    HostCounters out;
    for (const Event& event : events) {
        std::vector<int>& counters = out.counters_.emplace_back();
        for (const pid_t thread : threads) {
            const int counter = open_counter(event, thread, privilege);
            if (counter < 0 && errno == ESRCH) continue;  // it has ended meanwhile
            if (counter < 0) {
                return unavailable("cannot count " + event.name() + " of process " + std::to_string(process) + ": " +
                                   reason(event, errno));
            }
            counters.push_back(counter);
        }
    }
    return out;
}

HostCounters::~HostCounters() {
    for (const std::vector<int>& counters : counters_) {
        for (const int counter : counters) close(counter);
    }
}

Result<std::vector<Reading>> HostCounters::read() const {
    std::vector<Reading> out;
    for (const std::vector<int>& counters : counters_) {
        Reading sum;
        for (const int counter : counters) {
            CounterValue now;
            if (::read(counter, &now, sizeof now) != sizeof now) return system_error("cannot read a counter", errno);
            sum.counted += now.value;
            sum.wanted_ns += now.enabled_ns;
            sum.counting_ns += now.running_ns;
        }
        out.push_back(sum);
    }
    return out;
}

}  // namespace sla::counters
