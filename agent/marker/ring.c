/* Rings in their writers' hands: a first one, going over to another, giving up. The drawing is in ring_abi.h.
 *
 *   a writer's first ring     32 KiB out of the stock (stock.c); populated by the marker itself where the stock is empty
 *   it is full                the writer takes the next ring out of the stock and goes over: small ones if it filled slowly,
 *                             big ones if it filled fast
 *   the agent sees it fill    two- or fourfold, up to kMaxBytes, made by the attach thread (growth.c), which touches the
 *                             memory; the writer goes over when it next looks for free space
 *
 * So a slow program takes little memory, a fast one loses nothing before anybody has noticed it, and then gets a ring that
 * lasts while the agent's core is somewhere else. What is left behind is used again (arena.c). A ring that somebody sized
 * keeps its size; a flight recorder that nobody sized grows up to kMaxFlightBytes.
 */
#define _GNU_SOURCE
#include "agent/marker/rings.h"

#include "proto/base/environment.h"

#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* 4 M plain events: 140 ms at 30 M events/s. */
static const uint64_t kMaxBytes = UINT64_C(64) << 20;
static const uint64_t kMaxFlightBytes = UINT64_C(8) << 20;

/* A small ring that is full within this, 0.15 ms at 3 GHz, was filled fast: only one or two writers of a program can do that
 * at a time. */
static const uint64_t kFastTicks = 450000;

static uint64_t power_of_two_below(uint64_t number) {
    return UINT64_C(1) << (63 - __builtin_clzll(number));
}

/* $SLA_RING_SLOTS sizes every ring whose channel does not say; for tests and for tight machines. 0: nobody says. */
static uint64_t chosen_bytes(const sla_channel* channel, enum sla_width width) {
    uint64_t slots = channel->capacity;
    if (!slots) slots = sla_environment()->ring_slots;
    if (!slots) return 0;
    if (slots < SLA_FEWEST_RING_SLOTS) slots = SLA_FEWEST_RING_SLOTS;
    if (slots > SLA_MOST_RING_SLOTS) slots = SLA_MOST_RING_SLOTS;
    return power_of_two_below(slots) * sla_slot_bytes(width);
}

/* CLAIMED and described, but for whose it is. */
static void begin_generation(struct sla_ring_header* ring) {
    ring->capacity = (uint32_t)power_of_two_below(ring->arena_bytes / sla_slot_bytes((enum sla_width)ring->width));
    ring->lost_reported = ring->lost;
    __atomic_store_n(&ring->wanted_bytes, 0, __ATOMIC_RELAXED); /* seen with state: LIVE releases it, as the next but one */
    ring->generation++;
    __atomic_store_n(&ring->successor, sla_successor_word(ring, 0), __ATOMIC_RELAXED);
}

uint64_t sla_ring_flight_limit(const struct sla_writer* writer, uint64_t position, uint64_t limit) {
    if (!sla_ring_may_grow(writer->ring)) return UINT64_MAX;
    return position < limit ? limit : position + writer->mask / 2 + 1;
}

/* When the newest rings of a program with a time of its own went live, by the machine's. Its markers are all on one thread; a
 * handler's may spoil an entry, and a ring that filled fast is taken for another. */
enum { NEWEST_RINGS = 64 };
static struct {
    const struct sla_ring_header* ring;
    uint64_t tick;
} newest_rings[NEWEST_RINGS];

static void note_live(const struct sla_ring_header* ring) {
    const uint32_t at = sla_ring_number(ring) % NEWEST_RINGS;
    newest_rings[at].ring = ring;
    newest_rings[at].tick = sla_machine_now();
}

/* The count shows the agent that there is something to find, before any event of it is stamped. A handler may leave from
 * amid of this by a jump: what the writer has is LIVE at any moment. */
static void go_live(struct sla_segment_header* segment, struct sla_writer* writer, struct sla_ring_header* ring) {
    if (sla_clock_is_own()) note_live(ring);
    writer->limit = 0;
    __atomic_store_n(&ring->state, SLA_RING_LIVE, __ATOMIC_RELEASE); /* pairs with RingReader::open's acquire */
    writer->slots = (unsigned char*)segment + ring->offset;
    writer->mask = ring->capacity - 1;
    writer->next = ring->head;
    __atomic_store_n(&writer->ring, ring, __ATOMIC_RELEASE);         /* not before what stands above; read on this thread */
    __atomic_fetch_add(&segment->rings_opened, 1, __ATOMIC_RELEASE); /* pairs with SegmentView::rings_opened */
}

static void describe_most(struct sla_ring_header* ring, bool is_chosen) {
    ring->most_bytes = is_chosen ? 0 : (ring->policy == SLA_OVERWRITE ? kMaxFlightBytes : kMaxBytes);
}

bool sla_claim_ring(const sla_channel* channel, enum sla_width width, struct sla_writer* writer) {
    uint64_t chosen = chosen_bytes(channel, width);
    struct sla_ring_header* ring = chosen ? sla_arena_claim(chosen) : sla_arena_claim_first();
    if (!ring) return false;
    ring->channel = channel->index;
    ring->thread = (uint32_t)syscall(SYS_gettid);
    ring->width = width;
    ring->policy = sla_filter_policy(channel);
    ring->follows = 0;
    describe_most(ring, chosen != 0);
    if (prctl(PR_GET_NAME, ring->thread_name, 0, 0, 0) != 0) ring->thread_name[0] = '\0';
    begin_generation(ring);
    go_live(sla_segment(), writer, ring);
    return true;
}

void sla_ring_describe_like(struct sla_ring_header* ring, const struct sla_ring_header* old) {
    ring->channel = old->channel;
    ring->thread = old->thread;
    ring->width = old->width;
    ring->policy = old->policy;
    ring->follows = 1;
    ring->most_bytes = old->most_bytes;
    memcpy(ring->thread_name, old->thread_name, sizeof ring->thread_name);
    begin_generation(ring);
}

void sla_close_ring(struct sla_writer* writer) {
    struct sla_ring_header* ring = writer->ring;
    /* pairs with offer's: either it sees that the writer is gone, or we see the ring that it offered */
    uint64_t offered = __atomic_exchange_n(&ring->successor, sla_successor_word(ring, SLA_NO_SUCCESSOR), __ATOMIC_ACQ_REL);
    if ((uint32_t)offered != 0 && (uint32_t)offered != SLA_NO_SUCCESSOR)
        sla_arena_give_back(sla_ring_at((uint32_t)offered - 1));
    if (ring->reserve != ring->head) sla_drop(ring, ring->head, sla_now()); /* a marker was left half-way */
    /* pairs with the agent's acquire of state: it sees every event of the ring before it sees the end */
    __atomic_store_n(&ring->state, SLA_RING_CLOSED, __ATOMIC_RELEASE);
}

/* No free space for the next event (and the word of losses before it), as far as the agent has read. */
static bool is_full(const struct sla_ring_header* ring) {
    uint64_t tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE); /* pairs with RingReader's release of tail */
    uint64_t needed = ring->policy != SLA_OVERWRITE && ring->lost != ring->lost_reported ? 2 : 1;
    return ring->head + needed > tail + ring->capacity;
}

/* The stock has none for one that outgrew it. */
bool sla_ring_goes_on_losing(const struct sla_ring_header* ring) {
    const bool may_find_another = ring->most_bytes != 0 && ring->arena_bytes <= SLA_BIG_SPARE_BYTES;
    const uint64_t successor = __atomic_load_n(&ring->successor, __ATOMIC_RELAXED); /* a late view loses one more */
    return ring->policy != SLA_OVERWRITE && ring->lost != ring->lost_reported && !may_find_another &&
           (uint32_t)successor == 0 && is_full(ring);
}

static uint64_t ticks_since_live(const struct sla_ring_header* ring) {
    const uint32_t at = sla_ring_number(ring) % NEWEST_RINGS;
    return newest_rings[at].ring == ring ? sla_machine_now() - newest_rings[at].tick : UINT64_MAX;
}

/* By the stamps of the oldest and the newest event in it. */
static uint64_t ticks_of_events(const struct sla_writer* writer) {
    const struct sla_ring_header* ring = writer->ring;
    size_t bytes = sla_slot_bytes((enum sla_width)ring->width);
    const unsigned char* newest = writer->slots + ((ring->head - 1) & writer->mask) * bytes;
    const unsigned char* oldest = writer->slots + (ring->head & writer->mask) * bytes;
    return (((const struct sla_slot_plain*)(const void*)newest)->stamp -
            ((const struct sla_slot_plain*)(const void*)oldest)->stamp) &
           SLA_TICK_MASK;
}

static bool was_filled_fast(const struct sla_writer* writer) {
    const struct sla_ring_header* ring = writer->ring;
    const uint64_t ticks = sla_clock_is_own() ? ticks_since_live(ring) : ticks_of_events(writer);
    return ticks / (ring->arena_bytes / SLA_FIRST_RING_BYTES + 1) < kFastTicks;
}

/* A ring out of the stock for a writer whose own is full; its number + 1, or what the attach thread has offered meanwhile.
 */
static uint32_t take_successor(struct sla_writer* writer) {
    struct sla_ring_header* old = writer->ring;
    struct sla_ring_header* ring = sla_stock_take(old, was_filled_fast(writer));
    if (!ring) return 0;
    sla_ring_describe_like(ring, old);
    uint64_t expected = sla_successor_word(old, 0);
    uint32_t number = sla_ring_number(ring) + 1;
    if (__atomic_compare_exchange_n(&old->successor, &expected, expected | number, false, __ATOMIC_ACQUIRE,
                                    __ATOMIC_ACQUIRE)) { /* pairs with offer's release, where that came first */
        return number;
    }
    sla_stock_give_back(ring);
    return (uint32_t)expected;
}

/* The agent that looks for new rings and does not find the next one LIVE closes its watermark at a moment before this; so
 * the event for which we came may be stamped only afterwards. Another segment at the end, or none: a handler forked, and
 * the child has nothing to go over to. */
void sla_ring_follow(struct sla_writer* writer) {
    struct sla_segment_header* segment = sla_segment();
    struct sla_ring_header* old = writer->ring;
    uint32_t number = (uint32_t)__atomic_load_n(&old->successor, __ATOMIC_ACQUIRE); /* pairs with offer's release */
    if (number == 0 && old->most_bytes != 0 && is_full(old)) number = take_successor(writer);
    if (number == 0 || number == SLA_NO_SUCCESSOR || !segment || sla_segment() != segment) return;
    go_live(segment, writer, sla_ring_at(number - 1));
    __atomic_store_n(&old->state, SLA_RING_CLOSED, __ATOMIC_RELEASE); /* as in sla_close_ring */
}
