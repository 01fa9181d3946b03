// Where a program lives, as this agent can see it. Programs in containers share the agent's socket by a bind mount, its
// clock and its memory, but not its numbers: they have process ids of their own, which repeat, and one that lives outside
// the agent's pid namespace has none here at all.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace sla::source {

struct Residence {
    pid_t pid = 0;              // as the kernel names it to this agent; 0: it does not
    std::uint32_t own_pid = 0;  // as the program says that it is named at home
    bool is_elsewhere = false;  // in a pid namespace of its own
    std::string cgroup;         // path of its control group, as this agent sees it; empty: not known

    // For people, behind the program's name: "docker-0123456789ab, pid 7 there, 4711 here"; empty: it lives beside the
    // agent.
    [[nodiscard]] std::string text() const;
};

// `proc`: where /proc is. Never fails: what cannot be seen stays empty.
Residence look_up_residence(pid_t pid, std::uint32_t own_pid, const std::string& proc = "/proc");

// From the text of /proc/PID/cgroup: the unified hierarchy's path, or the longest where that says nothing.
std::string cgroup_path(const std::string& text);

// The last part of a path, without ".scope", long hexadecimal ids cut to twelve digits as container tools show them.
std::string container_name(const std::string& cgroup);

}  // namespace sla::source
