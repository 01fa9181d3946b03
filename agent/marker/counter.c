#define _GNU_SOURCE
#include "agent/marker/counter.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <errno.h>
#include <string.h>
#include <time.h>

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

/* All of it, of at least one digit. */
static int hexadecimal(const char* text, const char* end, uint64_t* number) {
    *number = 0;
    if (text >= end) return 0;
    for (; text < end; text++) {
        const unsigned digit = (unsigned char)*text - (unsigned)'0';
        const unsigned letter = ((unsigned char)*text | 0x20u) - (unsigned)'a';
        if (digit > 9 && letter > 5) return 0;
        if (*number >> 60 != 0) return 0;
        *number = *number << 4 | (digit > 9 ? letter + 10 : digit);
    }
    return 1;
}

static int choose_one(const char* word, size_t length, uint32_t* type, uint64_t* config) {
    for (size_t i = 0; i < sizeof kNamed / sizeof kNamed[0]; i++) {
        if (strlen(kNamed[i].name) != length || memcmp(kNamed[i].name, word, length) != 0) continue;
        *type = kNamed[i].type;
        *config = kNamed[i].config;
        return 1;
    }
    *type = PERF_TYPE_RAW;
    return word[0] == 'r' && hexadecimal(word + 1, word + length, config);
}

int sla_counter_choose(const char* text, struct sla_counter_choice* choice) {
    const char* comma = strchr(text, ',');
    if (comma == NULL) return 0;
    return choose_one(text, (size_t)(comma - text), &choice->type[0], &choice->config[0]) &&
           choose_one(comma + 1, strlen(comma + 1), &choice->type[1], &choice->config[1]);
}

int sla_counter_read(const struct perf_event_mmap_page* page, sla_read_counter read, uint64_t* count) {
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

uint64_t sla_counter_pmc(uint32_t index) {
    uint32_t low, high;
    __asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index));
    return (uint64_t)high << 32 | low;
}

/* What the kernel counts of a thread anyway, and gives without a descriptor. */
int sla_counter_software(uint64_t config, uint64_t* count) {
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

const char* sla_counter_reason(int error) {
    switch (error) {
        case ENOENT: return "no performance counters are exposed by this processor or virtual machine";
        case EACCES:
        case EPERM: return "no permission; as root: sysctl kernel.perf_event_paranoid=2";
        case EOPNOTSUPP: return "the processor cannot count that";
        case ENOSYS: return "this kernel was built without CONFIG_PERF_EVENTS";
        default: return strerror(error);
    }
}

const struct perf_event_mmap_page* sla_counter_open(uint32_t type, uint64_t config) {
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
