/* The memory of rings: headers and slots handed out, used again, and how much of it growing may take. All under the registry
 * lock, but for giving back and populating.
 *
 * The arena is handed out from the front and never taken back: a ring keeps its place and its size, and changes hands. So a
 * ring that is FREE is always populated. Big ones, which growth leaves behind, are listed, so that none of them is
 * overlooked among very many small ones.
 */
#define _GNU_SOURCE
#include "agent/marker/rings.h"

#define BIG_BYTES (UINT64_C(128) << 10)

/* Of the arena, growth leaves this to the rings of threads and channels to come. */
static const uint64_t kLeftByGrowth = UINT64_C(256) << 20;
static const uint64_t kNoMoreGrowth = UINT64_MAX / 2;

static uint32_t first_rings; /* that were made as a writer's first, by what nobody sized */
static uint64_t grown_bytes; /* of all rings made to take others' places */
static uint64_t budget;      /* of those; 0: not asked yet */
static uint32_t big_rings[SLA_ARENA_BYTES / BIG_BYTES];
static uint32_t big_count;

struct sla_ring_header* sla_ring_at(uint32_t number) {
    return (struct sla_ring_header*)(void*)(sla_mapped() + SLA_RING_OFFSET) + number;
}

uint32_t sla_ring_number(const struct sla_ring_header* ring) {
    return (uint32_t)(ring - sla_ring_at(0));
}

unsigned char* sla_ring_slots(const struct sla_ring_header* ring) {
    return sla_mapped() + ring->offset;
}

/* Bytes of a first ring that nobody sized: 2048 plain events; smaller in a program with very many, so that all fit the
 * arena: 32 + 128 + 128 + 215 MiB for the tiers below. */
static uint64_t first_ring_bytes(void) {
    if (first_rings < 1024) return SLA_FIRST_RING_BYTES;
    if (first_rings < 1024 + 8192) return UINT64_C(16) << 10;
    if (first_rings < 1024 + 8192 + 32768) return UINT64_C(4) << 10;
    return UINT64_C(1) << 10;
}

/* Big enough, but not more than twice too big; its last owner has ended, and the agent has emptied it. */
static bool claim_free(struct sla_ring_header* ring, uint64_t bytes) {
    uint32_t expected = SLA_RING_FREE;
    if (ring->arena_bytes < bytes || ring->arena_bytes > bytes * 2) return false;
    if (!__atomic_compare_exchange_n(&ring->state, &expected, SLA_RING_CLAIMED, false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED)) { /* pairs with the agent's release of FREE */
        return false;
    }
    __atomic_fetch_sub(&sla_segment()->free_rings, 1, __ATOMIC_RELAXED);
    return true;
}

/* Looks at all big rings, but at some of the small ones only, going on where the last look ended, so that a claim stays
 * cheap among very many rings. */
static struct sla_ring_header* reuse(uint64_t bytes) {
    enum { LOOKS = 256 };
    static uint32_t next;
    struct sla_segment_header* header = sla_segment();
    if (__atomic_load_n(&header->free_rings, __ATOMIC_RELAXED) == 0) return NULL;
    if (bytes >= BIG_BYTES) {
        for (uint32_t i = 0; i < big_count; i++) {
            if (claim_free(sla_ring_at(big_rings[i]), bytes)) return sla_ring_at(big_rings[i]);
        }
        return NULL;
    }
    for (uint32_t look = 0; look < LOOKS && look < header->ring_count; look++) {
        struct sla_ring_header* ring = sla_ring_at(next++ % header->ring_count);
        if (claim_free(ring, bytes)) return ring;
    }
    return NULL;
}

/* Its slots are not populated yet. A page of headers is populated with its first one. */
static struct sla_ring_header* make(uint64_t bytes) {
    enum { HEADERS_IN_PAGE = 4096 / sizeof(struct sla_ring_header) };
    struct sla_segment_header* header = sla_segment();
    uint32_t number = header->ring_count;
    if (number == SLA_MAX_RINGS || header->arena_next + bytes > SLA_SEGMENT_BYTES) return NULL;
    struct sla_ring_header* ring = sla_ring_at(number);
    if (number % HEADERS_IN_PAGE == 0 && !sla_populate(ring, HEADERS_IN_PAGE * sizeof *ring)) return NULL;
    __atomic_store_n(&ring->state, SLA_RING_CLAIMED, __ATOMIC_RELAXED);
    ring->offset = header->arena_next;
    ring->arena_bytes = bytes;
    header->arena_next += bytes;
    if (bytes >= BIG_BYTES) big_rings[big_count++] = number;
    __atomic_store_n(&header->ring_count, number + 1, __ATOMIC_RELEASE); /* pairs with SegmentView's acquire */
    return ring;
}

/* Populates what make will hand out next, so that a ring is never claimed without its memory. */
static bool fits_memory(uint64_t bytes) {
    uint64_t offset = sla_segment()->arena_next;
    return offset + bytes <= SLA_SEGMENT_BYTES && sla_populate((unsigned char*)sla_segment() + offset, bytes);
}

struct sla_ring_header* sla_arena_claim(uint64_t bytes) {
    struct sla_ring_header* ring = reuse(bytes);
    if (!ring && fits_memory(bytes)) ring = make(bytes);
    return ring;
}

struct sla_ring_header* sla_arena_claim_first(void) {
    uint64_t bytes = first_ring_bytes();
    struct sla_ring_header* ring = bytes == SLA_FIRST_RING_BYTES ? sla_stock_take_first() : NULL;
    if (!ring) ring = reuse(bytes);
    if (!ring && fits_memory(bytes)) {
        ring = make(bytes);
        if (ring) first_rings++;
    }
    return ring;
}

static uint64_t growth_left(void) {
    if (budget == 0) budget = sla_growth_budget();
    return budget > grown_bytes ? budget - grown_bytes : 0;
}

struct sla_ring_header* sla_arena_claim_growth(uint64_t bytes) {
    struct sla_ring_header* ring = reuse(bytes);
    bool fits = sla_segment()->arena_next + bytes + kLeftByGrowth <= SLA_SEGMENT_BYTES;
    if (ring || !fits || bytes > growth_left()) return ring;
    ring = make(bytes);
    if (ring) grown_bytes += bytes;
    return ring;
}

/* Only where growth may take sixteen times as much, so that the stock is little in a small container, too. */
struct sla_ring_header* sla_arena_claim_spare(uint64_t bytes) {
    if (growth_left() < bytes * 16) return NULL;
    if (bytes != SLA_FIRST_RING_BYTES) return sla_arena_claim_growth(bytes);
    if (first_ring_bytes() != bytes) return NULL;
    struct sla_ring_header* ring = reuse(bytes);
    if (ring) return ring;
    ring = make(bytes);
    if (ring) first_rings++;
    return ring;
}

bool sla_arena_populate(struct sla_ring_header* ring) {
    if (sla_populate(sla_ring_slots(ring), ring->arena_bytes)) return true;
    /* It stays CLAIMED, nobody's: a ring without memory must not be handed out. No more growth in this process. */
    struct sla_locked locked = sla_lock();
    grown_bytes = kNoMoreGrowth;
    sla_unlock(&locked);
    return false;
}

void sla_arena_give_back(struct sla_ring_header* ring) {
    __atomic_fetch_add(&((struct sla_segment_header*)(void*)sla_mapped())->free_rings, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&ring->state, SLA_RING_FREE, __ATOMIC_RELEASE); /* pairs with claim_free's acquire */
}

void sla_arena_forget_after_fork(void) {
    first_rings = 0;
    grown_bytes = 0;
    budget = 0;
    big_count = 0;
}
