/* Rings that take others' places, made by the attach thread: the agent wants them, or a sandbox is about to be entered.
 *
 *   attach thread    claims and describes one ── populates it, without the lock ── offers it: old ring's successor
 *   the old ring's writer                                                          goes over when it next looks (ring.c)
 */
#include "agent/marker/rings.h"

static bool wants_more(const struct sla_ring_header* ring) {
    return __atomic_load_n(&ring->state, __ATOMIC_ACQUIRE) == SLA_RING_LIVE &&           /* pairs with go_live: described */
           __atomic_load_n(&ring->wanted_bytes, __ATOMIC_RELAXED) > ring->arena_bytes && /* a late view is fine */
           sla_ring_may_grow(ring) && __atomic_load_n(&ring->successor, __ATOMIC_RELAXED) == sla_successor_word(ring, 0);
}

static uint64_t next_size(const struct sla_ring_header* ring) {
    uint64_t wanted = __atomic_load_n(&ring->wanted_bytes, __ATOMIC_RELAXED);
    uint64_t bytes = ring->arena_bytes * (wanted > ring->arena_bytes * 2 ? 4 : 2);
    return bytes < ring->most_bytes ? bytes : ring->most_bytes;
}

/* The old ring may have changed hands meanwhile: the generation says so. */
static void offer(struct sla_ring_header* old, uint64_t expected, struct sla_ring_header* ring) {
    uint64_t number = (uint64_t)sla_ring_number(ring) + 1;
    /* pairs with sla_ring_follow's acquire: who finds the ring finds its description */
    if (!__atomic_compare_exchange_n(&old->successor, &expected, expected | number, false, __ATOMIC_RELEASE,
                                     __ATOMIC_RELAXED)) {
        sla_arena_give_back(ring);
    }
}

/* Bytes of the ring that is to take this one's place, 0: none is. */
typedef uint64_t size_of_successor(const struct sla_ring_header* ring, uint32_t* met);

/* Memory is touched outside the lock: a first marker elsewhere need not wait for it. False: there is no more memory. */
static bool replace(uint32_t number, size_of_successor* size, uint32_t* met) {
    struct sla_locked locked = sla_lock();
    struct sla_ring_header* old = sla_ring_at(number);
    uint64_t bytes = size(old, met);
    uint64_t expected = sla_successor_word(old, 0);
    struct sla_ring_header* ring = bytes ? sla_arena_claim_growth(bytes) : NULL;
    if (ring) sla_ring_describe_like(ring, old);
    sla_unlock(&locked);
    if (!ring) return true;
    if (!sla_arena_populate(ring)) return false;
    offer(old, expected, ring);
    return true;
}

static uint64_t size_as_agent_wants(const struct sla_ring_header* ring, uint32_t* met) {
    (void)met;
    return wants_more(ring) ? next_size(ring) : 0;
}

/* For a look without the lock, among very many rings; a late view is fine. */
static bool is_live(uint32_t number) {
    return __atomic_load_n(&sla_ring_at(number)->state, __ATOMIC_RELAXED) == SLA_RING_LIVE;
}

void sla_grow_rings(void) {
    const struct sla_segment_header* segment = sla_segment();
    uint32_t count = segment ? __atomic_load_n(&segment->ring_count, __ATOMIC_ACQUIRE) : 0; /* pairs with make's release */
    for (uint32_t number = 0; number < count; number++) {
        if (is_live(number) && __atomic_load_n(&sla_ring_at(number)->wanted_bytes, __ATOMIC_RELAXED) != 0 &&
            !replace(number, size_as_agent_wants, NULL)) {
            return;
        }
    }
}

/* What a ring should have that nobody can replace any more: so much that it outlasts an idle agent's sleep, as long as the
 * program has few of them. */
static uint64_t size_for_sandbox(const struct sla_ring_header* ring, uint32_t* met) {
    if (__atomic_load_n(&ring->state, __ATOMIC_ACQUIRE) != SLA_RING_LIVE) return 0; /* pairs with go_live: described */
    uint32_t number = (*met)++;
    uint64_t bytes = UINT64_C(8) << 20;
    if (number >= 4) bytes = UINT64_C(1) << 20;
    if (number >= 4 + 96) bytes = UINT64_C(128) << 10;
    if (number >= 4 + 96 + 1024 || bytes <= ring->arena_bytes || bytes > ring->most_bytes) return 0;
    return __atomic_load_n(&ring->successor, __ATOMIC_RELAXED) == sla_successor_word(ring, 0) ? bytes : 0;
}

void sla_rings_enter_sandbox(void) {
    const struct sla_segment_header* segment = sla_segment();
    uint32_t count = segment ? __atomic_load_n(&segment->ring_count, __ATOMIC_ACQUIRE) : 0; /* pairs with make's release */
    uint32_t met = 0;
    for (uint32_t number = 0; number < count; number++) {
        if (is_live(number) && !replace(number, size_for_sandbox, &met)) return;
    }
}
