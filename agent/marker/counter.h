/* One counter of the processor's or the kernel's: named, opened, read. */
#ifndef SLA_MARKER_COUNTER_H
#define SLA_MARKER_COUNTER_H

#include <linux/perf_event.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#include "agent/marker/process.h"

/* "cycles,instructions" as two attributes of perf_event_open. 0: cannot be read. */
struct sla_counter_choice {
    uint32_t type[2];
    uint64_t config[2];
};
SLA_HIDDEN int sla_counter_choose(const char* text, struct sla_counter_choice* choice);

/* The page that the kernel shares for a counter of the calling thread, which counts until it is unmapped. NULL, and errno. */
SLA_HIDDEN const struct perf_event_mmap_page* sla_counter_open(uint32_t type, uint64_t config);
SLA_HIDDEN const char* sla_counter_reason(int error); /* for people: why there is none */

/* Reads the processor's counter `index`: by RDPMC, but in tests. */
typedef uint64_t (*sla_read_counter)(uint32_t index);
SLA_HIDDEN uint64_t sla_counter_pmc(uint32_t index);

/* 1 and the count, or 0: the counter is not on the processor just now, or may not be read from here. */
SLA_HIDDEN int sla_counter_read(const struct perf_event_mmap_page* page, sla_read_counter read, uint64_t* count);
/* The same of one that the kernel counts, PERF_COUNT_SW_*. */
SLA_HIDDEN int sla_counter_software(uint64_t config, uint64_t* count);

#ifdef __cplusplus
}
#endif
#endif
