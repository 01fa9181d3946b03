#include "viewer/process/descendants.h"

#include "proto/base/process_stat.h"
#include "proto/base/text.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

namespace sla::process {

namespace {

struct Below {
    pid_t process;
    pid_t group;
};

// Of each process its children that have not ended.
std::map<pid_t, std::vector<Below>> children_of_all() {
    std::map<pid_t, std::vector<Below>> out;
    std::error_code error;
    for (std::filesystem::directory_iterator at("/proc", error), end; !error && at != end; at.increment(error)) {
        const auto process = whole_number<pid_t>(at->path().filename().string());
        const auto stat = process ? process_stat(*process) : std::nullopt;
        if (stat && !stat->has_ended()) out[stat->parent].push_back({*process, stat->group});
    }
    return out;
}

bool is_among(pid_t process, const std::vector<pid_t>& some) {
    return std::find(some.begin(), some.end(), process) != some.end();
}

}  // namespace

void adopt_orphans() {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

void reap_orphans(const std::vector<pid_t>& awaited) {
    for (;;) {
        siginfo_t ended{};
        if (waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid == 0) return;
        if (is_among(ended.si_pid, awaited)) return;  // the others are seen once somebody has asked about this one
        waitpid(ended.si_pid, nullptr, WNOHANG);
    }
}

std::vector<pid_t> descendants_in_our_group(const std::vector<pid_t>& others) {
    auto children = children_of_all();
    std::vector<pid_t> out;
    std::vector<pid_t> generation{getpid()};
    while (!generation.empty()) {
        std::vector<pid_t> next;
        for (const pid_t parent : generation) {
            for (const Below& one : children[parent]) {
                if (is_among(one.process, others)) continue;
                next.push_back(one.process);
                if (one.group == getpgrp()) out.push_back(one.process);
            }
        }
        generation = std::move(next);
    }
    return out;
}

}  // namespace sla::process
