#define _GNU_SOURCE
#include "agent/marker/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static unsigned char* base; /* of the mapped segment; set once, back to NULL only in a forked child */
static int segment_fd = -1;
static char source_name[256]; /* empty: the program's own */
static enum sla_source_kind source_kind = SLA_SOURCE_PROGRAM;

struct sla_segment_header* sla_segment(void) {
    return (struct sla_segment_header*)(void*)__atomic_load_n(&base, __ATOMIC_ACQUIRE); /* pairs with the release in
      sla_segment_create: a thread that sees the segment sees its header */
}

int sla_segment_fd(void) {
    return segment_fd;
}

struct sla_channel_descriptor* sla_descriptor(uint32_t index) {
    return (struct sla_channel_descriptor*)(void*)(base + SLA_CHANNEL_OFFSET) + (index - 1);
}

/* Clock ticks since boot at which this process started: field 22 of /proc/self/stat, after the name in parentheses. */
static uint64_t process_start_time(void) {
    char line[1024];
    int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    ssize_t got = read(fd, line, sizeof line - 1);
    close(fd);
    if (got <= 0) return 0;
    line[got] = '\0';
    char* at = strrchr(line, ')');
    for (int field = 2; at && field < 22; field++) at = strchr(at + 1, ' ');
    return at ? strtoull(at + 1, NULL, 10) : 0;
}

static void read_command(char* command, size_t capacity) {
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, command, capacity - 1) : 0;
    if (fd >= 0) close(fd);
    if (got < 0) got = 0;
    for (ssize_t i = 0; i + 1 < got; i++)
        if (command[i] == '\0') command[i] = ' ';
    command[got] = '\0';
}

static void describe(void) {
    struct sla_segment_header* header = sla_segment();
    header->source_kind = source_kind;
    snprintf(header->program, sizeof header->program, "%s", source_name[0] ? source_name : program_invocation_short_name);
}

void sla_segment_describe(const char* name, enum sla_source_kind kind) {
    snprintf(source_name, sizeof source_name, "%s", name);
    source_kind = kind;
    if (base) describe();
}

/* A sealed memfd: the agent may map it without fear of SIGBUS, since it can never shrink. Kept out of core dumps. */
static int make_memfd(void) {
    int fd = (int)syscall(SYS_memfd_create, "sla-segment", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0) return -1;
    if (ftruncate(fd, SLA_SEGMENT_BYTES) == 0 && fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
        return fd;
    }
    close(fd);
    return -1;
}

bool sla_segment_create(void) {
    if (base) return true;
    int fd = make_memfd();
    if (fd < 0) {
        sla_debug("cannot make a memfd for the segment", errno);
        return false;
    }
    void* mapped = mmap(NULL, SLA_SEGMENT_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (mapped == MAP_FAILED) {
        sla_debug("cannot map the segment", errno);
        close(fd);
        return false;
    }
    madvise(mapped, SLA_SEGMENT_BYTES, MADV_DONTDUMP);
    struct sla_segment_header* header = mapped;
    header->version = SLA_ABI_VERSION;
    header->pid = (uint32_t)getpid();
    header->segment_bytes = SLA_SEGMENT_BYTES;
    header->start_time = process_start_time();
    header->arena_next = SLA_ARENA_OFFSET;
    header->stamp_clock = sla_clock_choose();
    header->section_ticks = sla_section_ticks();
    read_command(header->command, sizeof header->command);
    header->magic = SLA_SEGMENT_MAGIC;
    segment_fd = fd;
    __atomic_store_n(&base, mapped, __ATOMIC_RELEASE); /* pairs with the acquire in sla_segment */
    describe();
    return true;
}

void sla_segment_attached(void) {
    /* pairs with the acquire of SegmentView::take_absence, as the next does */
    __atomic_store_n(&sla_segment()->attached_tick, sla_now(), __ATOMIC_RELEASE);
}

void sla_segment_detached(void) {
    uint64_t none = 0; /* an absence that no agent has put on record goes on */
    __atomic_compare_exchange_n(&sla_segment()->detached_tick, &none, sla_now(), false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

/* The parent goes on writing to its segment. What is mapped here turns into private memory, so that a marker which was
 * half-way when a signal handler forked ends harmlessly. */
void sla_segment_forget_after_fork(void) {
    if (!base) return;
    mmap(base, SLA_SEGMENT_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    close(segment_fd);
    segment_fd = -1;
    base = NULL;
}

/* A longer name keeps its beginning and gets a hash (FNV-1a) of the whole, so that two long names stay two channels. */
static void copy_name(char* to, const char* name) {
    size_t length = strlen(name);
    if (length < SLA_NAME_BYTES) {
        memcpy(to, name, length + 1);
        return;
    }
    uint64_t hash = UINT64_C(14695981039346656037);
    for (const char* c = name; *c; c++) hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    size_t kept = SLA_NAME_BYTES - 18;
    while (kept > 0 && ((unsigned char)name[kept] & 0xc0) == 0x80) kept--;
    memcpy(to, name, kept);
    snprintf(to + kept, SLA_NAME_BYTES - kept, "~%016llx", (unsigned long long)hash);
}

uint32_t sla_register_channel(const sla_channel* channel) {
    struct sla_segment_header* header = sla_segment();
    char name[SLA_NAME_BYTES];
    copy_name(name, channel->name ? channel->name : "");
    uint32_t count = header->channel_count;
    for (uint32_t index = 1; index <= count; index++) {
        if (strcmp(sla_descriptor(index)->name, name) == 0) return index;
    }
    if (count == SLA_MAX_CHANNELS) return 0;
    struct sla_channel_descriptor* descriptor = sla_descriptor(count + 1);
    memcpy(descriptor->name, name, sizeof name);
    snprintf(descriptor->format, sizeof descriptor->format, "%s", channel->format ? channel->format : "");
    descriptor->policy = channel->policy;
    descriptor->state = SLA_CHANNEL_READY;
    /* pairs with the acquire of SegmentView::channel_count: who counts the descriptor sees all of it */
    __atomic_store_n(&header->channel_count, count + 1, __ATOMIC_RELEASE);
    return count + 1;
}
