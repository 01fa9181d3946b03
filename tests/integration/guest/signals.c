/* Signals, jumps, cancellation and fibres; and what a first marker may not change. */
#define _GNU_SOURCE
#include "tests/integration/guest/guest.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

SLA_CHANNEL(main_channel, "guest.main");
SLA_CHANNEL(other_channel, "guest.other");

static sigjmp_buf back;
static volatile sig_atomic_t jumps;
static volatile sig_atomic_t may_jump;

/* Leaves only where it interrupts a marker. */
static void jump_out(int number) {
    (void)number;
    if (!may_jump || !main_channel->own.taken) return;
    jumps = jumps + 1;
    siglongjmp(back, 1);
}

/* jumps N: N markers are left half-way by siglongjmp; then 1000 markers in peace. */
static int jump_often(int argc, char** argv) {
    (void)argc;
    static volatile unsigned long finished;
    const int wanted = atoi(argv[0]);
    struct sigaction action = {.sa_handler = jump_out};
    const struct itimerval often = {{0, 30}, {0, 30}}, never = {{0, 0}, {0, 0}};
    SLA_VALUE(main_channel, 0);
    finished = 1;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    while (jumps < wanted) {
        if (sigsetjmp(back, 1) != 0) continue;
        may_jump = 1;
        for (;;) {
            SLA_VALUE(main_channel, 1);
            finished = finished + 1;
        }
    }
    may_jump = 0;
    setitimer(ITIMER_REAL, &never, NULL);
    for (int i = 0; i < 1000; i++) SLA_VALUE(main_channel, 1000000007);
    say("jumps", (unsigned long long)jumps);
    say("finished", finished + 1000);
    REQUIRE(main_channel->own.taken == 0);
    return 0;
}

/* A handler on a stack of its own, above the frame it interrupts, is no reason to take a writer from the marker below. */
static void mark_in_handler(int number) {
    (void)number;
    SLA_VALUE(main_channel, 7);
    jumps = jumps + 1;
}

static int handlers_stack(int argc, char** argv) {
    (void)argc;
    (void)argv;
    static char stack[65536];
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = mark_in_handler, .sa_flags = SA_ONSTACK};
    const struct itimerval often = {{0, 40}, {0, 40}}, never = {{0, 0}, {0, 0}};
    SLA_VALUE(main_channel, 0);
    REQUIRE(sigaltstack(&other, NULL) == 0);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    unsigned long i = 1;
    while (jumps < 500) {
        SLA_VALUE(main_channel, i);
        i++;
    }
    setitimer(ITIMER_REAL, &never, NULL);
    say("offered", i + (unsigned long)jumps);
    return 0;
}

static void* mark_after_cancel(void* unused) {
    (void)unused;
    pthread_cancel(pthread_self());
    SLA_VALUE(main_channel, 1);
    pthread_testcancel();
    return NULL;
}

/* cancel: a thread whose end is asked for makes the first marker; the program goes on. */
static int cancel(int argc, char** argv) {
    (void)argc;
    (void)argv;
    pthread_t thread;
    void* result = NULL;
    REQUIRE(pthread_create(&thread, NULL, mark_after_cancel, NULL) == 0);
    REQUIRE(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
    SLA_VALUE(main_channel, 2);
    SLA_VALUE(other_channel, 3);
    say("offered", 3);
    return 0;
}

struct surroundings {
    char descriptors[512];
    char directory[256];
    struct sigaction actions[65];
    sigset_t mask, pending;
    mode_t umask;
    int policy;
    int cancel;
};

static void look_around(struct surroundings* seen) {
    memset(seen, 0, sizeof *seen);
    list_descriptors(seen->descriptors, sizeof seen->descriptors);
    REQUIRE(getcwd(seen->directory, sizeof seen->directory) != NULL);
    for (int i = 1; i <= 64; i++) sigaction(i, NULL, &seen->actions[i]);
    pthread_sigmask(SIG_BLOCK, NULL, &seen->mask);
    sigpending(&seen->pending);
    seen->umask = umask(0);
    umask(seen->umask);
    seen->policy = sched_getscheduler(0);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &seen->cancel);
    pthread_setcancelstate(seen->cancel, NULL);
}

/* surroundings: what belongs to the program is after the first markers as it was before, errno too. */
static int keeps_surroundings(int argc, char** argv) {
    static struct surroundings before, after;
    (void)argc;
    (void)argv;
    look_around(&before);
    errno = 4711;
    sla_attach();
    REQUIRE(errno == 4711);
    SLA_VALUE(main_channel, 0);
    SLA_TEXT(main_channel, "text");
    sla_record_wide(main_channel, SLA_CODE_TICK_VALUE, 1, 2, 3);
    sla_describe_source("a guest", SLA_SOURCE_PROGRAM);
    REQUIRE(errno == 4711);
    look_around(&after);
    REQUIRE(strcmp(before.descriptors, after.descriptors) == 0);
    REQUIRE(strcmp(before.directory, after.directory) == 0);
    for (int i = 1; i <= 64; i++) REQUIRE(before.actions[i].sa_handler == after.actions[i].sa_handler);
    REQUIRE(memcmp(&before.mask, &after.mask, sizeof before.mask) == 0);
    REQUIRE(memcmp(&before.pending, &after.pending, sizeof before.pending) == 0);
    REQUIRE(before.umask == after.umask && before.policy == after.policy && before.cancel == after.cancel);
    return 0;
}

static ucontext_t fibre, first_thread, second_thread;
static char fibre_stack[256 * 1024];
static unsigned long owned_before, owned_after;
static uintptr_t self_before, self_after;

static void run_fibre(void) {
    {
        SLA_SPAN(main_channel, 1);
        owned_before = main_channel->own.next;
        self_before = sla_self();
        swapcontext(&fibre, &first_thread);
        self_after = sla_self(); /* by now on another thread */
        SLA_VALUE(main_channel, 2);
    }
    owned_after = main_channel->own.next;
    swapcontext(&fibre, &second_thread);
}

static void* go_on(void* unused) {
    (void)unused;
    swapcontext(&second_thread, &fibre);
    return NULL;
}

/* fibres: one that moved to another thread marks as that thread, be it the end of a span. */
static int fibres(int argc, char** argv) {
    (void)argc;
    (void)argv;
    pthread_t thread;
    getcontext(&fibre);
    fibre.uc_stack.ss_sp = fibre_stack;
    fibre.uc_stack.ss_size = sizeof fibre_stack;
    makecontext(&fibre, run_fibre, 0);
    SLA_VALUE(main_channel, 0); /* this thread owns the channel */
    swapcontext(&first_thread, &fibre);
    REQUIRE(pthread_create(&thread, NULL, go_on, NULL) == 0);
    pthread_join(thread, NULL);
    REQUIRE(self_after != self_before);
    REQUIRE(owned_after == owned_before);
    say("offered", 4);
    return 0;
}

static void* mark_to_the_last(void* unused) {
    for (unsigned long i = 0;; i++) SLA_VALUE(other_channel, i);
    return unused;
}

/* exit: the program ends by exit() while other threads mark. */
static int end_in_midst(int argc, char** argv) {
    (void)argc;
    (void)argv;
    pthread_t thread;
    SLA_VALUE(main_channel, 0);
    for (int i = 0; i < 3; i++) REQUIRE(pthread_create(&thread, NULL, mark_to_the_last, NULL) == 0);
    usleep(2000);
    exit(0);
}

const struct guest kSignalGuests[] = {{"jumps", jump_often}, {"handlers-stack", handlers_stack},
                                      {"cancel", cancel},    {"surroundings", keeps_surroundings},
                                      {"fibres", fibres},    {"exit", end_in_midst},
                                      {NULL, NULL}};
