/* What this process stamps with, and what that costs: the TSC, inline; or, where the agent says that the TSC is no clock,
 * CLOCK_MONOTONIC_RAW on the slow path. Decided when the segment is made and kept as long as it is: stamps of two clocks in
 * one ring would be nonsense. A program may have a time of its own instead (sla_own_clock).
 */
#define _GNU_SOURCE
#include "agent/marker/internal.h"

#include "proto/base/runtime_dir.h"

#include <cpuid.h>
#include <string.h>
#include <time.h>

static uint32_t chosen;   /* enum sla_stamp_clock; written under the registry lock before any ring is claimed */
static uint64_t own_tick; /* what the program says that it is now; 0: it has no clock of its own */

bool sla_clock_is_own(void) {
    return __atomic_load_n(&own_tick, __ATOMIC_RELAXED) != 0; /* pairs with nothing: the program's one thread wrote it */
}

void sla_own_clock(uint64_t tick) {
    __atomic_store_n(&own_tick, tick & SLA_TICK_MASK, __ATOMIC_RELAXED);
}

uint32_t sla_clock_choose(void) {
    char path[256];
    char text[8] = "";
    bool read_it = sla_agent_path(path, sizeof path, SLA_AGENT_CLOCK) > 0 && sla_read_file(path, text, sizeof text) > 0;
    bool raw = read_it && strncmp(text, "raw", 3) == 0;
    __atomic_store_n(&chosen, raw ? SLA_STAMP_MONOTONIC_RAW : SLA_STAMP_TSC, __ATOMIC_RELAXED);
    return sla_clock_is_own() ? SLA_STAMP_OWN : chosen;
}

bool sla_clock_is_raw(void) {
    return __atomic_load_n(&chosen, __ATOMIC_RELAXED) != SLA_STAMP_TSC && !sla_clock_is_own();
}

enum sla_armed sla_clock_armed(void) {
    const bool inline_too = __atomic_load_n(&chosen, __ATOMIC_RELAXED) == SLA_STAMP_TSC && !sla_clock_is_own();
    return inline_too ? SLA_ARMED_ON : SLA_ARMED_ORDERED;
}

unsigned sla_stamping_for(unsigned wanted, bool has_rdtscp) {
    if (wanted >= SLA_STAMPING_COUNT) return SLA_RDTSC;
    return wanted == SLA_RDTSCP && !has_rdtscp ? SLA_LFENCE_RDTSC : wanted;
}

unsigned sla_stamping_here(unsigned wanted) {
    unsigned a, b, c, d = 0;
    bool has_rdtscp = wanted == SLA_RDTSCP && __get_cpuid(0x80000001, &a, &b, &c, &d) && d >> 27 & 1;
    return sla_stamping_for(wanted, has_rdtscp);
}

/* Begins and ends an empty section many times, as user code does, into a ring that nobody reads. The third run of three
 * counts, since the first two warm the caches; of it the width seen most often. Some 50 µs. */
uint32_t sla_section_ticks(unsigned stamping) {
    enum { RUNS = 3, SECTIONS = 256, SLOTS = 2, WIDTHS = 1024 };
    static uint32_t known_of[SLA_STAMPING_COUNT]; /* measured once a process, or twice, by two in a sandbox at once */
    const uint32_t known = __atomic_load_n(&known_of[stamping], __ATOMIC_RELAXED);
    if (known) return known;
    struct sla_slot_plain slots[SLOTS];
    struct sla_ring_header ring;
    memset(&ring, 0, sizeof ring);
    ring.generation = 1; /* in use */
    memset(slots, 0, sizeof slots);
    sla_channel channel;
    memset(&channel, 0, sizeof channel);
    const bool is_ordered = stamping != SLA_RDTSC && sla_clock_armed() == SLA_ARMED_ON;
    channel.armed = is_ordered ? SLA_ARMED_ORDERED : SLA_ARMED_ON;
    channel.stamping = (uint16_t)stamping;
    channel.owner = sla_self();
    channel.direct = sla_clock_armed() == SLA_ARMED_ON && !is_ordered ? channel.owner : SLA_DIRECT_NOBODY;
    channel.own =
        (struct sla_writer){.limit = UINT64_MAX, .mask = SLOTS - 1, .slots = (unsigned char*)(void*)slots, .ring = &ring};
    uint16_t seen[WIDTHS];
    for (int run = 0; run < RUNS; run++) {
        memset(seen, 0, sizeof seen);
        for (int section = 0; section < SECTIONS; section++) {
            sla_mark(&channel, SLA_CODE_BEGIN, 0);
            sla_mark(&channel, SLA_CODE_END, 0);
            uint64_t width = (slots[1].stamp & SLA_TICK_MASK) - (slots[0].stamp & SLA_TICK_MASK);
            if (width < WIDTHS) seen[width]++;
        }
    }
    uint32_t mode = 0;
    for (uint32_t width = 1; width < WIDTHS; width++) {
        if (seen[width] > seen[mode]) mode = width;
    }
    __atomic_store_n(&known_of[stamping], mode, __ATOMIC_RELAXED);
    return mode;
}

/* The relaxed load is enough: who has a ring took the lock after the choice was made. */
static uint64_t machine_now(unsigned stamping) {
    if (__atomic_load_n(&chosen, __ATOMIC_RELAXED) == SLA_STAMP_TSC) return sla_read_tsc(stamping) & SLA_TICK_MASK;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return ((uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec) & SLA_TICK_MASK;
}

uint64_t sla_machine_now(void) {
    return machine_now(SLA_RDTSC);
}

uint64_t sla_now_stamped(unsigned stamping) {
    const uint64_t own = __atomic_load_n(&own_tick, __ATOMIC_RELAXED);
    return own != 0 ? own : machine_now(stamping);
}

uint64_t sla_now(void) {
    return sla_now_stamped(SLA_RDTSC);
}
