/* Markers and counters for guests written in C: kernels of 32 bits without a library, C99 and C++ (GCC, Clang). The same as
 * sla_guest.inc for NASM; emu/vmm/guest_markers.h has the calls. Where no emulated PC listens at the port, marking does
 * nothing but take its time, and channels are SLA_GUEST_REFUSED.
 *
 *     static uint32_t work;
 *     work = sla_guest_channel("work");            the lane guest.work
 *     sla_guest_begin(work); ... sla_guest_end(work);
 *
 *     uint64_t overhead = sla_guest_tsc_overhead();
 *     uint64_t before = sla_guest_tsc(); ...; uint64_t took = sla_guest_tsc() - before - overhead;
 *
 * Spans are sections for `sla counters sweep --section guest.work`; those of a channel "empty", with nothing between begin and
 * end, say what a section costs by itself.
 */
#ifndef SLA_GUEST_H
#define SLA_GUEST_H

#include <stdint.h>

#define SLA_GUEST_REFUSED 0xFFFFFFFFu

/* Linear addresses are flat here, so that a pointer is one. The answer: the channel's number, 0, or SLA_GUEST_REFUSED. Names are
 * UTF-8; of one over 64 bytes the lane has the beginning and a hash, one over 1,024 is refused. */
static inline uint32_t sla_guest_call(uint32_t call, uint32_t channel, uint32_t value) {
    uint32_t answer = 0x534C4100u + call;
    __asm__ volatile("outl %%eax, %%dx\n\tinl %%dx, %%eax" : "+a"(answer) : "b"(channel), "c"(value), "d"(0x5A0) : "memory");
    return answer;
}

static inline uint32_t sla_guest_channel(const char* name) {
    return sla_guest_call(0, 0, (uint32_t)(uintptr_t)name);
}
static inline void sla_guest_tick(uint32_t channel) {
    (void)sla_guest_call(1, channel, 0);
}
static inline void sla_guest_begin(uint32_t channel) {
    (void)sla_guest_call(3, channel, 0);
}
static inline void sla_guest_end(uint32_t channel) {
    (void)sla_guest_call(4, channel, 0);
}
static inline void sla_guest_value(uint32_t channel, uint32_t value) {
    (void)sla_guest_call(6, channel, value);
}

/* Behind CPUID, so that nothing before it is still running. */
static inline uint64_t sla_guest_tsc(void) {
    uint32_t low = 0, high;
    __asm__ volatile("cpuid\n\trdtsc" : "+a"(low), "=d"(high) : : "ebx", "ecx", "memory");
    return (uint64_t)high << 32 | low;
}

/* Counter 0 or 1, likewise. Ring 3 needs CR4.PCE. */
static inline uint64_t sla_guest_pmc(uint32_t counter) {
    uint32_t low = 0, high;
    __asm__ volatile("cpuid\n\tmovl %2, %%ecx\n\trdpmc" : "+a"(low), "=&d"(high) : "S"(counter) : "ebx", "ecx", "memory");
    return (uint64_t)high << 32 | low;
}

/* What two readings with nothing between them differ by: the third of three times, since the first two warm the caches. */
static inline uint64_t sla_guest_tsc_overhead(void) {
    uint64_t took = 0;
    for (int i = 0; i < 3; i++) {
        const uint64_t before = sla_guest_tsc();
        took = sla_guest_tsc() - before;
    }
    return took;
}
static inline uint64_t sla_guest_pmc_overhead(uint32_t counter) {
    uint64_t took = 0;
    for (int i = 0; i < 3; i++) {
        const uint64_t before = sla_guest_pmc(counter);
        took = sla_guest_pmc(counter) - before;
    }
    return took;
}

#endif
