/* SLA_COUNT and its like: a thread's two counters, opened by its first of them. */
#define _GNU_SOURCE
#include "agent/marker/counter.h"
#include "agent/marker/rings.h"

#include <sla/count.h>

#include <sys/mman.h>
#include <unistd.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

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

static int read_one(int which, uint64_t* count) {
    if (counters.page[which] == NULL) return sla_counter_software(counters.software[which], count);
    return sla_counter_read(counters.page[which], sla_counter_pmc, count);
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
    if (!sla_counter_choose(asked[0] ? asked : "cycles,instructions", &choice)) {
        snprintf(counters.problem, sizeof counters.problem, "not present: SLA_COUNTERS=%.40s names no two counters", asked);
        return;
    }
    for (int i = 0; i < COUNTERS; i++) {
        counters.software[i] = choice.config[i];
        if (choice.type[i] == PERF_TYPE_SOFTWARE) continue;
        counters.page[i] = sla_counter_open(choice.type[i], choice.config[i]);
        if (counters.page[i] == NULL) {
            snprintf(counters.problem, sizeof counters.problem, "not present: %s", sla_counter_reason(errno));
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
