/* Threads: how they end, what they keep, and who may be waited for. */
#define _GNU_SOURCE
#include "tests/integration/guest/guest.h"

#include <sla/count.h>

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

SLA_CHANNEL(main_channel, "guest.main");

static void mark_hundred(void) {
    for (int i = 0; i < 100; i++) SLA_VALUE(main_channel, i);
}

static int destroyed;

static void destroy(void* flag) {
    *(int*)flag = 1;
}

static void at_end(void) {
    if (!destroyed) _exit(5); /* what belongs to main's thread goes with it, and before */
}

static void* mark_last(void* unused) {
    usleep(300000);
    mark_hundred();
    printf("last 1\n"); /* written when the program ends as it should, not before */
    return unused;
}

/* main-exits [early]: main ends by pthread_exit, and the program with the last of its threads. Early: before there is any
 * marker. */
static int main_exits(int argc, char** argv) {
    pthread_t thread;
    pthread_key_t key;
    (void)argv;
    REQUIRE(pthread_key_create(&key, destroy) == 0 && pthread_setspecific(key, &destroyed) == 0);
    REQUIRE(atexit(at_end) == 0);
    if (argc == 0) SLA_VALUE(main_channel, 0);
    REQUIRE(pthread_create(&thread, NULL, mark_last, NULL) == 0);
    pthread_detach(thread);
    pthread_exit(NULL);
}

static void* enter_sandbox_and_end(void* unused) {
    (void)unused;
    usleep(500000);
    (void)sla_enter_sandbox();
    _exit(0);
}

/* main-exits-before-sandbox: main ends by pthread_exit, and another thread enters a sandbox then. */
static int main_exits_before_sandbox(int argc, char** argv) {
    pthread_t thread;
    (void)argc;
    (void)argv;
    SLA_VALUE(main_channel, 0);
    REQUIRE(pthread_create(&thread, NULL, enter_sandbox_and_end, NULL) == 0);
    pthread_detach(thread);
    pthread_exit(NULL);
}

static void* mark_and_end(void* unused) {
    usleep(300000);
    mark_hundred();
    return unused;
}

/* leader-exits: the first thread ends by the system call, and the program with the other one; its status is the first
 * thread's. */
static int leader_exits(int argc, char** argv) {
    pthread_t thread;
    (void)argc;
    (void)argv;
    SLA_VALUE(main_channel, 0);
    REQUIRE(pthread_create(&thread, NULL, mark_and_end, NULL) == 0);
    return (int)syscall(SYS_exit, 9);
}

int __real_pthread_key_create(pthread_key_t* key, void (*destroy)(void*));

/* no-key: there was no thread-specific key left for the library. */
static int no_key(int argc, char** argv) {
    pthread_key_t key;
    int mine = 0;
    (void)argc;
    (void)argv;
    REQUIRE(__real_pthread_key_create(&key, NULL) == 0 && pthread_setspecific(key, &mine) == 0);
    if (key != 0) return 77; /* the C library or a sanitizer has the one that a careless library would write to */
    mark_hundred();
    REQUIRE(pthread_getspecific(key) == &mine);
    return 0;
}

static void* count_once(void* unused) {
    SLA_COUNT(main_channel);
    return unused;
}

/* count-threads: counters go with the thread that counted. */
static int count_threads(int argc, char** argv) {
    char line[512];
    pthread_t thread;
    int pages = 0;
    (void)argc;
    (void)argv;
    pretend_counters();
    REQUIRE(sla_attach() == 1);
    for (int i = 0; i < 20; i++) {
        REQUIRE(pthread_create(&thread, NULL, count_once, NULL) == 0);
        REQUIRE(pthread_join(thread, NULL) == 0);
    }
    FILE* maps = fopen("/proc/self/maps", "r");
    REQUIRE(maps != NULL);
    while (fgets(line, sizeof line, maps)) pages += strstr(line, "perf_event") != NULL;
    fclose(maps);
    REQUIRE(pages == 0);
    say("pretended", pretend_counters());
    return 0;
}

/* real-time: a thread that nobody of usual priority can take a core from enters a sandbox. */
static int real_time(int argc, char** argv) {
    struct timespec before, after;
    cpu_set_t one;
    const struct sched_param lowest = {.sched_priority = 1};
    (void)argc;
    (void)argv;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0 || sched_setscheduler(0, SCHED_FIFO, &lowest) != 0) return 77;
    SLA_VALUE(main_channel, 0);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
    sla_enter_sandbox();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
    const double taken = (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec) * 1e-9;
    fprintf(stderr, "it took %f s of the core\n", taken);
    REQUIRE(taken < 0.4);
    return 0;
}

/* rights: says whether the program has more of them than who started it. */
static int rights(int argc, char** argv) {
    (void)argc;
    (void)argv;
    say("more", getauxval(AT_SECURE) != 0);
    mark_hundred();
    return 0;
}

const struct guest kThreadGuests[] = {{"main-exits", main_exits},
                                      {"main-exits-before-sandbox", main_exits_before_sandbox},
                                      {"leader-exits", leader_exits},
                                      {"no-key", no_key},
                                      {"count-threads", count_threads},
                                      {"real-time", real_time},
                                      {"rights", rights},
                                      {NULL, NULL}};
