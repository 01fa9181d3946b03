/* What the files of the marker library share. README.md says which file holds what. Not installed.
 *
 *   process.h ◄── internal.h ◄── rings.h ◄── event.h
 *   a guest       channels,      rings and   one event into
 *   of the        threads,       their       its ring
 *   program       the segment    memory
 */
#ifndef SLA_MARKER_INTERNAL_H
#define SLA_MARKER_INTERNAL_H

#include "agent/marker/process.h"

#include <sla/marker.h>
#include <sla/moment.h>

#define SLA_NESTING 4 /* a marker, interrupted by a handler's marker, interrupted by another's ... */

/* segment.c; all but sla_segment, sla_mapped and sla_descriptor under the lock. */
SLA_HIDDEN struct sla_segment_header* sla_segment(void); /* NULL: not made yet */
SLA_HIDDEN unsigned char* sla_mapped(
    void);                           /* the same; in a child without one, private memory in the place of its parent's */
SLA_HIDDEN int sla_segment_fd(void); /* -1: none, or the program took its number */
SLA_HIDDEN bool sla_segment_create(void);
SLA_HIDDEN bool sla_segment_renew(bool agent_gone); /* the same with a new memfd, where the old one's descriptor is lost */
SLA_HIDDEN uint64_t sla_segment_unread(void);       /* events that the agent has not taken out of its rings */
SLA_HIDDEN void sla_segment_forget_after_fork(void);
SLA_HIDDEN void sla_segment_leave_writable(const struct sla_writer* writer, enum sla_width width);
/* Put on record for agents to come: the agent receives the segment, and markers come on; they are on; they go off, since it
 * has gone: the second after the change, the third before it, so that nothing is missed outside of what is on record. */
SLA_HIDDEN void sla_segment_attaching(void);
SLA_HIDDEN void sla_segment_attached(void);
SLA_HIDDEN void sla_segment_detached(void);
SLA_HIDDEN struct sla_channel_descriptor* sla_descriptor(uint32_t index); /* from 1 */

/* descriptor.c; all but hashing under the lock, or in a sandbox. */
SLA_HIDDEN uint64_t sla_hash_name(const char* name);
SLA_HIDDEN uint32_t sla_register_channel(const sla_channel* channel); /* its index, 0: none left, or none to be had now */
SLA_HIDDEN unsigned sla_registered_stamping(uint32_t index);          /* enum sla_stamping, as who registered it wants */
SLA_HIDDEN void sla_descriptors_enter_sandbox(void);                  /* memory for all that may come; not under the lock */
SLA_HIDDEN void sla_descriptors_forget_after_fork(void);

/* marker.c: sla_record_moment where one has something in its way; `stack` is the pointer of the call that marks. */
SLA_HIDDEN void sla_record_each(const struct sla_event* events, size_t count, uint64_t tick, uintptr_t stack);

/* registry.c: makes sure that `channel` is registered and this thread's writer has a ring, if anybody listens to it. */
enum sla_prepared {
    SLA_PREPARED_READY,
    SLA_PREPARED_OFF,
    SLA_PREPARED_NO_SPACE,
    SLA_PREPARED_EARLY /* whether anybody listens is not known yet, and not waited for */
};
SLA_HIDDEN enum sla_prepared sla_prepare(sla_channel* channel, int depth, enum sla_width width);
SLA_HIDDEN void sla_disown_channels(void);                   /* those that this thread, which ends, owns */
SLA_HIDDEN uint32_t sla_channel_index(sla_channel* channel); /* registers it, if need be; as sla_register_channel */
struct sla_lost {
    uint64_t events, first_tick, last_tick; /* ticks: 0: not known */
};
/* Events that had no ring; index 0: of channels that have no descriptor. */
SLA_HIDDEN void sla_count_lost(uint32_t index, const struct sla_lost* lost);
SLA_HIDDEN void sla_count_no_ring(const sla_channel* channel); /* one, now */
SLA_HIDDEN void sla_arm_all(enum sla_armed armed);             /* under the lock, as the next two */
SLA_HIDDEN void sla_arm_as_wanted(void);
SLA_HIDDEN void sla_channels_forget_after_fork(void);

/* early.c: what is marked before the first look for an agent has ended, and does not wait for that. */
SLA_HIDDEN void sla_early_count(sla_channel* channel);
SLA_HIDDEN bool sla_early_any(void);
SLA_HIDDEN void sla_early_settle(void);               /* the look has ended; under the lock */
SLA_HIDDEN void sla_early_keep(sla_channel* channel); /* it is about to be gone; allocates, not under the lock */
SLA_HIDDEN void sla_early_forget_after_fork(void);

/* clock.c */
SLA_HIDDEN uint32_t sla_clock_choose(void);      /* enum sla_stamp_clock; under the lock, when the segment is made */
SLA_HIDDEN bool sla_clock_is_own(void);          /* stamps do not tell the machine's time */
SLA_HIDDEN bool sla_clock_is_raw(void);          /* they are not the TSC's, as the agent wants it */
SLA_HIDDEN enum sla_armed sla_clock_armed(void); /* what an armed channel is: inline code can stamp with the TSC only */

/* sla_now of a channel with that enum sla_stamping. */
SLA_HIDDEN uint64_t sla_now_stamped(unsigned stamping);
static inline unsigned sla_stamping_of(const sla_channel* channel) {
    return __atomic_load_n(&channel->stamping, __ATOMIC_RELAXED); /* changes before the channel has a ring, if ever */
}
/* Between a writer's being taken and its event's being written. */
static inline uint64_t sla_stamp_now(const sla_channel* channel) {
    return sla_stamps_inline(channel) ? sla_read_tsc(SLA_RDTSC) : sla_now_stamped(sla_stamping_of(channel));
}
/* What the program gets that wants this: nothing unknown, and no instruction that the processor does not have. */
SLA_HIDDEN unsigned sla_stamping_here(unsigned wanted);
SLA_HIDDEN unsigned sla_stamping_for(unsigned wanted, bool has_rdtscp);

/* The width of an empty section, begin to end, of markers stamped so; 0: too wide to say. */
SLA_HIDDEN uint32_t sla_section_ticks(unsigned stamping);

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
SLA_HIDDEN void sla_filter_clear_all(void); /* under the lock: what an agent asked for goes with it */

/* thread.c */
SLA_HIDDEN struct sla_filter_state* sla_thread_filter_states(void); /* by channel index; NULL: no table yet */
extern SLA_HIDDEN __thread struct sla_writer* sla_thread_tables[SLA_NESTING] __attribute__((tls_model("initial-exec")));
/* This thread's, all zero before its first use; NULL: none yet. */
static inline struct sla_writer* sla_thread_table(int depth) {
    return sla_thread_tables[depth];
}
SLA_HIDDEN struct sla_writer* sla_thread_table_make(int depth);
/* How far from sla_self every thread has the address of its first table; below 0, as the x86-64 ABI has thread-locals. */
SLA_HIDDEN int64_t sla_thread_table_place(void);
SLA_HIDDEN void sla_thread_loaded(void);
SLA_HIDDEN bool sla_thread_note_end(void); /* what the calling thread has goes when it ends; false: that cannot be had */
SLA_HIDDEN void sla_thread_forget_after_fork(uint32_t channels); /* so many its parent had */

/* count.c */
SLA_HIDDEN void sla_count_forget_after_fork(void);
SLA_HIDDEN void sla_count_thread_ended(void);

/* Where this thread writes such events of the channel; its table must be there. Of the owner only the own name matters, and
 * an old index 0 finds a writer without a ring: late views are fine. */
static inline struct sla_writer* sla_writer_of(sla_channel* channel, enum sla_width width, int depth) {
    bool is_owner = __atomic_load_n(&channel->owner, __ATOMIC_RELAXED) == sla_self();
    if (depth == 0 && width == SLA_WIDTH_PLAIN && is_owner) return &channel->own;
    size_t index = __atomic_load_n(&channel->index, __ATOMIC_RELAXED);
    return sla_thread_table(depth) + index * SLA_WIDTH_COUNT + width;
}

#endif
