/* How much memory rings may take by growing: little enough that a small machine or container does not feel it. */
#include "agent/marker/rings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const uint64_t kMaxGrowth = UINT64_C(384) << 20;

/* "max", or nothing to read: no limit. */
static uint64_t limit_in(const char* path) {
    char text[64];
    if (sla_read_file(path, text, sizeof text) <= 0 || text[0] < '0' || text[0] > '9') return UINT64_MAX;
    return strtoull(text, NULL, 10);
}

/* Of the control group this process is in, and of a container's root. Version 1 and 2. */
static uint64_t group_limit(void) {
    char groups[1024];
    char path[1200];
    uint64_t least = limit_in("/sys/fs/cgroup/memory.max");
    uint64_t old = limit_in("/sys/fs/cgroup/memory/memory.limit_in_bytes");
    if (old < least) least = old;
    if (sla_read_file("/proc/self/cgroup", groups, sizeof groups) <= 0) return least;
    char* own = strstr(groups, "0::/");
    if (!own) return least;
    own += strlen("0::");
    own[strcspn(own, "\n")] = '\0';
    snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.max", own);
    uint64_t here = limit_in(path);
    return here < least ? here : least;
}

uint64_t sla_growth_budget(void) {
    uint64_t pages = (uint64_t)sysconf(_SC_PHYS_PAGES);
    uint64_t of_machine = pages * (uint64_t)sysconf(_SC_PAGESIZE) / 16;
    uint64_t of_group = group_limit() / 8;
    uint64_t budget = of_machine < of_group ? of_machine : of_group;
    return budget < kMaxGrowth ? budget : kMaxGrowth;
}
