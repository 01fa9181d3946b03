/* The process and the agent.
 *
 *                      agent found                     agent gone
 *   NEW ── first marker ────────────► ON ◄──────────────────────────► OFF      (every change by one small thread, under
 *    └─────────── no agent ──────────────────────────────────────────►┘         the registry lock)
 *
 * ON: channels are armed, markers write. OFF: armed == 0, a marker is a load and a branch. The segment is made once and
 * kept: a new agent gets the same one and goes on where the last one stopped reading. What an agent asked of channels
 * (filter.c) goes with it.
 *
 * The first marker starts the thread and waits until it has looked for an agent once. From then on the thread listens to the
 * agent (link.c) and keeps rings in stock (stock.c), or, while there is none, sleeps and looks again: after 10 ms, twice as
 * long each time, every second at last. So a program without an agent holds nothing but a sleeping thread. All descriptors
 * are the thread's alone (files.c).
 */
#define _GNU_SOURCE
#include "agent/marker/internal.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum state { STATE_NEW, STATE_ON, STATE_OFF };

static const long kFirstPauseMs = 10;
static const long kLastPauseMs = 1000;
static const long kFirstLookMs = 1000; /* as long as a first marker waits at most */
static const long kStockPauseMs = 1;

/* All below are under the registry lock, but that in a sandbox any thread may read `state`, and the exit `announcing`. */
static pthread_cond_t changed; /* the thread has looked, or is asked to */
static enum state state;
static bool thread_runs;
static bool process_prepared;
static bool announcing;   /* markers may be on already, and the agent not have the segment yet */
static int* this_process; /* reads 1 in the process that wrote it; 0 in a child that came without fork's handlers */

static void set_state(enum state next) {
    __atomic_store_n(&state, next, __ATOMIC_RELAXED); /* read by sla_is_on, in a sandbox: there it does not change */
}

/* Under the lock, which it lets go to fill the stock: before any marker is on, so that none of any thread begins without
 * one. The rings are usable at once; the agent finds what is in them when it gets to reading. */
static void find_agent(struct sla_locked* locked) {
    bool connected = sla_link_connect();
    if (connected) {
        sla_unlock(locked);
        sla_stock_begin();
        *locked = sla_lock();
    }
    /* No store below goes before it: who has seen a marker on sees this. */
    (void)__atomic_exchange_n(&announcing, connected, __ATOMIC_ACQ_REL);
    set_state(connected && sla_link_announce() ? STATE_ON : STATE_OFF);
    __atomic_store_n(&announcing, false, __ATOMIC_RELAXED); /* begin_exit sees it late at worst, and takes the lock */
}

static void lose_agent(void) {
    sla_link_close();
    set_state(STATE_OFF);
    sla_segment_detached();
    sla_arm_all(SLA_ARMED_OFF);
    sla_filter_clear_all();
}

/* The agent has changed what it wants of some channels or rings. The lock is not held. */
static void apply_controls(void) {
    struct sla_locked locked = sla_lock();
    sla_arm_as_wanted();
    sla_unlock(&locked);
    sla_grow_rings();
}

void sla_wait_for_change(long milliseconds) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += milliseconds * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    sla_wait(&changed, &until);
}

void sla_changed(void) {
    pthread_cond_broadcast(&changed);
}

/* One turn with the agent, or one sleep. Under the lock, and not while it waits. The next sleep's length: nothing before the
 * first look after an agent that welcomed us went, longer with every look that found none, or one that turned us away. */
static long turn(struct sla_locked* locked, long pause) {
    if (state == STATE_ON) {
        sla_unlock(locked);
        bool watches =
            sla_stock_fill() && sla_files_are_apart(); /* a number in the program's table is not looked at often */
        enum sla_received received = sla_link_receive(!watches);
        if (received == SLA_GOT_CONTROLS) apply_controls();
        *locked = sla_lock();
        if (received == SLA_GOT_WELCOME) return 0;
        if (received == SLA_GOT_NOTHING && watches && !sla_in_sandbox()) sla_wait_for_change(kStockPauseMs);
        if (received != SLA_GOT_LOSS && received != SLA_GOT_REFUSAL) return pause;
        lose_agent();
        if (pause == 0) return kFirstPauseMs;
    }
    sla_wait_for_change(pause);
    return pause * 2 < kLastPauseMs ? pause * 2 : kLastPauseMs;
}

static void enter_sandbox(struct sla_locked* locked) {
    bool on = state == STATE_ON;
    sla_unlock(locked);
    if (on) sla_rings_enter_sandbox();
    *locked = sla_lock();
    sla_park(locked);
}

/* The thread of a program with real-time priority is not to keep anybody from working. */
static void leave_real_time(void) {
    const struct sched_param usual = {0};
    long policy = syscall(SYS_sched_getscheduler, 0);
    if (policy == SCHED_FIFO || policy == SCHED_RR) syscall(SYS_sched_setscheduler, 0, SCHED_OTHER, &usual);
}

static void* attach_thread(void* unused) {
    (void)unused;
    prctl(PR_SET_NAME, "sla-attach", 0, 0, 0);
    sla_files_leave_program();
    long pause = kFirstPauseMs;
    struct sla_locked locked = sla_lock();
    for (bool looked = false;; looked = true) {
        if (state != STATE_ON) {
            find_agent(&locked);
            sla_changed();
        }
        if (!looked) leave_real_time();
        if (sla_in_sandbox()) enter_sandbox(&locked);
        pause = turn(&locked, pause);
    }
    return NULL;
}

/* The thread inherits a mask with every signal blocked. It needs little stack; but where the program's thread-local
 * variables, which lie on it, do not fit, it gets the usual amount. */
static void start_thread(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    size_t usual = 0;
    if (thread_runs || pthread_attr_init(&attributes) != 0) return;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_getstacksize(&attributes, &usual);
    pthread_attr_setstacksize(&attributes, 256 * 1024);
    int failed = pthread_create(&thread, &attributes, attach_thread, NULL);
    if (failed == EINVAL && pthread_attr_setstacksize(&attributes, usual) == 0) {
        failed = pthread_create(&thread, &attributes, attach_thread, NULL);
    }
    pthread_attr_destroy(&attributes);
    thread_runs = failed == 0;
    if (failed) sla_debug("cannot start the thread that waits for agents", failed);
}

bool sla_thread_runs(void) {
    return thread_runs;
}

bool sla_is_on(void) {
    return __atomic_load_n(&state, __ATOMIC_RELAXED) == STATE_ON;
}

/* In the child, only the forking thread exists: everything starts anew, with a segment of its own at the next marker. In a
 * sandbox nothing starts any more. */
static void forked_child(void) {
    if (this_process) *this_process = 1;
    if (sla_in_sandbox()) {
        set_state(STATE_OFF);
        sla_arm_all(SLA_ARMED_OFF);
        return;
    }
    process_prepared = false;
    thread_runs = false;
    announcing = false;
    sla_thread_forget_after_fork();
    sla_link_forget_after_fork();
    sla_segment_forget_after_fork();
    sla_files_forget_after_fork();
    sla_stock_forget_after_fork();
    sla_arena_forget_after_fork();
    sla_environment_forget_after_fork();
    sla_count_forget_after_fork();
    set_state(STATE_NEW);
    sla_channels_forget_after_fork();
}

/* A child by clone() or _Fork() comes without fork's handlers. Its first system call of ours finds that out; markers that
 * the parent had ready do not (see sla_forked). */
void sla_notice_child(void) {
    int* mark = __atomic_load_n(&this_process, __ATOMIC_ACQUIRE); /* pairs with prepare_process's release: it reads 1 */
    if (mark && !__atomic_load_n(mark, __ATOMIC_RELAXED)) forked_child();
}

void sla_forked(void) {
    sla_notice_child();
}

static bool exiting;

/* What was marked between the turning on of markers and the handing over of the segment is lost with a process that ends
 * there: it waits for those few calls. */
static void begin_exit(void) {
    __atomic_store_n(&exiting, true, __ATOMIC_RELAXED); /* read by sla_is_exiting, on this thread */
    if (sla_in_sandbox() || !__atomic_load_n(&announcing, __ATOMIC_ACQUIRE)) return; /* pairs with find_agent's exchange */
    struct sla_locked locked = sla_lock();
    sla_unlock(&locked);
}

bool sla_is_exiting(void) {
    return __atomic_load_n(&exiting, __ATOMIC_RELAXED);
}

/* What may allocate, done as the program is loaded, so that no first marker in a signal handler need do it. */
__attribute__((constructor)) static void loaded(void) {
    pthread_atfork(NULL, NULL, forked_child);
    atexit(begin_exit); /* runs before the destructors of objects */
    sla_thread_make_key();
}

static void prepare_process(void) {
    pthread_condattr_t monotonic;
    if (process_prepared) return;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    sla_environment();
    if (!this_process) {
        void* page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (page != MAP_FAILED && madvise(page, 4096, MADV_WIPEONFORK) == 0) {
            *(int*)page = 1;
            __atomic_store_n(&this_process, page, __ATOMIC_RELEASE); /* pairs with sla_notice_child's acquire */
        }
    }
    process_prepared = true;
}

static void wait_for_first_look(void) {
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        sla_wait_for_change(kFirstLookMs);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (state == STATE_NEW && (now.tv_sec - start.tv_sec) * 1000 < kFirstLookMs);
}

/* Under the lock: true when an agent listens. */
bool sla_attached(void) {
    prepare_process();
    start_thread();
    if (state == STATE_NEW && thread_runs) wait_for_first_look();
    if (state == STATE_NEW) set_state(STATE_OFF); /* the thread, if there is one, looks all the same */
    return state == STATE_ON;
}

int sla_attach(void) {
    struct sla_locked locked = sla_lock();
    bool on = sla_attached();
    sla_unlock(&locked);
    return on;
}

void sla_describe_source(const char* name, enum sla_source_kind kind) {
    struct sla_locked locked = sla_lock();
    sla_segment_describe(name ? name : "", kind);
    sla_unlock(&locked);
}
