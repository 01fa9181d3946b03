/* The process and the agent.
 *
 *                      agent found                     agent gone
 *   NEW ── first marker ────────────► ON ◄──────────────────────────► OFF      (every change by one small thread, under
 *    ├─────────── no agent ──────────────────────────────────────────►┤         the registry lock)
 *    └── LATE ── agent found ───────► ON                              │
 *         └────── no agent ──────────────────────────────────────────►┘
 *
 * LATE: the first marker has waited long enough, the thread has not looked yet. Markers are counted as lost (early.c).
 * ON: channels are armed, markers write. OFF: armed == 0, a marker is a load and a branch. The segment is made once and
 * kept: a new agent gets the same one and goes on where the last one stopped reading. What an agent asked of channels
 * (filter.c) goes with it. A forked child begins as NEW (fork.c).
 *
 * The first marker starts the thread and waits until it has looked for an agent once. From then on the thread listens to the
 * agent (link.c) and keeps rings in stock (stock.c), or, while there is none, sleeps and looks again: after 10 ms, twice as
 * long each time, every second at last. So a program without an agent holds nothing but a sleeping thread. All descriptors
 * are the thread's alone (files.c).
 */
#define _GNU_SOURCE
#include "agent/marker/rings.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum state { STATE_NEW, STATE_LATE, STATE_ON, STATE_OFF };

static const long kFirstPauseMs = 10;
static const long kLastPauseMs = 1000;
static const long kFirstLookMs = 1000; /* as long as a first marker waits at most */
static const long kStockPauseMs = 1;

/* All below are under the registry lock, but that any thread may read `state` where it does not have it. */
static pthread_cond_t changed; /* the thread has looked, or is asked to */
static enum state state;
static bool thread_runs;  /* or is being created, or has run */
static bool thread_ended; /* where it may: with the first thread, uncounted */
static bool thread_lives; /* written by itself, read by any thread */
static bool process_prepared;

/* Of the library's thread, and of one that creates it: such a thread's markers do not wait for its first look. */
static __thread bool waits_for_nobody __attribute__((tls_model("initial-exec")));

static void set_state(enum state next) {
    __atomic_store_n(&state, next, __ATOMIC_SEQ_CST); /* read by sla_is_on; as early.c says */
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
    set_state(connected && sla_link_announce() ? STATE_ON : STATE_OFF);
    sla_early_settle();
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

static struct timespec after(long milliseconds) {
    struct timespec then;
    clock_gettime(CLOCK_MONOTONIC, &then);
    then.tv_nsec += milliseconds * 1000000;
    then.tv_sec += then.tv_nsec / 1000000000;
    then.tv_nsec %= 1000000000;
    return then;
}

void sla_wait_for_change(long milliseconds) {
    const struct timespec until = after(milliseconds);
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
    if (on) sla_descriptors_enter_sandbox();
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
    __atomic_store_n(&thread_lives, true, __ATOMIC_RELEASE); /* pairs with sla_thread_lives' acquire */
    waits_for_nobody = true;
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
        if (sla_leader_left_us_alone()) sla_leader_end_after();
        if (sla_leader_left_uncounted()) break;
        pause = turn(&locked, pause);
    }
    if (state == STATE_ON) lose_agent(); /* the agent still reads what is in the rings */
    thread_ended = true;
    sla_changed();
    sla_unlock(&locked);
    return NULL;
}

/* The thread inherits a mask with every signal blocked. It needs little stack; but where the program's thread-local
 * variables, which lie on it, do not fit, it gets the usual amount. */
static int create_thread(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    size_t usual = 0;
    int failed = pthread_attr_init(&attributes);
    if (failed) return failed;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_getstacksize(&attributes, &usual);
    pthread_attr_setstacksize(&attributes, 256 * 1024);
    failed = pthread_create(&thread, &attributes, attach_thread, NULL);
    if (failed == EINVAL && pthread_attr_setstacksize(&attributes, usual) == 0) {
        failed = pthread_create(&thread, &attributes, attach_thread, NULL);
    }
    pthread_attr_destroy(&attributes);
    return failed;
}

/* Under the lock, but for the creation itself: the C library allocates there, and the program's allocator may be marked. */
static void start_thread(void) {
    if (thread_runs) return;
    thread_runs = true;
    waits_for_nobody = true;
    sla_lock_let_go();
    int failed = create_thread();
    sla_lock_take_again();
    waits_for_nobody = false;
    if (!failed) return;
    thread_runs = false;
    sla_changed(); /* others wait for its first look by now */
    sla_debug("cannot start the thread that waits for agents", failed);
}

bool sla_thread_runs(void) {
    return thread_runs && !thread_ended;
}

bool sla_thread_lives(void) {
    return __atomic_load_n(&thread_lives, __ATOMIC_ACQUIRE); /* pairs with attach_thread's release */
}

bool sla_is_on(void) {
    return __atomic_load_n(&state, __ATOMIC_RELAXED) == STATE_ON;
}

bool sla_is_late(void) {
    return __atomic_load_n(&state, __ATOMIC_RELAXED) == STATE_LATE; /* who sees it late waits for the lock, or counts */
}

bool sla_look_is_to_come(void) {
    const enum state now = __atomic_load_n(&state, __ATOMIC_SEQ_CST); /* as early.c says */
    return now == STATE_NEW || now == STATE_LATE;
}

void sla_attach_forget_after_fork(void) {
    process_prepared = false;
    thread_runs = thread_ended = thread_lives = false;
    waits_for_nobody = false;
    set_state(sla_in_sandbox() ? STATE_OFF : STATE_NEW); /* there nothing starts any more */
}

static void prepare_process(void) {
    pthread_condattr_t monotonic;
    if (process_prepared) return;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    sla_environment();
    sla_know_children();
    process_prepared = true;
}

static void wait_for_first_look(enum state meanwhile) {
    const struct timespec until = after(kFirstLookMs);
    while (state == meanwhile && thread_runs && sla_wait(&changed, &until)) continue;
}

/* Now or never: what was marked without a ring is nobody's yet. That may be what children of vfork marked, and nobody else. */
void sla_attach_before_exit(void) {
    if (!sla_look_is_to_come() || !sla_early_any() || sla_in_sandbox()) return;
    struct sla_locked locked = sla_lock();
    if (!locked.again && state == STATE_NEW) sla_attached();
    if (!locked.again) wait_for_first_look(STATE_LATE);
    if (sla_is_late()) sla_debug("the program ends, and no agent was looked for yet: what it marked is lost, uncounted", 0);
    sla_unlock(&locked);
}

/* Under the lock: true when an agent listens. */
bool sla_attached(void) {
    if (!thread_runs && !sla_memory_is_ours()) return false; /* it would end with this process, or keep it from ending */
    prepare_process();
    start_thread();
    if (waits_for_nobody) return state == STATE_ON;
    if (state == STATE_NEW && thread_runs) wait_for_first_look(STATE_NEW);
    if (state == STATE_NEW && thread_runs) {
        set_state(STATE_LATE);
        sla_debug("the library's thread is late: what is marked until it has looked for an agent is lost", 0);
    }
    if (state == STATE_NEW) set_state(STATE_OFF);
    return state == STATE_ON;
}

int sla_attach(void) {
    struct sla_locked locked = sla_lock();
    bool on = locked.again ? sla_is_on() : sla_attached();
    sla_unlock(&locked);
    return on;
}
