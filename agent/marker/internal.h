/* What the files of the marker library share. Not installed.
 *
 *   marker.c    one event into a ring: nesting, full rings, losses   (hot when a ring is full; no lock, no system call)
 *   filter.c    which events an agent wants                          (hot when a channel is filtered)
 *   thread.c    a thread's tables of writers; closing them at its end
 *   segment.c   the memfd: its header, channel descriptors           (under the registry lock, signals blocked)
 *   ring.c      rings: claimed, replaced by bigger ones, given up    (the same, where it does not say otherwise)
 *   budget.c    how much memory growing rings may take
 *   attach.c    the process: finding an agent, losing it, fork       (the same, and the one small thread)
 *   channel.c   channels named at run time
 *   debug.c     why nothing is recorded, for those who ask
 */
#ifndef SLA_MARKER_INTERNAL_H
#define SLA_MARKER_INTERNAL_H

#include <sla/marker.h>

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#define SLA_HIDDEN __attribute__((visibility("hidden")))
#define SLA_NESTING 4 /* a marker, interrupted by a handler's marker, interrupted by another's ... */

/* Blocks every signal and takes the registry lock, so that no handler of this thread can come to want the lock it holds. */
struct sla_locked {
    sigset_t before;
};
SLA_HIDDEN struct sla_locked sla_lock(void);
SLA_HIDDEN void sla_unlock(const struct sla_locked* locked);

/* segment.c; all but sla_segment and sla_descriptor under the lock. */
SLA_HIDDEN struct sla_segment_header* sla_segment(void); /* NULL: not made yet */
SLA_HIDDEN int sla_segment_fd(void);
SLA_HIDDEN bool sla_segment_create(void);
SLA_HIDDEN void sla_segment_forget_after_fork(void);
/* Put on record for agents to come: markers are on, and the agent is about to hear of the segment; they go off, since it has
 * gone: the one after the change, the other before it, so that nothing is missed outside of what is on record. */
SLA_HIDDEN void sla_segment_attached(void);
SLA_HIDDEN void sla_segment_detached(void);
SLA_HIDDEN struct sla_channel_descriptor* sla_descriptor(uint32_t index); /* from 1 */
SLA_HIDDEN uint32_t sla_register_channel(const sla_channel* channel);     /* its index, 0: none left */
SLA_HIDDEN void sla_segment_describe(const char* name, enum sla_source_kind kind);

/* ring.c; only sla_claim_ring is called under the lock. */
SLA_HIDDEN bool sla_claim_ring(const sla_channel* channel, enum sla_width width, struct sla_writer* writer);
SLA_HIDDEN void sla_close_ring(struct sla_writer* writer);  /* its thread ends */
SLA_HIDDEN void sla_ring_follow(struct sla_writer* writer); /* goes to the bigger ring, if one is offered; writer taken */
SLA_HIDDEN void sla_grow_rings(void);                       /* the attach thread: what the agent asked for */
SLA_HIDDEN void sla_rings_forget_after_fork(void);

/* budget.c: bytes that all growth of this process together may take. */
SLA_HIDDEN uint64_t sla_growth_budget(void);

/* attach.c: makes sure that `channel` is registered and this thread's writer has a ring, if anybody listens to it. */
enum sla_prepared { SLA_PREPARED_READY, SLA_PREPARED_OFF, SLA_PREPARED_NO_ROOM };
SLA_HIDDEN enum sla_prepared sla_prepare(sla_channel* channel, int depth, enum sla_width width);
SLA_HIDDEN void sla_disown_channels(void); /* those that this thread, which ends, owns */
SLA_HIDDEN void sla_count_no_ring(const sla_channel* channel);

/* clock.c */
SLA_HIDDEN uint32_t sla_clock_choose(void);      /* enum sla_stamp_clock; under the lock, when the segment is made */
SLA_HIDDEN enum sla_armed sla_clock_armed(void); /* what an armed channel is: inline code can stamp with the TSC only */

/* The width of an empty section, begin to end; 0: too wide to say. Under the lock. */
SLA_HIDDEN uint32_t sla_section_ticks(void);

/* filter.c */
struct sla_filter_state { /* one thread's, of one channel */
    uint64_t passed;      /* markers whose value passed */
    uint64_t turned_away; /* a bit for each open span, the innermost lowest */
    uint64_t sequence;    /* of the control that both belong to */
};
SLA_HIDDEN bool sla_filter_keeps(const sla_channel* channel, struct sla_filter_state* states, enum sla_code code,
                                 uint64_t value);
/* One event turned away, counted in the writer's ring; NULL: there is none. */
SLA_HIDDEN void sla_filter_count(const sla_channel* channel, const struct sla_writer* writer);
SLA_HIDDEN enum sla_armed sla_filter_armed(const sla_channel* channel); /* as long as somebody listens */
SLA_HIDDEN enum sla_policy sla_filter_policy(const sla_channel* channel);
SLA_HIDDEN void sla_filter_clear_all(void); /* under the lock: what an agent wished goes with it */

/* thread.c */
SLA_HIDDEN struct sla_filter_state* sla_thread_filter_states(void); /* by channel index; NULL: no table yet */
SLA_HIDDEN struct sla_writer* sla_thread_table(int depth); /* this thread's, all zero before its first use; NULL: none yet */
SLA_HIDDEN struct sla_writer* sla_thread_table_make(int depth);
SLA_HIDDEN void sla_thread_forget_after_fork(void);

/* Where this thread writes such events of the channel; its table must be there. Of the owner only the own name matters, and
 * an old index 0 finds a writer without a ring: late views are fine. */
static inline struct sla_writer* sla_writer_of(sla_channel* channel, enum sla_width width, int depth) {
    bool is_owner = __atomic_load_n(&channel->owner, __ATOMIC_RELAXED) == sla_self();
    if (depth == 0 && width == SLA_WIDTH_PLAIN && is_owner) return &channel->own;
    size_t index = __atomic_load_n(&channel->index, __ATOMIC_RELAXED);
    return sla_thread_table(depth) + index * SLA_WIDTH_COUNT + width;
}

static inline size_t sla_slot_bytes(enum sla_width width) {
    return width == SLA_WIDTH_PLAIN
               ? sizeof(struct sla_slot_plain)
               : (width == SLA_WIDTH_WIDE ? sizeof(struct sla_slot_wide) : sizeof(struct sla_slot_text));
}

/* debug.c: says why nothing is recorded, when SLA_DEBUG is set; a library has no business on stderr otherwise. */
SLA_HIDDEN void sla_debug(const char* what, int errno_value);

#endif
