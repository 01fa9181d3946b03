/* What the files of the marker library share. Not installed.
 *
 *   marker.c    one event into a ring: nesting, full rings, losses   (hot when a ring is full; no lock, no system call)
 *   moment.c    events of one moment, by one stamp                   (the same)
 *   filter.c    which events an agent wants                          (hot when a channel is filtered)
 *   thread.c    a thread's tables of writers; closing them at its end
 *   segment.c   the memfd: its header, channel descriptors           (under the registry lock, signals blocked)
 *   ring.c      rings: a writer's first, the next, given up           (by writers and the attach thread)
 *   stock.c     rings made ahead, for whoever needs one at once      (no lock, no system call, where they are taken)
 *   arena.c     the memory of rings: made, used again                (under the registry lock)
 *   memory.c    memory asked for before it is touched, and the file that it is of
 *   budget.c    how much memory growing rings may take
 *   registry.c  channels that were marked, first markers             (takes the lock)
 *   attach.c    the process: states, the one small thread
 *   fork.c      a child: how it is noticed, and what it forgets
 *   leader.c    the end of a program whose main function has ended by pthread_exit, or by the system call exit
 *   sandbox.c   no system call any more
 *   link.c      the socket to the agent                              (the attach thread)
 *   files.c     descriptors apart from the program's                 (the attach thread)
 *   environment.c  what was read of it, once
 *   channel.c   channels named at run time
 *   debug.c     why nothing is recorded, for those who ask
 */
#ifndef SLA_MARKER_INTERNAL_H
#define SLA_MARKER_INTERNAL_H

#include <sla/marker.h>
#include <sla/moment.h>

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define SLA_HIDDEN __attribute__((visibility("hidden")))
#define SLA_NESTING 4 /* a marker, interrupted by a handler's marker, interrupted by another's ... */

/* Blocks every signal and takes the registry lock, so that no handler of this thread can come to want the lock it holds, and
 * no cancellation ends the thread that has it. Unlocking puts all back as it was, errno too. Who has it already, and comes
 * `again` because the program marks what the library calls, gets by without. */
struct sla_locked {
    sigset_t before;
    int cancel_before;
    int errno_before;
    bool again;
};
SLA_HIDDEN struct sla_locked sla_lock(void);
SLA_HIDDEN void sla_unlock(const struct sla_locked* locked);
SLA_HIDDEN void sla_lock_let_go(void); /* for a while; signals stay blocked */
SLA_HIDDEN void sla_lock_take_again(void);
SLA_HIDDEN void sla_wait(pthread_cond_t* condition, const struct timespec* until); /* without the lock meanwhile */

/* environment.c; under the lock, but that the attach thread, which starts later, reads it as it likes. */
struct sla_settings {
    char runtime_dir[256]; /* a socket's path is shorter: what does not fit here would not fit there */
    char session_dir[256];
    char counters[64];
    uint64_t ring_slots; /* 0: nobody says */
    bool debug;
};
SLA_HIDDEN const struct sla_settings* sla_environment(void);
SLA_HIDDEN void sla_environment_forget_after_fork(void);
SLA_HIDDEN int sla_agent_path(char* path, size_t capacity, const char* leaf); /* as sla_runtime_path */

/* files.c */
struct sla_file {
    int fd; /* -1: none */
    dev_t device;
    ino_t inode;
};
SLA_HIDDEN void sla_files_leave_program(void); /* the calling thread gets a table of descriptors of its own, if it can */
SLA_HIDDEN bool sla_files_are_apart(void);
SLA_HIDDEN void sla_files_forget_after_fork(void);
SLA_HIDDEN bool sla_file_keep(struct sla_file* file, int fd); /* parks it and notes which file it is */
SLA_HIDDEN bool sla_file_is_ours(const struct sla_file* file);
SLA_HIDDEN void sla_file_close(struct sla_file* file); /* a number that is not ours any more is left alone */
/* Text with a NUL; what read() gave, -1: cannot be opened. */
SLA_HIDDEN ssize_t sla_read_file(const char* path, char* text, size_t capacity);

/* memory.c: false: there is none, and a store might end the program. The memory is zero and nobody's yet. */
SLA_HIDDEN bool sla_populate(void* start, uint64_t bytes);
SLA_HIDDEN bool sla_memfd_make(struct sla_file* file); /* of a segment's size; under the lock, as the next */
SLA_HIDDEN void* sla_memfd_map(int fd);                /* NULL: it cannot be had */

/* link.c; all but receiving under the lock. Connected, there is a segment; announced, the agent has it and markers are on.
 * Receiving waits a second at most, or does not wait. */
enum sla_received { SLA_GOT_NOTHING, SLA_GOT_WELCOME, SLA_GOT_CONTROLS, SLA_GOT_REFUSAL, SLA_GOT_LOSS };
SLA_HIDDEN bool sla_link_connect(void);
SLA_HIDDEN bool sla_link_announce(void);
SLA_HIDDEN enum sla_received sla_link_receive(bool wait);
SLA_HIDDEN void sla_link_close(void);
SLA_HIDDEN void sla_link_forget_after_fork(void);

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
SLA_HIDDEN uint64_t sla_hash_name(const char* name);
/* Put on record for agents to come: the agent receives the segment, and markers come on; they are on; they go off, since it
 * has gone: the second after the change, the third before it, so that nothing is missed outside of what is on record. */
SLA_HIDDEN void sla_segment_attaching(void);
SLA_HIDDEN void sla_segment_attached(void);
SLA_HIDDEN void sla_segment_detached(void);
SLA_HIDDEN struct sla_channel_descriptor* sla_descriptor(uint32_t index); /* from 1 */
SLA_HIDDEN uint32_t sla_register_channel(const sla_channel* channel);     /* its index, 0: none left */
SLA_HIDDEN unsigned sla_registered_stamping(uint32_t index);              /* enum sla_stamping, as who registered it wants */
SLA_HIDDEN void sla_segment_describe(const char* name, enum sla_source_kind kind);

/* marker.c: sla_record_moment where one has something in its way; `stack` is the pointer of the call that marks. */
SLA_HIDDEN void sla_record_each(const struct sla_event* events, size_t count, uint64_t tick, uintptr_t stack);

/* ring.c; only sla_claim_ring is called under the lock. */
SLA_HIDDEN bool sla_claim_ring(const sla_channel* channel, enum sla_width width, struct sla_writer* writer);
SLA_HIDDEN void sla_close_ring(struct sla_writer* writer); /* its thread ends */
/* Goes over to the ring that is offered, or to one in stock if its own is full; the writer is taken, and looks for space. */
SLA_HIDDEN void sla_ring_follow(struct sla_writer* writer);
/* Of a ring that has lost events and not said so yet: this one is lost, too, and no other ring can be had for it. */
SLA_HIDDEN bool sla_ring_goes_on_losing(const struct sla_ring_header* ring);
/* Where a flight recorder's writer must look again, that stands at `position` and whose reader lets it go up to `limit`. */
SLA_HIDDEN uint64_t sla_ring_flight_limit(const struct sla_writer* writer, uint64_t position, uint64_t limit);
SLA_HIDDEN void sla_grow_rings(void);          /* the attach thread: what the agent asked for */
SLA_HIDDEN void sla_rings_enter_sandbox(void); /* the attach thread: what nobody can bring later */

/* stock.c: rings in stock, CLAIMED and populated. Anybody may take and give back; the other three are the attach thread's
 * (begin: what is to be there before the first marker returns; fill: what was taken, true: look again soon). */
#define SLA_FIRST_RING_BYTES (UINT64_C(32) << 10)
#define SLA_BIG_SPARE_BYTES (UINT64_C(1) << 20)
SLA_HIDDEN struct sla_ring_header* sla_stock_take_first(void); /* NULL: none left, as the next */
SLA_HIDDEN struct sla_ring_header* sla_stock_take(const struct sla_ring_header* old, bool big_first);
SLA_HIDDEN void sla_stock_give_back(struct sla_ring_header* ring);
SLA_HIDDEN void sla_stock_begin(void);
SLA_HIDDEN bool sla_stock_fill(void);
SLA_HIDDEN void sla_stock_forget_after_fork(void);

/* arena.c; claims under the lock. All give rings that are CLAIMED, NULL: there is no space. */
SLA_HIDDEN struct sla_ring_header* sla_ring_at(uint32_t number);
SLA_HIDDEN uint32_t sla_ring_number(const struct sla_ring_header* ring);
SLA_HIDDEN unsigned char* sla_ring_slots(const struct sla_ring_header* ring);
SLA_HIDDEN struct sla_ring_header* sla_arena_claim(uint64_t bytes);
SLA_HIDDEN struct sla_ring_header* sla_arena_claim_first(void); /* of the size that fits so many */
/* To take others' places, and for the stock: within the budget, and not populated. */
SLA_HIDDEN struct sla_ring_header* sla_arena_claim_growth(uint64_t bytes);
SLA_HIDDEN struct sla_ring_header* sla_arena_claim_spare(uint64_t bytes);
SLA_HIDDEN bool sla_arena_populate(struct sla_ring_header* ring);  /* not under the lock; false: it is nobody's for ever */
SLA_HIDDEN void sla_arena_give_back(struct sla_ring_header* ring); /* by anybody; populated */
SLA_HIDDEN void sla_arena_forget_after_fork(void);

/* budget.c: bytes that all growth of this process together may take. */
SLA_HIDDEN uint64_t sla_growth_budget(void);

/* registry.c: makes sure that `channel` is registered and this thread's writer has a ring, if anybody listens to it. */
enum sla_prepared { SLA_PREPARED_READY, SLA_PREPARED_OFF, SLA_PREPARED_NO_SPACE };
SLA_HIDDEN enum sla_prepared sla_prepare(sla_channel* channel, int depth, enum sla_width width);
SLA_HIDDEN void sla_disown_channels(void); /* those that this thread, which ends, owns */
SLA_HIDDEN void sla_count_no_ring(const sla_channel* channel);
SLA_HIDDEN void sla_arm_all(enum sla_armed armed); /* under the lock, as the next two */
SLA_HIDDEN void sla_arm_as_wanted(void);
SLA_HIDDEN void sla_channels_forget_after_fork(void);

/* fork.c */
SLA_HIDDEN void sla_notice_child(void);
SLA_HIDDEN void sla_know_children(void); /* those that come without fork's handlers; under the lock */

/* leader.c: the process's first thread. */
SLA_HIDDEN bool sla_leader_is_here(void); /* as the library is loaded: true on that thread */
/* Of a thread whose data is destroyed. True: it is the first one, and comes by here again; from the last time it may not come
 * back, but end the program. */
SLA_HIDDEN bool sla_leader_ends(void);
SLA_HIDDEN bool sla_leader_waits(void);
SLA_HIDDEN bool sla_leader_left_us_alone(void); /* it has ended by the system call, and all others but ours too */
SLA_HIDDEN void sla_leader_end_after(void);     /* ends the calling thread: the last, whose status is the process's */
SLA_HIDDEN void sla_leader_forget_after_fork(void);

/* attach.c */
SLA_HIDDEN bool sla_attached(void); /* under the lock: looks for an agent, the first time; true when one listens */
SLA_HIDDEN bool sla_is_on(void);
SLA_HIDDEN bool sla_thread_runs(void);
SLA_HIDDEN bool sla_thread_lives(void); /* has begun to run; any thread may ask */
SLA_HIDDEN void sla_changed(void);      /* wakes all who wait for a change, the thread too; under the lock, as the next */
SLA_HIDDEN void sla_wait_for_change(long milliseconds);
SLA_HIDDEN bool sla_is_exiting(void);
SLA_HIDDEN void sla_attach_forget_after_fork(void);

/* sandbox.c */
SLA_HIDDEN bool sla_in_sandbox(void);                      /* no system call any more */
SLA_HIDDEN void sla_park(const struct sla_locked* locked); /* the attach thread's end; does not return */

/* clock.c */
SLA_HIDDEN uint32_t sla_clock_choose(void);      /* enum sla_stamp_clock; under the lock, when the segment is made */
SLA_HIDDEN bool sla_clock_is_own(void);          /* stamps do not tell the machine's time */
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

/* The width of an empty section, begin to end, of markers stamped so; 0: too wide to say. Under the lock. */
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

/* False in a forked child of its parent's rings: the memory in their place is zero. */
static inline bool sla_has_ring(const struct sla_writer* writer) {
    return writer->ring && writer->ring->generation != 0;
}

/* One event that was not written at `position`, which is free again. */
static inline void sla_drop(struct sla_ring_header* ring, uint64_t position, uint64_t tick) {
    uint64_t lost = __atomic_load_n(&ring->lost, __ATOMIC_RELAXED);
    if (lost == ring->lost_reported) __atomic_store_n(&ring->lost_first_tick, tick, __ATOMIC_RELAXED);
    __atomic_store_n(&ring->lost_last_tick, tick, __ATOMIC_RELAXED);
    __atomic_store_n(&ring->lost, lost + 1,
                     __ATOMIC_RELEASE); /* pairs with RingReader's acquire of lost: it sees the ticks */
    __atomic_store_n(&ring->reserve, position, __ATOMIC_RELAXED);
}

static inline size_t sla_slot_bytes(enum sla_width width) {
    return width == SLA_WIDTH_PLAIN
               ? sizeof(struct sla_slot_plain)
               : (width == SLA_WIDTH_WIDE ? sizeof(struct sla_slot_wide) : sizeof(struct sla_slot_text));
}

/* debug.c: says why nothing is recorded, when SLA_DEBUG is set; a library has no business on stderr otherwise. */
SLA_HIDDEN void sla_debug(const char* what, int errno_value);

#endif
