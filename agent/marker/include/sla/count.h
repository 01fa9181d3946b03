/* Hardware counters beside the stamp: SLA_COUNT(channel) records two of the processor's event counters, read with RDPMC.
 *
 *   #include <sla/count.h>
 *   SLA_CHANNEL(work, "app.work");
 *   SLA_COUNT(work);                       value: the first counter; detail: the second one
 *
 * Which two: SLA_COUNTERS=cycles,instructions in the environment (the default), or of cache-references, cache-misses,
 * branches, branch-misses, ref-cycles, rHEX (the processor's own number). They count this thread's own code, from its first
 * SLA_COUNT on. That first one opens them and makes system calls; all later ones make none.
 *
 * Where there are no counters (a virtual machine without them, no permission), the first SLA_COUNT of each thread records
 * one text that says why, and the later ones nothing. A counter that is not on the processor at that moment (too many are
 * wanted) gives a tick without a value. No signal handler may be the first to count on a thread.
 */
#ifndef SLA_COUNT_H
#define SLA_COUNT_H

#include <sla/marker.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Two counters of the calling thread, as one event. */
void sla_count(sla_channel* channel) SLA_NOEXCEPT;

/* Why this thread has no counters, NULL: it has. Opens them if it has not yet. */
const char* sla_count_problem(void) SLA_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#ifdef SLA_DISABLE
#define SLA_COUNT(channel) ((void)0)
#else
#define SLA_COUNT(channel)                                             \
    do {                                                               \
        sla_channel* sla_count_channel_ = (channel);                   \
        if (sla_on(sla_count_channel_)) sla_count(sla_count_channel_); \
    } while (0)
#endif

#endif
