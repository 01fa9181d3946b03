/* Rings: claiming one for a writer, replacing one that is too small, giving one up. The drawing is in ring_abi.h.
 *
 * A ring that nobody sized begins modest and grows two- or fourfold at a time, up to kMostBytes, as the agent asks: so a
 * slow program takes little memory, and a fast one gets a ring that lasts while the agent's core is somewhere else. The
 * attach thread touches the new memory; the writer finds it ready (sla_ring_follow).
 */
#define _GNU_SOURCE
#include "agent/marker/internal.h"

#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* 4 M plain events: 140 ms at 30 M events/s. */
static const uint64_t kMostBytes = UINT64_C(64) << 20;
/* Of the arena, growth leaves this to the rings of threads and channels to come. */
static const uint64_t kLeftByGrowth = UINT64_C(256) << 20;

static uint32_t grown_rings; /* of all ring headers; under the registry lock, as the next */
static uint64_t grown_bytes; /* of all rings made to take others' places */

static struct sla_ring_header* ring_at(uint32_t number) {
    return (struct sla_ring_header*)(void*)((unsigned char*)sla_segment() + SLA_RING_OFFSET) + number;
}

static unsigned char* slots_of(const struct sla_ring_header* ring) {
    return (unsigned char*)sla_segment() + ring->offset;
}

/* Bytes of a ring that nobody sized, as it begins: the first last 17 ms at 30 M events/s, longer than an idle agent sleeps;
 * those of a program with very many are smaller, so that all fit the arena: 32 + 96 + 128 + 128 + 253 MiB for the tiers
 * below. */
static uint64_t default_ring_bytes(uint32_t number) {
    if (number < 4) return UINT64_C(8) << 20;
    if (number < 4 + 96) return UINT64_C(1) << 20;
    if (number < 4 + 96 + 1024) return UINT64_C(128) << 10;
    if (number < 4 + 96 + 1024 + 8192) return UINT64_C(16) << 10;
    return UINT64_C(1) << 10;
}

static uint64_t power_of_two_below(uint64_t number) {
    return UINT64_C(1) << (63 - __builtin_clzll(number));
}

/* $SLA_RING_SLOTS sizes every ring whose channel does not say; for tests and for tight machines. 0: nobody says. */
static uint64_t chosen_bytes(const sla_channel* channel, enum sla_width width) {
    uint64_t slots = channel->capacity;
    if (!slots) slots = sla_environment()->ring_slots;
    if (!slots) return 0;
    if (slots < 2) slots = 2;
    if (slots > (UINT64_C(1) << 24)) slots = UINT64_C(1) << 24;
    return power_of_two_below(slots) * sla_slot_bytes(width);
}

/* A ring whose last owner ended and that the agent has emptied; big enough, but not more than twice too big. Looks at some
 * of them only, going on where the last look ended, so that a claim stays cheap among very many rings. */
static struct sla_ring_header* reuse_ring(uint64_t bytes) {
    enum { LOOKS = 64 };
    static uint32_t next; /* under the registry lock */
    struct sla_segment_header* header = sla_segment();
    if (__atomic_load_n(&header->free_rings, __ATOMIC_RELAXED) == 0) return NULL;
    for (uint32_t look = 0; look < LOOKS && look < header->ring_count; look++) {
        struct sla_ring_header* ring = ring_at(next++ % header->ring_count);
        uint32_t expected = SLA_RING_FREE;
        if (ring->arena_bytes < bytes || ring->arena_bytes > bytes * 2) continue;
        if (__atomic_compare_exchange_n(&ring->state, &expected, SLA_RING_CLAIMED, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED)) { /* pairs with the agent's release of FREE */
            __atomic_fetch_sub(&header->free_rings, 1, __ATOMIC_RELAXED);
            return ring;
        }
    }
    return NULL;
}

/* Its slots are not populated yet. */
static struct sla_ring_header* new_ring(uint64_t bytes) {
    struct sla_segment_header* header = sla_segment();
    if (header->ring_count == SLA_MAX_RINGS || header->arena_next + bytes > SLA_SEGMENT_BYTES) return NULL;
    struct sla_ring_header* ring = ring_at(header->ring_count);
    if (!sla_populate(ring, sizeof *ring)) return NULL;
    __atomic_store_n(&ring->state, SLA_RING_CLAIMED, __ATOMIC_RELAXED);
    ring->offset = header->arena_next;
    ring->arena_bytes = bytes;
    header->arena_next += bytes;
    __atomic_store_n(&header->ring_count, header->ring_count + 1, __ATOMIC_RELEASE); /* pairs with SegmentView's acquire */
    return ring;
}

static uint64_t successor_word(const struct sla_ring_header* ring, uint32_t low) {
    return ring->generation << 32 | low;
}

/* CLAIMED and described, but for whose it is. */
static void begin_generation(struct sla_ring_header* ring) {
    ring->capacity = (uint32_t)power_of_two_below(ring->arena_bytes / sla_slot_bytes((enum sla_width)ring->width));
    ring->lost_reported = ring->lost;
    ring->wanted_bytes = 0;
    ring->generation++;
    __atomic_store_n(&ring->successor, successor_word(ring, 0), __ATOMIC_RELAXED); /* seen with state: LIVE releases it */
}

/* pairs with RingReader::open's acquire of state */
static void go_live(struct sla_writer* writer, struct sla_ring_header* ring) {
    writer->slots = slots_of(ring);
    writer->mask = ring->capacity - 1;
    writer->limit = ring->policy == SLA_OVERWRITE ? UINT64_MAX : 0;
    writer->next = ring->head;
    writer->ring = ring;
    __atomic_store_n(&ring->state, SLA_RING_LIVE, __ATOMIC_RELEASE);
}

/* Populates what new_ring will hand out next, so that a ring is never claimed without its memory. */
static bool fits_memory(uint64_t bytes) {
    uint64_t offset = sla_segment()->arena_next;
    return offset + bytes <= SLA_SEGMENT_BYTES && sla_populate((unsigned char*)sla_segment() + offset, bytes);
}

bool sla_claim_ring(const sla_channel* channel, enum sla_width width, struct sla_writer* writer) {
    uint64_t chosen = chosen_bytes(channel, width);
    uint64_t bytes = chosen ? chosen : default_ring_bytes(sla_segment()->ring_count - grown_rings);
    struct sla_ring_header* ring = reuse_ring(bytes);
    if (!ring) {
        if (!fits_memory(bytes)) return false;
        ring = new_ring(bytes);
        if (!ring) return false;
    }
    ring->channel = channel->index;
    ring->thread = (uint32_t)syscall(SYS_gettid);
    ring->width = width;
    ring->policy = sla_filter_policy(channel);
    ring->follows = 0;
    ring->most_bytes = chosen || ring->policy == SLA_OVERWRITE ? 0 : kMostBytes;
    if (prctl(PR_GET_NAME, ring->thread_name, 0, 0, 0) != 0) ring->thread_name[0] = '\0';
    begin_generation(ring);
    go_live(writer, ring);
    return true;
}

/* Nobody came for it. */
static void put_back(struct sla_ring_header* ring) {
    __atomic_fetch_add(&sla_segment()->free_rings, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&ring->state, SLA_RING_FREE, __ATOMIC_RELEASE); /* pairs with reuse_ring's acquire */
}

void sla_close_ring(struct sla_writer* writer) {
    struct sla_ring_header* ring = writer->ring;
    /* pairs with offer's: either it sees that the writer is gone, or we see the ring that it offered */
    uint64_t offered = __atomic_exchange_n(&ring->successor, successor_word(ring, SLA_NO_SUCCESSOR), __ATOMIC_ACQ_REL);
    if ((uint32_t)offered != 0 && (uint32_t)offered != SLA_NO_SUCCESSOR) put_back(ring_at((uint32_t)offered - 1));
    /* pairs with the agent's acquire of state: it sees every event of the ring before it sees the end */
    __atomic_store_n(&ring->state, SLA_RING_CLOSED, __ATOMIC_RELEASE);
}

/* The agent that looks for new rings and does not find the bigger one LIVE closes its watermark at a moment before this; so
 * the event for which we came may be stamped only afterwards. */
void sla_ring_follow(struct sla_writer* writer) {
    struct sla_ring_header* old = writer->ring;
    uint32_t number = (uint32_t)__atomic_load_n(&old->successor, __ATOMIC_ACQUIRE); /* pairs with offer's release */
    if (number == 0 || number == SLA_NO_SUCCESSOR) return;
    go_live(writer, ring_at(number - 1));
    __atomic_store_n(&old->state, SLA_RING_CLOSED, __ATOMIC_RELEASE); /* as in sla_close_ring */
}

static bool wants_more(const struct sla_ring_header* ring) {
    return __atomic_load_n(&ring->state, __ATOMIC_ACQUIRE) == SLA_RING_LIVE &&           /* pairs with go_live: described */
           __atomic_load_n(&ring->wanted_bytes, __ATOMIC_RELAXED) > ring->arena_bytes && /* a late view is fine */
           ring->arena_bytes < ring->most_bytes &&
           __atomic_load_n(&ring->successor, __ATOMIC_RELAXED) == successor_word(ring, 0);
}

static uint64_t next_size(const struct sla_ring_header* ring) {
    uint64_t bytes = ring->arena_bytes * (ring->wanted_bytes > ring->arena_bytes * 2 ? 4 : 2);
    return bytes < ring->most_bytes ? bytes : ring->most_bytes;
}

/* A ring that could take the place of `old`, described like it; NULL: there is no room. */
static struct sla_ring_header* claim_successor(const struct sla_ring_header* old) {
    uint64_t bytes = next_size(old);
    struct sla_ring_header* ring = reuse_ring(bytes);
    bool fits = sla_segment()->arena_next + bytes + kLeftByGrowth <= SLA_SEGMENT_BYTES;
    if (!ring && fits && grown_bytes + bytes <= sla_growth_budget()) {
        ring = new_ring(bytes);
        if (ring) {
            grown_rings++;
            grown_bytes += bytes;
        }
    }
    if (!ring) return NULL;
    ring->channel = old->channel;
    ring->thread = old->thread;
    ring->width = old->width;
    ring->policy = old->policy;
    ring->follows = 1;
    ring->most_bytes = old->most_bytes;
    memcpy(ring->thread_name, old->thread_name, sizeof ring->thread_name);
    begin_generation(ring);
    return ring;
}

/* The old ring may have changed hands meanwhile: the generation says so. */
static void offer(struct sla_ring_header* old, uint64_t expected, struct sla_ring_header* ring) {
    uint64_t number = (uint64_t)(ring - ring_at(0)) + 1;
    /* pairs with sla_ring_follow's acquire: who finds the ring finds its description */
    if (!__atomic_compare_exchange_n(&old->successor, &expected, expected | number, false, __ATOMIC_RELEASE,
                                     __ATOMIC_RELAXED)) {
        put_back(ring);
    }
}

/* Memory is touched outside the lock: a first marker elsewhere need not wait for it. */
void sla_grow_rings(void) {
    for (uint32_t number = 0;; number++) {
        struct sla_locked locked = sla_lock();
        struct sla_segment_header* segment = sla_segment();
        uint32_t count = segment ? segment->ring_count : 0;
        while (number < count && !wants_more(ring_at(number))) number++;
        struct sla_ring_header* old = number < count ? ring_at(number) : NULL;
        uint64_t expected = old ? successor_word(old, 0) : 0;
        struct sla_ring_header* ring = old ? claim_successor(old) : NULL;
        sla_unlock(&locked);
        if (!old) return;
        if (!ring) continue;
        if (!sla_populate(slots_of(ring), ring->arena_bytes)) {
            /* It stays CLAIMED, nobody's: a ring without memory must not be handed out. No more growth in this process. */
            grown_bytes = UINT64_MAX / 2;
            return;
        }
        offer(old, expected, ring);
    }
}

void sla_rings_forget_after_fork(void) {
    grown_rings = 0;
    grown_bytes = 0;
}
