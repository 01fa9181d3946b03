/* Reading one hardware counter from the page that the kernel shares for it; apart from count.c for its tests. */
#ifndef SLA_MARKER_COUNT_H
#define SLA_MARKER_COUNT_H

#include <linux/perf_event.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reads the processor's counter `index` (RDPMC). */
typedef uint64_t (*sla_read_counter)(uint32_t index);

/* 1 and the count, or 0: the counter is not on the processor just now, or may not be read from here. */
int sla_count_read(const struct perf_event_mmap_page* page, sla_read_counter read, uint64_t* count);

/* "cycles,instructions" as two attributes of perf_event_open. 0: cannot be read. */
struct sla_counter_choice {
    uint32_t type[2];
    uint64_t config[2];
};
int sla_count_choose(const char* text, struct sla_counter_choice* choice);

#ifdef __cplusplus
}
#endif
#endif
