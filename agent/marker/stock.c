/* Rings in stock: populated and CLAIMED, nobody's yet, so that a first marker and a ring that is full find the next one
 * ready, without a lock, a system call or a page fault.
 *
 *                    makes them (1 ms after it saw one taken)           takes one
 *   attach thread ──────────────────────────────► place ─────────────────────────► first marker, full ring
 *                    0 → number + 1                        number + 1 → 0
 *
 * 8 MiB: what 30 M events/s of any number of channels fill in 17 ms, longer than an idle agent sleeps; 3 of them before the
 * first marker of a process returns, for the 6 ms that the thread may wait for a core then. Small ones, so that many
 * channels find one each; big ones, so that a fast writer need not change rings all the time. As long as something was taken
 * lately, the thread looks every millisecond; after that, when the agent notifies it, which it does when it finds a ring
 * that took another's place. No stock where $SLA_RING_SLOTS sizes all rings, and no looking every millisecond where the
 * thread's descriptors lie in the program's table (files.c).
 */
#include "agent/marker/rings.h"

enum { SMALL = 128, BIG = 4, LOOKS_AFTER_TAKING = 100 };

struct shelf {
    uint64_t bytes;
    uint32_t* places;
    uint32_t count;
    uint32_t at_once; /* there before a program's first marker returns */
    int32_t left;     /* about so many are there */
};

static uint32_t small_places[SMALL], big_places[BIG];
static struct shelf shelves[] = {{SLA_FIRST_RING_BYTES, small_places, SMALL, 64, 0},
                                 {SLA_BIG_SPARE_BYTES, big_places, BIG, 1, 0}};
enum { SHELVES = sizeof shelves / sizeof shelves[0] };

static int looks_left; /* the attach thread's */

static struct sla_ring_header* take(struct shelf* shelf) {
    if (__atomic_load_n(&shelf->left, __ATOMIC_RELAXED) <= 0) return NULL; /* a late view finds none once too often */
    for (uint32_t i = 0; i < shelf->count; i++) {
        uint32_t* place = &shelf->places[i];
        if (__atomic_load_n(place, __ATOMIC_RELAXED) == 0) continue;
        uint32_t found = __atomic_exchange_n(place, 0, __ATOMIC_ACQUIRE); /* pairs with put's release */
        if (found == 0) continue;
        __atomic_fetch_sub(&shelf->left, 1, __ATOMIC_RELAXED);
        return sla_ring_at(found - 1);
    }
    return NULL;
}

static bool put(struct shelf* shelf, const struct sla_ring_header* ring) {
    for (uint32_t i = 0; i < shelf->count; i++) {
        uint32_t none = 0;
        if (__atomic_load_n(&shelf->places[i], __ATOMIC_RELAXED) != 0) continue;
        /* pairs with take's acquire: who finds the ring finds its header */
        if (__atomic_compare_exchange_n(&shelf->places[i], &none, sla_ring_number(ring) + 1, false, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED)) {
            __atomic_fetch_add(&shelf->left, 1, __ATOMIC_RELAXED);
            return true;
        }
    }
    return false;
}

struct sla_ring_header* sla_stock_take_first(void) {
    return take(&shelves[0]);
}

/* A flight recorder gains nothing by a ring that is not bigger. One that has outgrown the stock stays where it is. */
static bool is_of_use(const struct shelf* shelf, const struct sla_ring_header* old) {
    if (old->arena_bytes > SLA_BIG_SPARE_BYTES || shelf->bytes > old->most_bytes) return false;
    return old->policy != SLA_OVERWRITE || shelf->bytes > old->arena_bytes;
}

struct sla_ring_header* sla_stock_take(const struct sla_ring_header* old, bool big_first) {
    struct sla_ring_header* ring = NULL;
    for (int i = 0; i < SHELVES && !ring; i++) {
        struct shelf* shelf = &shelves[big_first ? SHELVES - 1 - i : i];
        if (is_of_use(shelf, old)) ring = take(shelf);
    }
    return ring;
}

/* False: there is no memory for another. Memory is touched outside the lock. */
static bool add(struct shelf* shelf) {
    struct sla_locked locked = sla_lock();
    struct sla_ring_header* ring = sla_arena_claim_spare(shelf->bytes);
    sla_unlock(&locked);
    if (!ring || !sla_arena_populate(ring)) return false;
    if (!put(shelf, ring)) sla_arena_give_back(ring);
    return true;
}

static bool fill(struct shelf* shelf, uint32_t level) {
    bool added = false;
    while (__atomic_load_n(&shelf->left, __ATOMIC_RELAXED) < (int32_t)level && add(shelf)) added = true;
    return added;
}

static bool is_wanted(void) {
    return sla_environment()->ring_slots == 0;
}

void sla_stock_begin(void) {
    looks_left = LOOKS_AFTER_TAKING;
    for (int i = 0; i < SHELVES && is_wanted(); i++) fill(&shelves[i], shelves[i].at_once);
}

bool sla_stock_fill(void) {
    bool added = false;
    for (int i = 0; i < SHELVES && is_wanted(); i++) added |= fill(&shelves[i], shelves[i].count);
    looks_left = added ? LOOKS_AFTER_TAKING : looks_left - (looks_left > 0);
    return looks_left > 0;
}

void sla_stock_give_back(struct sla_ring_header* ring) {
    for (int i = 0; i < SHELVES; i++) {
        if (shelves[i].bytes <= ring->arena_bytes && ring->arena_bytes <= shelves[i].bytes * 2 && put(&shelves[i], ring))
            return;
    }
    sla_arena_give_back(ring);
}

void sla_stock_forget_after_fork(void) {
    looks_left = 0;
    for (int i = 0; i < SHELVES; i++) {
        shelves[i].left = 0;
        for (uint32_t place = 0; place < shelves[i].count; place++) shelves[i].places[place] = 0;
    }
}
