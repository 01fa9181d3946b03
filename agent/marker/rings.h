/* Rings and the memory that they are of. Not installed. */
#ifndef SLA_MARKER_RINGS_H
#define SLA_MARKER_RINGS_H

#include "agent/marker/internal.h"

/* ring.c; only sla_claim_ring is called under the lock. */
SLA_HIDDEN bool sla_claim_ring(const sla_channel* channel, enum sla_width width, struct sla_writer* writer);
SLA_HIDDEN void sla_close_ring(struct sla_writer* writer); /* its thread ends */
/* Goes over to the ring that is offered, or to one in stock if its own is full; the writer is taken, and looks for space. */
SLA_HIDDEN void sla_ring_follow(struct sla_writer* writer);
/* Of a ring that has lost events and not said so yet: this one is lost, too, and no other ring can be had for it. */
SLA_HIDDEN bool sla_ring_goes_on_losing(const struct sla_ring_header* ring);
/* Where a flight recorder's writer must look again, that stands at `position` and whose reader lets it go up to `limit`. */
SLA_HIDDEN uint64_t sla_ring_flight_limit(const struct sla_writer* writer, uint64_t position, uint64_t limit);
/* Of a ring that takes another's place: all but for its slots' memory, which growth.c has touched afterwards. */
SLA_HIDDEN void sla_ring_describe_like(struct sla_ring_header* ring, const struct sla_ring_header* old);
/* What `successor` says: this generation's, and the number + 1 of the next ring, 0 or SLA_NO_SUCCESSOR. */
static inline uint64_t sla_successor_word(const struct sla_ring_header* ring, uint32_t low) {
    return ring->generation << 32 | low;
}
static inline bool sla_ring_may_grow(const struct sla_ring_header* ring) {
    return ring->arena_bytes < ring->most_bytes;
}

/* growth.c; both are the attach thread's. */
SLA_HIDDEN void sla_grow_rings(void);          /* what the agent asked for */
SLA_HIDDEN void sla_rings_enter_sandbox(void); /* what nobody can bring later */

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

/* memory.c: false: there is none, and a store might end the program. The memory is zero and nobody's yet. */
SLA_HIDDEN bool sla_populate(void* start, uint64_t bytes);
SLA_HIDDEN bool sla_memfd_make(struct sla_file* file); /* of a segment's size; under the lock, as the next */
SLA_HIDDEN void* sla_memfd_map(int fd);                /* NULL: it cannot be had */
SLA_HIDDEN bool sla_memory_open(void* mapped); /* all of a segment, which otherwise is opened where it is asked for */

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

#endif
