/* The library's thread gets no core for a while: what is marked before it has looked for an agent. */
#define _GNU_SOURCE
#include "tests/integration/guest/guest.h"

#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

SLA_CHANNEL(main_channel, "guest.main");
SLA_CHANNEL(thread_channel, "guest.thread");

enum { THREADS = 4, TIMES = 1000, LATE_MS = 1500 };

static void mark_often(sla_channel* channel, int times) {
    for (int i = 0; i < times; i++) SLA_VALUE(channel, i);
}

static void* mark_until_attached(void* offered) {
    unsigned long long* of_both = offered;
    do {
        SLA_VALUE(main_channel, 0);
        SLA_TEXT(thread_channel, "as early as can be");
        of_both[0]++;
        of_both[1]++;
        usleep(10);
    } while (!sla_attach());
    mark_often(main_channel, TIMES);
    of_both[0] += TIMES;
    return NULL;
}

/* early: threads mark all the while. */
static int early(int argc, char** argv) {
    pthread_t threads[THREADS];
    unsigned long long offered[THREADS][2];
    (void)argc;
    (void)argv;
    memset(offered, 0, sizeof offered);
    delay_library(LATE_MS);
    for (int i = 0; i < THREADS; i++) REQUIRE(pthread_create(&threads[i], NULL, mark_until_attached, offered[i]) == 0);
    for (int i = 0; i < THREADS; i++) REQUIRE(pthread_join(threads[i], NULL) == 0);
    for (int i = 1; i < THREADS; i++) {
        offered[0][0] += offered[i][0];
        offered[0][1] += offered[i][1];
    }
    say("main", offered[0][0]);
    say("thread", offered[0][1]);
    return 0;
}

/* early-end: the program ends by then. */
static int early_end(int argc, char** argv) {
    (void)argc;
    (void)argv;
    delay_library(LATE_MS);
    mark_often(main_channel, TIMES);
    return 0;
}

/* early-sandbox: it enters a sandbox by then, and marks another channel there. */
static int early_sandbox(int argc, char** argv) {
    (void)argc;
    (void)argv;
    delay_library(LATE_MS);
    mark_often(main_channel, TIMES);
    REQUIRE(sla_enter_sandbox() == 1);
    mark_often(main_channel, TIMES);
    mark_often(thread_channel, TIMES);
    return 0;
}

/* early-child: it forks by then, by fork and by what runs none of fork's handlers. */
static int early_child(int argc, char** argv) {
    (void)argc;
    (void)argv;
    delay_library(LATE_MS);
    mark_often(main_channel, TIMES);
    for (int bare = 0; bare < 2; bare++) {
        const pid_t child = bare ? (pid_t)syscall(SYS_fork) : fork();
        if (child == 0) {
            delay_library(0);
            mark_often(thread_channel, 10);
            _exit(0);
        }
        int status = 1;
        REQUIRE(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    }
    return 0;
}

static void* mark_much(void* unused) {
    mark_often(main_channel, 100 * TIMES);
    return unused;
}

/* opened: says how much of the segment can be written, kB. */
static int opened(int argc, char** argv) {
    char line[512];
    pthread_t threads[THREADS];
    unsigned long long begin, end, bytes = 0;
    (void)argc;
    (void)argv;
    for (int i = 0; i < THREADS; i++) REQUIRE(pthread_create(&threads[i], NULL, mark_much, NULL) == 0);
    for (int i = 0; i < THREADS; i++) REQUIRE(pthread_join(threads[i], NULL) == 0);
    FILE* maps = fopen("/proc/self/maps", "r");
    REQUIRE(maps != NULL);
    while (fgets(line, sizeof line, maps)) {
        char rights[8] = "";
        REQUIRE(sscanf(line, "%llx-%llx %7s", &begin, &end, rights) == 3);
        if (strstr(line, "sla-segment") && rights[1] == 'w') bytes += end - begin;
    }
    fclose(maps);
    say("kB", bytes / 1024);
    return 0;
}

const struct guest kEarlyGuests[] = {{"early", early},
                                     {"early-end", early_end},
                                     {"early-sandbox", early_sandbox},
                                     {"early-child", early_child},
                                     {"opened", opened},
                                     {NULL, NULL}};
