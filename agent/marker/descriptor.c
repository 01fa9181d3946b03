/* The descriptors of channels in the segment: found by name, added, never taken back. */
#include "agent/marker/rings.h"

#include <stdio.h>
#include <string.h>

#define PLACES (2 * SLA_MAX_CHANNELS)
static uint16_t index_by_hash[PLACES];              /* by name; 0: nobody's yet */
static uint32_t reserved;                           /* descriptors that somebody has filled in, or is at */
static enum { ASKED_FOR, THERE, NOT_THERE } memory; /* of those to come: is asked for, is there already, or not to be had */

/* FNV-1a. */
uint64_t sla_hash_name(const char* name) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (const char* c = name; *c; c++) hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    return hash;
}

/* A longer name keeps its beginning and gets a hash of the whole, so that two long names stay two channels. */
static void copy_name(char* to, const char* name) {
    size_t length = strlen(name);
    if (length < SLA_NAME_BYTES) {
        memcpy(to, name, length + 1);
        return;
    }
    uint64_t hash = sla_hash_name(name);
    size_t kept = SLA_NAME_BYTES - 18;
    while (kept > 0 && ((unsigned char)name[kept] & 0xc0) == 0x80) kept--;
    memcpy(to, name, kept);
    snprintf(to + kept, SLA_NAME_BYTES - kept, "~%016llx", (unsigned long long)hash);
}

/* The name's index; where it has none, `index` from now on, if that is one. Each acquire pairs with the exchange's release: who
 * finds an index finds its descriptor's name. */
static uint32_t index_of(const char* name, uint16_t index) {
    for (uint64_t at = sla_hash_name(name) % PLACES;; at = (at + 1) % PLACES) {
        uint16_t found = __atomic_load_n(&index_by_hash[at], __ATOMIC_ACQUIRE);
        if (!found && (!index || __atomic_compare_exchange_n(&index_by_hash[at], &found, index, false, __ATOMIC_RELEASE,
                                                             __ATOMIC_ACQUIRE)))
            return index;
        if (strcmp(sla_descriptor(found)->name, name) == 0) return found;
    }
}

/* Part of it lies in a page that none before it lies in. */
static bool begins_page(const struct sla_channel_descriptor* descriptor) {
    uintptr_t in_page = (uintptr_t)descriptor % 4096;
    return in_page == 0 || in_page + sizeof *descriptor > 4096;
}

enum { STAMPINGS_PER_WORD = 32, STAMPING_BITS = 2 };

/* A reader sees this with the count of descriptors. */
static void register_stamping(struct sla_segment_header* header, uint32_t index, unsigned stamping) {
    if (stamping == SLA_RDTSC) return;
    __atomic_store_n(&header->ordered_section_ticks[stamping - 1], sla_section_ticks(stamping), __ATOMIC_RELAXED);
    __atomic_fetch_or(&header->stamping[(index - 1) / STAMPINGS_PER_WORD],
                      (uint64_t)stamping << (index - 1) % STAMPINGS_PER_WORD * STAMPING_BITS, __ATOMIC_RELAXED);
}

unsigned sla_registered_stamping(uint32_t index) {
    const uint64_t word = __atomic_load_n(&sla_segment()->stamping[(index - 1) / STAMPINGS_PER_WORD], __ATOMIC_RELAXED);
    return word >> (index - 1) % STAMPINGS_PER_WORD * STAMPING_BITS & ((1u << STAMPING_BITS) - 1);
}

static bool has_memory(struct sla_channel_descriptor* descriptor) {
    if (memory == THERE || !begins_page(descriptor)) return true;
    return memory == ASKED_FOR && sla_populate(descriptor, sizeof *descriptor);
}

/* The next index; 0: there is none. */
static uint32_t reserve(void) {
    uint32_t before = __atomic_load_n(&reserved, __ATOMIC_RELAXED);
    do {
        if (before == SLA_MAX_CHANNELS || !has_memory(sla_descriptor(before + 1))) return 0;
    } while (!__atomic_compare_exchange_n(&reserved, &before, before + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return before + 1;
}

/* The agent counts descriptors as far as all are filled in. Who fills in one looks at those behind it, too: of two that do so
 * at once, sequentially consistent, one sees the other's. The exchange's release pairs with SegmentView::channel_count's
 * acquire: who counts the descriptor sees all of it. */
static void publish(struct sla_segment_header* header, struct sla_channel_descriptor* descriptor) {
    __atomic_store_n(&descriptor->state, SLA_CHANNEL_READY, __ATOMIC_SEQ_CST);
    uint32_t count = __atomic_load_n(&header->channel_count, __ATOMIC_SEQ_CST);
    while (count < SLA_MAX_CHANNELS && __atomic_load_n(&reserved, __ATOMIC_RELAXED) > count &&
           __atomic_load_n(&sla_descriptor(count + 1)->state, __ATOMIC_SEQ_CST) == SLA_CHANNEL_READY) {
        if (__atomic_compare_exchange_n(&header->channel_count, &count, count + 1, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST))
            count++;
    }
}

/* Nobody waits here for anybody: in a sandbox there is no lock, and the code that a signal handler interrupted may be half-way.
 * Two that come with a name at once may take two descriptors; both mean the first that is found by the name, and the other
 * one stays empty. */
uint32_t sla_register_channel(const sla_channel* channel) {
    struct sla_segment_header* header = sla_segment();
    char name[SLA_NAME_BYTES] = "";
    copy_name(name, channel->name ? channel->name : "");
    const uint32_t known = index_of(name, 0);
    if (known) return known;
    const uint32_t index = reserve();
    if (!index) return 0;
    struct sla_channel_descriptor* descriptor = sla_descriptor(index);
    memcpy(descriptor->name, name, sizeof name);
    if (channel->format)
        memcpy(descriptor->format, channel->format, strnlen(channel->format, sizeof descriptor->format - 1));
    descriptor->policy = channel->policy;
    register_stamping(header, index, sla_stamping_here(channel->stamping));
    publish(header, descriptor);
    return index_of(name, (uint16_t)index);
}

void sla_descriptors_enter_sandbox(void) {
    memory = sla_populate(sla_descriptor(1), SLA_RING_OFFSET - SLA_CHANNEL_OFFSET) ? THERE : NOT_THERE;
}

void sla_descriptors_forget_after_fork(void) {
    reserved = 0;
    memset(index_by_hash, 0, sizeof index_by_hash);
}
