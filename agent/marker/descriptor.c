/* The descriptors of channels in the segment: found by name, added, never taken back. */
#include "agent/marker/rings.h"

#include <stdio.h>
#include <string.h>

#define PLACES (2 * SLA_MAX_CHANNELS)
static uint16_t index_by_hash[PLACES]; /* by name; under the registry lock */

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

/* Where the name's index is, or is to be: 0. */
static uint16_t* place_of(const char* name) {
    uint64_t at = sla_hash_name(name) % PLACES;
    while (index_by_hash[at] && strcmp(sla_descriptor(index_by_hash[at])->name, name) != 0) at = (at + 1) % PLACES;
    return &index_by_hash[at];
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
    header->ordered_section_ticks[stamping - 1] = sla_section_ticks(stamping);
    header->stamping[(index - 1) / STAMPINGS_PER_WORD] |= (uint64_t)stamping
                                                          << (index - 1) % STAMPINGS_PER_WORD * STAMPING_BITS;
}

unsigned sla_registered_stamping(uint32_t index) {
    const uint64_t word = sla_segment()->stamping[(index - 1) / STAMPINGS_PER_WORD];
    return word >> (index - 1) % STAMPINGS_PER_WORD * STAMPING_BITS & ((1u << STAMPING_BITS) - 1);
}

uint32_t sla_register_channel(const sla_channel* channel) {
    struct sla_segment_header* header = sla_segment();
    char name[SLA_NAME_BYTES];
    copy_name(name, channel->name ? channel->name : "");
    uint16_t* place = place_of(name);
    if (*place) return *place;
    uint32_t count = header->channel_count;
    if (count == SLA_MAX_CHANNELS) return 0;
    struct sla_channel_descriptor* descriptor = sla_descriptor(count + 1);
    if (begins_page(descriptor) && !sla_populate(descriptor, sizeof *descriptor)) return 0;
    *place = (uint16_t)(count + 1);
    memcpy(descriptor->name, name, sizeof name);
    snprintf(descriptor->format, sizeof descriptor->format, "%s", channel->format ? channel->format : "");
    descriptor->policy = channel->policy;
    register_stamping(header, count + 1, sla_stamping_here(channel->stamping));
    descriptor->state = SLA_CHANNEL_READY;
    /* pairs with the acquire of SegmentView::channel_count: who counts the descriptor sees all of it */
    __atomic_store_n(&header->channel_count, count + 1, __ATOMIC_RELEASE);
    return count + 1;
}

void sla_descriptors_forget_after_fork(void) {
    memset(index_by_hash, 0, sizeof index_by_hash);
}
