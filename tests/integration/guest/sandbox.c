/* Filters that kill on system calls the program did not foresee. */
#define _GNU_SOURCE
#include "tests/integration/guest/guest.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

SLA_CHANNEL(main_channel, "guest.main");
SLA_CHANNEL(late_channel, "guest.late");
SLA_CHANNEL(thread_channel, "guest.thread");

/* Words on stdout, looking for a file, sleeping and the end; anything else kills the whole program. */
static void shut_in(unsigned flags) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_access, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_nanosleep, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof code / sizeof code[0], code};
    REQUIRE(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    REQUIRE(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program) == 0);
}

static volatile int stage;

static void* mark_in_thread(void* unused) {
    SLA_VALUE(thread_channel, 0);
    SLA_VALUE(main_channel, 0);
    __atomic_store_n(&stage, 1, __ATOMIC_RELEASE);                   /* pairs with shut_in_all's acquire */
    while (__atomic_load_n(&stage, __ATOMIC_ACQUIRE) != 2) continue; /* pairs with shut_in_all's release */
    for (int i = 1; i < 1000; i++) SLA_VALUE(thread_channel, i);
    for (int i = 1; i < 1000; i++) SLA_VALUE(main_channel, i);
    SLA_VALUE(late_channel, 0);                    /* not marked here before: lost, and counted */
    __atomic_store_n(&stage, 3, __ATOMIC_RELEASE); /* pairs with shut_in_all's acquire */
    for (;;) __builtin_ia32_pause();
    return unused;
}

/* sandbox GO-ON: every thread behind the filter, the library's too; then the agent is stopped and the program goes on. */
static int shut_in_all(int argc, char** argv) {
    (void)argc;
    pthread_t thread;
    say("begins", 1); /* the C library looks at stdout once */
    SLA_VALUE(main_channel, 0);
    REQUIRE(pthread_create(&thread, NULL, mark_in_thread, NULL) == 0);
    while (__atomic_load_n(&stage, __ATOMIC_ACQUIRE) != 1) continue; /* pairs with mark_in_thread's release */
    REQUIRE(sla_enter_sandbox() == 1);
    shut_in(SECCOMP_FILTER_FLAG_TSYNC);
    for (int i = 1; i < 1000; i++) SLA_VALUE(main_channel, i);
    for (int i = 0; i < 10; i++) SLA_VALUE(late_channel, i);
    __atomic_store_n(&stage, 2, __ATOMIC_RELEASE);                   /* pairs with mark_in_thread's acquire */
    while (__atomic_load_n(&stage, __ATOMIC_ACQUIRE) != 3) continue; /* pairs with mark_in_thread's release */
    say("shut-in", 1);
    wait_for_file(argv[0]); /* the agent is gone by then: nobody says a word about it */
    for (int i = 0; i < 100000; i++) SLA_VALUE(main_channel, i);
    for (int i = 0; i < 10; i++) SLA_VALUE(late_channel, i);
    say("offered", 1);
    _exit(0);
}

/* sandbox-alone: without an agent, nothing ever looks for one again. */
static int shut_in_alone(int argc, char** argv) {
    (void)argc;
    (void)argv;
    say("begins", 1);
    REQUIRE(sla_enter_sandbox() == 0);
    REQUIRE(sla_enter_sandbox() == 0);
    shut_in(SECCOMP_FILTER_FLAG_TSYNC);
    for (int i = 0; i < 1000; i++) SLA_VALUE(main_channel, i);
    for (int i = 0; i < 1000; i++) SLA_VALUE(late_channel, i);
    usleep(1500000);
    say("offered", 1);
    _exit(0);
}

/* filter GONE BACK: a filter of the marking thread alone; the library's thread still follows agents. */
static int shut_in_one(int argc, char** argv) {
    (void)argc;
    say("begins", 1);
    for (int i = 0; i < 100; i++) SLA_VALUE(main_channel, i);
    shut_in(0);
    for (int i = 100; i < 200; i++) SLA_VALUE(main_channel, i);
    say("shut-in", 1);
    wait_for_file(argv[0]);
    wait_until_armed(main_channel, 0);
    say("quiet", 1);
    wait_for_file(argv[1]);
    wait_until_armed(main_channel, 1);
    for (int i = 200; i < 300; i++) SLA_VALUE(main_channel, i);
    say("offered", 300);
    _exit(0);
}

/* What marker.h names, beside what this program itself needs; anything else kills the whole program. */
static void shut_in_with_library(void) {
    static const int kAllowed[] = {SYS_write,      SYS_access,         SYS_clock_nanosleep, SYS_exit_group, SYS_recvfrom,
                                   SYS_futex,      SYS_rt_sigprocmask, SYS_madvise,         SYS_fstat,      SYS_close,
                                   SYS_newfstatat, SYS_geteuid,        SYS_getpid,          SYS_socket,     SYS_connect,
                                   SYS_fcntl,      SYS_setsockopt,     SYS_sendmsg,         SYS_openat,     SYS_read,
                                   SYS_sysinfo,    SYS_mmap,           SYS_gettid,          SYS_prctl,      SYS_munmap};
    enum { ALLOWED = sizeof kAllowed / sizeof kAllowed[0] };
    struct sock_filter code[ALLOWED + 3];
    code[0] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (unsigned i = 0; i < ALLOWED; i++) {
        code[1 + i] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)kAllowed[i], ALLOWED - i, 0);
    }
    code[ALLOWED + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    code[ALLOWED + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {ALLOWED + 3, code};
    REQUIRE(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    REQUIRE(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0);
}

/* filter-all GONE BACK: behind a filter for all threads that lets through what the header says, the library follows agents. */
static int shut_in_with_thread(int argc, char** argv) {
    (void)argc;
    say("begins", 1);
    for (int i = 0; i < 100; i++) SLA_VALUE(main_channel, i);
    shut_in_with_library();
    for (int i = 100; i < 200; i++) SLA_VALUE(main_channel, i);
    SLA_VALUE(late_channel, 0);
    say("shut-in", 1);
    wait_for_file(argv[0]);
    wait_until_armed(main_channel, 0);
    say("quiet", 1);
    wait_for_file(argv[1]);
    wait_until_armed(main_channel, 1);
    for (int i = 200; i < 300; i++) SLA_VALUE(main_channel, i);
    say("offered", 300);
    _exit(0);
}

const struct guest kSandboxGuests[] = {{"sandbox", shut_in_all},
                                       {"sandbox-alone", shut_in_alone},
                                       {"filter", shut_in_one},
                                       {"filter-all", shut_in_with_thread},
                                       {NULL, NULL}};
