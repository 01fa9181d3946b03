/* Children that fork() makes at bad moments. */
#define _GNU_SOURCE
#include "tests/integration/guest/guest.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

SLA_CHANNEL(main_channel, "guest.main");
SLA_CHANNEL(child_channel, "guest.child");

static void mark_often(sla_channel* channel, int times) {
    for (int i = 0; i < times; i++) SLA_VALUE(channel, i);
}

static void require_good_end(pid_t child) {
    int status = 1;
    REQUIRE(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

static int marks_in_child;

static void mark_in_child(void) {
    if (marks_in_child) mark_often(main_channel, 100);
}

/* Before what the library registers without a priority of its own. */
__attribute__((constructor)) static void register_handler(void) {
    pthread_atfork(NULL, NULL, mark_in_child);
}

/* fork-handler: a handler of the program's marks in the child. */
static int marking_handler(int argc, char** argv) {
    (void)argc;
    (void)argv;
    mark_often(main_channel, 100);
    marks_in_child = 1;
    pid_t child = fork();
    if (child == 0) _exit(0);
    mark_often(main_channel, 100);
    require_good_end(child);
    mark_often(main_channel, 100);
    return 0;
}

static volatile sig_atomic_t forks, in_child;

static void fork_here(int number) {
    (void)number;
    pid_t child = fork();
    in_child = child == 0;
    if (in_child) return;
    require_good_end(child);
    forks = forks + 1;
}

/* fork-in-marker N [slow]: a handler that interrupts a marker forks, and both go on with it. */
static int fork_in_marker(int argc, char** argv) {
    const int wanted = atoi(argv[0]);
    struct sigaction action = {.sa_handler = fork_here};
    unsigned long offered = 1;
    SLA_VALUE(main_channel, 0);
    sigaction(SIGALRM, &action, NULL);
    while (forks < wanted && !in_child) {
        const struct itimerval once = {{0, 0}, {0, 200 + forks * 7}};
        const int before = forks;
        setitimer(ITIMER_REAL, &once, NULL);
        while (forks == before && !in_child) {
            if (argc > 1) {
                sla_record_at(main_channel, SLA_CODE_TICK, 0, 0, 0, 0);
            } else {
                SLA_TICK(main_channel);
            }
            offered++;
        }
    }
    if (in_child) {
        mark_often(main_channel, 10);
        mark_often(child_channel, 10);
        _exit(0);
    }
    say("offered", offered);
    return 0;
}

static void* fork_in_sandbox(void* unused) {
    SLA_VALUE(main_channel, 0);
    REQUIRE(sla_enter_sandbox() == 1);
    pid_t child = fork();
    if (child == 0) return unused; /* the child's only thread, which ends as threads do */
    require_good_end(child);
    usleep(200000); /* what the child may have given away is by now another's */
    mark_often(main_channel, 1000);
    return unused;
}

/* fork-in-sandbox: the child's end is not the end of its parent's rings. */
static int sandboxed_parent(int argc, char** argv) {
    (void)argc;
    (void)argv;
    pthread_t thread;
    REQUIRE(sla_attach() == 1);
    REQUIRE(pthread_create(&thread, NULL, fork_in_sandbox, NULL) == 0);
    REQUIRE(pthread_join(thread, NULL) == 0);
    return 0;
}

/* fork-data: what the limit on data leaves is the child's, too. */
static int fork_within_limit(int argc, char** argv) {
    (void)argc;
    (void)argv;
    mark_often(main_channel, 100);
    const rlim_t limit = (rlim_t)(status_kib("VmData:") + 65536) * 1024;
    const struct rlimit limits = {limit, limit};
    REQUIRE(setrlimit(RLIMIT_DATA, &limits) == 0);
    pid_t child = fork();
    if (child == 0) {
        const size_t half = (size_t)32 << 20;
        REQUIRE(mmap(NULL, half, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
        mark_often(child_channel, 100);
        _exit(0);
    }
    require_good_end(child);
    return 0;
}

const struct guest kForkGuests[] = {{"fork-handler", marking_handler},
                                    {"fork-data", fork_within_limit},
                                    {"fork-in-marker", fork_in_marker},
                                    {"fork-in-sandbox", sandboxed_parent},
                                    {NULL, NULL}};
