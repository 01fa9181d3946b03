#define _GNU_SOURCE
#include "agent/marker/count.h"
#include "agent/marker/internal.h"

#include <sla/count.h>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COUNTERS 2

enum state { UNOPENED, OPEN, ABSENT };

/* A thread's counters. */
static __thread struct {
    enum state state;
    int reported;
    const struct perf_event_mmap_page* page[COUNTERS]; /* NULL: one of the kernel's own, software[] says which */
    uint64_t software[COUNTERS];
    char problem[SLA_TEXT_BYTES];
} counters __attribute__((tls_model("initial-exec")));

static const struct {
    const char* name;
    uint32_t type;
    uint64_t config;
} kNamed[] = {
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    {"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    {"ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},
    {"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    {"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN},
    {"major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ},
    {"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
};

static int choose_one(const char* word, size_t length, uint32_t* type, uint64_t* config) {
    for (size_t i = 0; i < sizeof kNamed / sizeof kNamed[0]; i++) {
        if (strlen(kNamed[i].name) != length || memcmp(kNamed[i].name, word, length) != 0) continue;
        *type = kNamed[i].type;
        *config = kNamed[i].config;
        return 1;
    }
    if (length < 2 || word[0] != 'r') return 0;
    char* end = NULL;
    *type = PERF_TYPE_RAW;
    *config = strtoull(word + 1, &end, 16);
    return end == word + length;
}

int sla_count_choose(const char* text, struct sla_counter_choice* choice) {
    const char* comma = strchr(text, ',');
    if (comma == NULL) return 0;
    return choose_one(text, (size_t)(comma - text), &choice->type[0], &choice->config[0]) &&
           choose_one(comma + 1, strlen(comma + 1), &choice->type[1], &choice->config[1]);
}

int sla_count_read(const struct perf_event_mmap_page* page, sla_read_counter read, uint64_t* count) {
    uint32_t lock;
    do {
        lock = __atomic_load_n(&page->lock, __ATOMIC_ACQUIRE); /* pairs with the kernel's barrier behind its first ++lock */
        const uint32_t index = __atomic_load_n(&page->index, __ATOMIC_RELAXED); /* between the two looks at lock */
        const unsigned width = page->pmc_width;
        if (!page->cap_user_rdpmc || index == 0 || width == 0 || width > 64) return 0;
        /* The counter has `width` bits and a sign: the kernel starts it below zero. */
        const int64_t raw = (int64_t)(read(index - 1) << (64 - width)) >> (64 - width);
        *count = (uint64_t)__atomic_load_n(&page->offset, __ATOMIC_RELAXED) + (uint64_t)raw; /* likewise between */
        /* What was read above is read before lock is looked at again: x86-64 keeps loads in order, the compiler must too. */
        __atomic_signal_fence(__ATOMIC_ACQUIRE);
    } while (__atomic_load_n(&page->lock, __ATOMIC_RELAXED) != lock); /* pairs with the kernel's last ++lock */
    return 1;
}

static uint64_t read_pmc(uint32_t index) {
    uint32_t low, high;
    __asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index));
    return (uint64_t)high << 32 | low;
}

/* What the kernel counts of a thread anyway, and gives without a descriptor. */
static int read_software(uint64_t config, uint64_t* count) {
    if (sla_in_sandbox()) return 0;
    if (config == PERF_COUNT_SW_TASK_CLOCK) {
        struct timespec now;
        if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) return 0;
        *count = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
        return 1;
    }
    struct rusage usage;
    if (getrusage(RUSAGE_THREAD, &usage) != 0) return 0;
    switch (config) {
        case PERF_COUNT_SW_PAGE_FAULTS: *count = (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt; return 1;
        case PERF_COUNT_SW_PAGE_FAULTS_MIN: *count = (uint64_t)usage.ru_minflt; return 1;
        case PERF_COUNT_SW_PAGE_FAULTS_MAJ: *count = (uint64_t)usage.ru_majflt; return 1;
        default: *count = (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw; return 1;
    }
}

static int read_one(int which, uint64_t* count) {
    if (counters.page[which] == NULL) return read_software(counters.software[which], count);
    return sla_count_read(counters.page[which], read_pmc, count);
}

static const char* reason(int error) {
    switch (error) {
        case ENOENT: return "no performance counters are exposed by this processor or virtual machine";
        case EACCES:
        case EPERM: return "no permission; as root: sysctl kernel.perf_event_paranoid=2";
        case EOPNOTSUPP: return "the processor cannot count that";
        case ENOSYS: return "this kernel was built without CONFIG_PERF_EVENTS";
        default: return strerror(error);
    }
}

static const struct perf_event_mmap_page* open_counter(uint32_t type, uint64_t config) {
    struct perf_event_attr attribute;
    memset(&attribute, 0, sizeof attribute);
    attribute.size = sizeof attribute;
    attribute.type = type;
    attribute.config = config;
    attribute.exclude_kernel = 1;
    attribute.exclude_hv = 1;
    const long fd = syscall(SYS_perf_event_open, &attribute, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (fd < 0) return NULL;
    void* page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, (int)fd, 0);
    const int error = errno;
    close((int)fd); /* the mapping keeps the event */
    errno = error;
    return page == MAP_FAILED ? NULL : (const struct perf_event_mmap_page*)page;
}

/* Which ends the counting: the pages are all that holds on to it. */
static void unmap_pages(void) {
    for (int i = 0; i < COUNTERS; i++) {
        if (counters.page[i]) munmap((void*)(uintptr_t)counters.page[i], (size_t)sysconf(_SC_PAGESIZE));
        counters.page[i] = NULL;
    }
}

static void open_counters(void) {
    struct sla_counter_choice choice;
    struct sla_locked locked = sla_lock();
    const char* asked = sla_environment()->counters;
    sla_unlock(&locked);
    counters.state = ABSENT;
    sla_thread_note_end();
    if (!sla_count_choose(asked[0] ? asked : "cycles,instructions", &choice)) {
        snprintf(counters.problem, sizeof counters.problem, "not present: SLA_COUNTERS=%.40s names no two counters", asked);
        return;
    }
    for (int i = 0; i < COUNTERS; i++) {
        counters.software[i] = choice.config[i];
        if (choice.type[i] == PERF_TYPE_SOFTWARE) continue;
        counters.page[i] = open_counter(choice.type[i], choice.config[i]);
        if (counters.page[i] == NULL) {
            snprintf(counters.problem, sizeof counters.problem, "not present: %s", reason(errno));
            return unmap_pages();
        }
        if (!counters.page[i]->cap_user_rdpmc) {
            snprintf(counters.problem, sizeof counters.problem, "not present: this kernel does not let programs use RDPMC");
            return unmap_pages();
        }
    }
    counters.state = OPEN;
}

/* A destructor that counts after this opens them anew. In a sandbox they stay. */
void sla_count_thread_ended(void) {
    if (counters.state == UNOPENED || sla_in_sandbox()) return;
    unmap_pages();
    counters.state = UNOPENED;
}

/* The child has the descriptors' pages no more: the kernel does not copy them. */
void sla_count_forget_after_fork(void) {
    memset(&counters, 0, sizeof counters);
}

const char* sla_count_problem(void) {
    int errno_before = errno;
    if (counters.state == UNOPENED) open_counters();
    errno = errno_before;
    return counters.state == ABSENT ? counters.problem : NULL;
}

/* 0: this thread has none; the first time a text says why. */
static int have_counters(sla_channel* channel) {
    if (__builtin_expect(counters.state == OPEN, 1)) return 1;
    const char* problem = sla_count_problem();
    if (problem == NULL) return 1;
    if (!counters.reported) sla_text(channel, problem);
    counters.reported = 1;
    return 0;
}

/* 0: they cannot be read just now. */
static int read_both(uint64_t count[COUNTERS]) {
    const int errno_before = errno;
    const int both = read_one(0, &count[0]) && read_one(1, &count[1]);
    errno = errno_before;
    return both;
}

/* With both numbers, or bare where they could not be read. */
static void record_counts(sla_channel* channel, int both, const uint64_t count[COUNTERS], enum sla_code with,
                          enum sla_code bare) {
    if (both) {
        sla_record_wide(channel, with, count[0], count[1], 0);
    } else {
        sla_record(channel, bare, 0);
    }
}

/* The ring that these numbers go to, made if need be. 1: it was not there, and making it counted. */
static int make_ring(sla_channel* channel, int both, const uint64_t count[COUNTERS]) {
    const enum sla_width width = both && count[1] != 0 ? SLA_WIDTH_WIDE : SLA_WIDTH_PLAIN; /* as sla_record_wide has it */
    if (sla_thread_table(0) && sla_has_ring(sla_writer_of(channel, width, 0))) return 0;
    const int errno_before = errno;
    (void)sla_prepare(channel, 0, width);
    errno = errno_before;
    return 1;
}

void sla_count(sla_channel* channel) {
    uint64_t count[COUNTERS];
    if (!have_counters(channel)) return;
    const int both = read_both(count);
    record_counts(channel, both, count, SLA_CODE_TICK_VALUE, SLA_CODE_TICK);
}

/* What a thread's first marker of a channel costs falls before the section, not into it. */
void sla_count_begin(sla_channel* channel) {
    uint64_t count[COUNTERS];
    if (!have_counters(channel)) return sla_record(channel, SLA_CODE_BEGIN, 0);
    int both = read_both(count);
    if (make_ring(channel, both, count)) both = read_both(count);
    record_counts(channel, both, count, SLA_CODE_BEGIN_VALUE, SLA_CODE_BEGIN);
}

void sla_count_end(sla_channel* channel) {
    uint64_t count[COUNTERS];
    if (!have_counters(channel)) return sla_record(channel, SLA_CODE_END, 0);
    const int both = read_both(count);
    record_counts(channel, both, count, SLA_CODE_END_VALUE, SLA_CODE_END);
}
