/* Counters beside the stamp: SLA_COUNT(channel) records two of the processor's event counters, read with RDPMC, or of the
 * kernel's own, by one system call each.
 *
 *   #include <sla/count.h>
 *   SLA_CHANNEL(work, "app.work");
 *   SLA_COUNT(work);                       value: the first counter; detail: the second one
 *
 *   SLA_COUNT_BEGIN(work); ... SLA_COUNT_END(work);     a span with the counters at both ends: a section for
 *                                                       `sla counters sweep --section app.work`, which goes through all
 *
 * Which two: SLA_COUNTERS=cycles,instructions in the environment (the default), or of cache-references, cache-misses,
 * branches, branch-misses, ref-cycles, rHEX (the processor's own number). They count this thread's own code, from its first
 * SLA_COUNT on. That first one opens them and makes system calls; all later ones make none. The kernel's: task-clock (ns on a
 * processor), page-faults, minor-faults, major-faults, context-switches, of this thread since it began; not in a sandbox.
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

/* The same as begin and end of a span. Without counters the span is there, and a text that says why. */
void sla_count_begin(sla_channel* channel) SLA_NOEXCEPT;
void sla_count_end(sla_channel* channel) SLA_NOEXCEPT;

/* Why this thread has no counters, NULL: it has. Opens them if it has not yet. */
const char* sla_count_problem(void) SLA_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#ifdef SLA_DISABLE
#define SLA_COUNT(channel) SLA_UNUSED_1_(channel)
#define SLA_COUNT_BEGIN(channel) SLA_UNUSED_1_(channel)
#define SLA_COUNT_END(channel) SLA_UNUSED_1_(channel)
#define sla_count(channel) SLA_UNUSED_1_(channel)
#define sla_count_begin(channel) SLA_UNUSED_1_(channel)
#define sla_count_end(channel) SLA_UNUSED_1_(channel)
#else
#define SLA_COUNT(channel)                                             \
    do {                                                               \
        sla_channel* sla_count_channel_ = (channel);                   \
        if (sla_on(sla_count_channel_)) sla_count(sla_count_channel_); \
    } while (0)
#define SLA_COUNT_BEGIN(channel)                                             \
    do {                                                                     \
        sla_channel* sla_count_channel_ = (channel);                         \
        if (sla_on(sla_count_channel_)) sla_count_begin(sla_count_channel_); \
    } while (0)
#define SLA_COUNT_END(channel)                                             \
    do {                                                                   \
        sla_channel* sla_count_channel_ = (channel);                       \
        if (sla_on(sla_count_channel_)) sla_count_end(sla_count_channel_); \
    } while (0)
#endif

#endif
