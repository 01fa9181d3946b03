#define _GNU_SOURCE
#include "agent/marker/rings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static unsigned char* base; /* of the mapped segment; never back to NULL, for the sake of a marker half-way */
static bool is_parents;     /* what is at base is the memory of a forked child that has no segment of its own yet */
static struct sla_file segment_file = {.fd = -1};
static char source_name[256]; /* empty: the program's own */
static enum sla_source_kind source_kind = SLA_SOURCE_PROGRAM;

struct sla_segment_header* sla_segment(void) {
    if (__atomic_load_n(&is_parents, __ATOMIC_ACQUIRE)) return NULL; /* pairs with sla_segment_create's second release */
    return (struct sla_segment_header*)(void*)sla_mapped();
}

/* The acquire pairs with sla_segment_create's first release: a thread that sees the segment sees its header. */
unsigned char* sla_mapped(void) {
    return __atomic_load_n(&base, __ATOMIC_ACQUIRE);
}

int sla_segment_fd(void) {
    return sla_file_is_ours(&segment_file) ? segment_file.fd : -1;
}

struct sla_channel_descriptor* sla_descriptor(uint32_t index) {
    return (struct sla_channel_descriptor*)(void*)(sla_mapped() + SLA_CHANNEL_OFFSET) + (index - 1);
}

/* Clock ticks since boot at which this process started: field 22 of /proc/self/stat, after the name in parentheses. */
static uint64_t process_start_time(void) {
    char line[1024];
    if (sla_read_file("/proc/self/stat", line, sizeof line) <= 0) return 0;
    char* at = strrchr(line, ')');
    for (int field = 2; at && field < 22; field++) at = strchr(at + 1, ' ');
    return at ? strtoull(at + 1, NULL, 10) : 0;
}

static void read_command(char* command, size_t capacity) {
    ssize_t got = sla_read_file("/proc/self/cmdline", command, capacity);
    for (ssize_t i = 0; i + 1 < got; i++)
        if (command[i] == '\0') command[i] = ' ';
}

static void describe(void) {
    struct sla_segment_header* header = sla_segment();
    header->source_kind = source_kind;
    snprintf(header->program, sizeof header->program, "%s", source_name[0] ? source_name : program_invocation_short_name);
}

void sla_describe_source(const char* name, enum sla_source_kind kind) {
    struct sla_locked locked = sla_lock();
    snprintf(source_name, sizeof source_name, "%s", name ? name : "");
    source_kind = kind;
    if (sla_segment()) describe();
    sla_unlock(&locked);
}

bool sla_segment_create(void) {
    if (sla_segment()) return true;
    if (!sla_memfd_make(&segment_file)) return false;
    void* mapped = sla_memfd_map(segment_file.fd);
    if (!mapped) {
        sla_debug("no memory or address space for the segment, not attaching", errno);
        sla_file_close(&segment_file);
        return false;
    }
    struct sla_segment_header* header = mapped;
    header->version = SLA_ABI_VERSION;
    header->pid = (uint32_t)getpid();
    header->segment_bytes = SLA_SEGMENT_BYTES;
    header->start_time = process_start_time();
    header->arena_next = SLA_ARENA_OFFSET;
    header->stamp_clock = sla_clock_choose();
    header->section_ticks = sla_section_ticks(SLA_RDTSC);
    read_command(header->command, sizeof header->command);
    header->magic = SLA_SEGMENT_MAGIC;
    __atomic_store_n(&base, mapped, __ATOMIC_RELEASE);      /* pairs with the acquire in sla_mapped */
    __atomic_store_n(&is_parents, false, __ATOMIC_RELEASE); /* pairs with the acquire in sla_segment */
    describe();
    return true;
}

/* Word by word: a marker may be half-way. */
static void copy_words(unsigned char* to, const unsigned char* from, uint64_t bytes) {
    for (uint64_t at = 0; at < bytes; at += sizeof(uint64_t)) {
        uint64_t word = __atomic_load_n((const uint64_t*)(const void*)(from + at), __ATOMIC_RELAXED); /* any view is fine */
        memcpy(to + at, &word, sizeof word);
    }
}

/* What was lost so far counts as accounted for in the copy. */
static void leave_losses(unsigned char* to) {
    struct sla_segment_header* header = (struct sla_segment_header*)(void*)to;
    header->lost_no_channel_accounted = header->lost_no_channel;
    header->lost_unregistered_accounted = header->lost_unregistered;
    struct sla_channel_descriptor* descriptors = (struct sla_channel_descriptor*)(void*)(to + SLA_CHANNEL_OFFSET);
    for (uint32_t i = 0; i < header->channel_count; i++) {
        descriptors[i].lost_accounted = descriptors[i].lost_no_ring;
        descriptors[i].control.filtered_accounted = descriptors[i].control.filtered;
    }
}

/* What is read of the old segment and what is written into the new one has been or will be touched by somebody: no page of
 * it may be missing. The rings' unread slots come along only where the agent is gone; one that lives reads them itself. */
static bool copy_segment(unsigned char* to, bool agent_gone) {
    const struct sla_segment_header* header = sla_segment();
    uint64_t descriptors = header->channel_count * sizeof(struct sla_channel_descriptor);
    uint64_t rings = header->ring_count * sizeof(struct sla_ring_header);
    if (!sla_populate(to + SLA_CHANNEL_OFFSET, descriptors) || !sla_populate(to + SLA_RING_OFFSET, rings)) return false;
    copy_words(to, base, SLA_CHANNEL_OFFSET + descriptors);
    copy_words(to + SLA_RING_OFFSET, base + SLA_RING_OFFSET, rings);
    if (!agent_gone) leave_losses(to); /* it accounts for them from the old one */
    for (uint32_t number = 0; number < header->ring_count; number++) {
        struct sla_ring_header* ring = (struct sla_ring_header*)(void*)(to + SLA_RING_OFFSET) + number;
        if (!sla_populate(to + ring->offset, ring->arena_bytes)) return false;
        if (agent_gone) {
            copy_words(to + ring->offset, base + ring->offset, ring->arena_bytes);
            continue;
        }
        ring->tail = ring->head;
        ring->lost_accounted = ring->lost;
        ring->filtered_accounted = ring->filtered;
    }
    return true;
}

uint64_t sla_segment_unread(void) {
    const struct sla_segment_header* header = sla_segment();
    uint64_t unread = 0;
    for (uint32_t number = 0; number < header->ring_count; number++) {
        const struct sla_ring_header* ring = sla_ring_at(number);
        uint64_t tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE); /* pairs with RingReader's release of tail */
        unread += __atomic_load_n(&ring->head, __ATOMIC_RELAXED) - tail;
    }
    return unread;
}

bool sla_segment_renew(bool agent_gone) {
    struct sla_file fresh;
    if (!sla_memfd_make(&fresh)) return false;
    unsigned char* mapped = sla_memfd_map(fresh.fd);
    bool copied = mapped && copy_segment(mapped, agent_gone) && sla_memory_open(mapped); /* moved is one piece */
    /* In one step the old pages are gone and the new ones there: a marker that was half-way ends in either. */
    bool moved = copied && mremap(mapped, SLA_SEGMENT_BYTES, SLA_SEGMENT_BYTES, MREMAP_MAYMOVE | MREMAP_FIXED, base) == base;
    if (mapped && !moved) munmap(mapped, SLA_SEGMENT_BYTES);
    if (!moved) {
        sla_file_close(&fresh);
        return false;
    }
    segment_file = fresh;
    return true;
}

/* Each pairs with an acquire of SegmentView. */
void sla_segment_attaching(void) {
    __atomic_store_n(&sla_segment()->attached_tick, (sla_machine_now() & SLA_TICK_MASK) | SLA_ATTACHING, __ATOMIC_RELEASE);
}

void sla_segment_attached(void) {
    __atomic_store_n(&sla_segment()->attached_tick, sla_machine_now() & SLA_TICK_MASK, __ATOMIC_RELEASE);
}

void sla_segment_detached(void) {
    uint64_t none = 0; /* an absence that no agent has put on record goes on */
    __atomic_compare_exchange_n(&sla_segment()->detached_tick, &none, sla_machine_now(), false, __ATOMIC_RELEASE,
                                __ATOMIC_RELAXED);
}

/* The parent goes on writing to its segment. What is mapped here turns into private memory, so that a marker which was
 * half-way when a signal handler forked ends harmlessly. Most of it can only be read: what can be written counts against
 * RLIMIT_DATA, and against the machine's memory where that is not promised twice (overcommit_memory 2), touched or not. */
void sla_segment_forget_after_fork(void) {
    const struct sla_segment_header* header = sla_segment();
    if (!header) return;
    const uint64_t headers =
        SLA_RING_OFFSET + __atomic_load_n(&header->ring_count, __ATOMIC_RELAXED) * sizeof(struct sla_ring_header);
    mmap(base, SLA_SEGMENT_BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    mprotect(base, headers, PROT_READ | PROT_WRITE);
    if (!sla_files_are_apart()) sla_file_close(&segment_file); /* in a table apart it was never the child's */
    segment_file.fd = -1;
    sla_descriptors_forget_after_fork();
    __atomic_store_n(&is_parents, true, __ATOMIC_RELEASE); /* as in sla_segment_create */
}

/* In a child: the slots of a marker that is half-way. */
void sla_segment_leave_writable(const struct sla_writer* writer, enum sla_width width) {
    const uint64_t begin = (uint64_t)(writer->slots - base);
    if (!__atomic_load_n(&is_parents, __ATOMIC_RELAXED) || begin >= SLA_SEGMENT_BYTES) return; /* of an ancestor's: it is */
    const uint64_t page = begin / 4096 * 4096;
    uint64_t end = begin + (writer->mask + 1) * sla_slot_bytes(width);
    if (end > SLA_SEGMENT_BYTES) end = SLA_SEGMENT_BYTES;
    mprotect(base + page, end - page, PROT_READ | PROT_WRITE);
}
