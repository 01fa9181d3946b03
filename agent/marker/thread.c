#include "agent/marker/rings.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

/* A table has a writer for every (channel, width) that there can ever be: looking one up is an addition. It is address space
 * until used; untouched pages cost nothing. Index 0 stays empty, so that unregistered channels find no ring. */
#define TABLE_ENTRIES ((size_t)(SLA_MAX_CHANNELS + 1) * SLA_WIDTH_COUNT)
#define WRITER_BYTES (TABLE_ENTRIES * sizeof(struct sla_writer))
/* Behind the writers, the thread's side of filters, by channel index. */
#define TABLE_BYTES (WRITER_BYTES + (SLA_MAX_CHANNELS + 1) * sizeof(struct sla_filter_state))

static struct sla_writer no_writers[TABLE_ENTRIES];

__thread struct sla_writer* sla_thread_tables[SLA_NESTING] = {no_writers};

static pthread_key_t at_thread_end;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static bool has_key; /* no: all that there can be are the program's */

static void close_rings(struct sla_writer* table) {
    struct sla_segment_header* segment = sla_segment();
    size_t used = segment ? ((size_t)__atomic_load_n(&segment->channel_count, __ATOMIC_RELAXED) + 1) * SLA_WIDTH_COUNT : 0;
    bool is_sandboxed_child = sla_in_sandbox() && !sla_is_on(); /* or nobody listens: no ring is this process's to close */
    for (size_t i = 0; i < used && i < TABLE_ENTRIES; i++) {
        if (sla_has_ring(&table[i]) && !is_sandboxed_child) sla_close_ring(&table[i]);
    }
    if (!sla_in_sandbox()) munmap(table, TABLE_BYTES);
}

/* A marker in a later destructor of the same thread makes new tables, and the C library calls this once more. */
static void thread_ended(void* unused) {
    (void)unused;
    sla_disown_channels();
    for (int depth = 0; depth < SLA_NESTING; depth++) {
        struct sla_writer* table = sla_thread_tables[depth];
        sla_thread_tables[depth] = depth == 0 ? no_writers : NULL;
        if (table && table != no_writers) close_rings(table);
    }
    sla_count_thread_ended();
    if (sla_leader_ends()) sla_thread_note_end();
}

static void make_key(void) {
    has_key = pthread_key_create(&at_thread_end, thread_ended) == 0;
}

/* The C library has space for 32 keys of each thread without allocating: early is good. */
void sla_thread_loaded(void) {
    pthread_once(&key_once, make_key);
    if (sla_leader_is_here()) sla_thread_note_end();
}

bool sla_thread_note_end(void) {
    pthread_once(&key_once, make_key);
    return has_key && pthread_setspecific(at_thread_end, no_writers) == 0;
}

int64_t sla_thread_table_place(void) {
    return (int64_t)((uintptr_t)&sla_thread_tables[0] - sla_self());
}

struct sla_filter_state* sla_thread_filter_states(void) {
    if (sla_thread_tables[0] == no_writers) return NULL;
    return (struct sla_filter_state*)(void*)((unsigned char*)sla_thread_tables[0] + WRITER_BYTES);
}

struct sla_writer* sla_thread_table_make(int depth) {
    struct sla_writer* table = sla_thread_table(depth);
    if (table && table != no_writers) return table;
    if (!sla_thread_note_end()) return NULL; /* who ends unnoticed would keep its rings for ever */
    table = mmap(NULL, TABLE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (table == MAP_FAILED) return NULL;
    sla_thread_tables[depth] = table;
    return table;
}

/* A marker may be half-way, whose handler forks: its writer goes on pointing to memory. The next one looks (sla_has_ring). No
 * system call, for a sandbox. */
void sla_thread_forget_after_fork(uint32_t channels) {
    const size_t used = channels == 0 ? 0 : (size_t)channels + 1; /* there is no channel 0 */
    for (int depth = 0; depth < SLA_NESTING; depth++) {
        struct sla_writer* table = sla_thread_table(depth);
        if (!table || table == no_writers) continue;
        for (size_t i = 0; i < used * SLA_WIDTH_COUNT && i < TABLE_ENTRIES; i++) {
            if (table[i].limit != 0) table[i].limit = 0;
            if (table[i].taken != 0) sla_segment_leave_writable(&table[i], (enum sla_width)(i % SLA_WIDTH_COUNT));
        }
    }
    struct sla_filter_state* states = sla_thread_filter_states();
    for (size_t i = 0; states && i < used && i <= SLA_MAX_CHANNELS; i++) {
        if (states[i].sequence != 0) memset(&states[i], 0, sizeof states[i]);
    }
}
