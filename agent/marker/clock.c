/* What this process stamps with: the TSC, inline; or, where the agent says that the TSC is no clock, CLOCK_MONOTONIC_RAW on
 * the slow path. Decided when the segment is made and kept as long as it is: stamps of two clocks in one ring would be
 * nonsense.
 */
#define _GNU_SOURCE
#include "agent/marker/internal.h"

#include "proto/base/runtime_dir.h"

#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

static uint32_t chosen; /* enum sla_stamp_clock; written under the registry lock before any ring is claimed */

uint32_t sla_clock_choose(void) {
    char path[256];
    char text[8] = "";
    int fd = sla_runtime_path(path, sizeof path, SLA_AGENT_CLOCK) > 0 ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
    bool read_it = fd >= 0 && read(fd, text, sizeof text - 1) > 0;
    if (fd >= 0) close(fd);
    bool raw = read_it && strncmp(text, "raw", 3) == 0;
    __atomic_store_n(&chosen, raw ? SLA_STAMP_MONOTONIC_RAW : SLA_STAMP_TSC, __ATOMIC_RELAXED);
    return chosen;
}

enum sla_armed sla_clock_armed(void) {
    return __atomic_load_n(&chosen, __ATOMIC_RELAXED) == SLA_STAMP_TSC ? SLA_ARMED_ON : SLA_ARMED_FILTERED;
}

/* The relaxed load is enough: who has a ring took the lock after the choice was made. */
uint64_t sla_now(void) {
    if (__atomic_load_n(&chosen, __ATOMIC_RELAXED) == SLA_STAMP_TSC) return __rdtsc() & SLA_TICK_MASK;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return ((uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec) & SLA_TICK_MASK;
}
