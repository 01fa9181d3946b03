/* Children, other images, other users, other roots, and objects that come and go. */
#define _GNU_SOURCE
#include "tests/integration/guest/guest.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

SLA_CHANNEL(main_channel, "guest.main");
SLA_CHANNEL(child_channel, "guest.child");

extern char** environ;

static void require_good_end(pid_t child) {
    int status = 1;
    REQUIRE(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

static void mark_hundred(sla_channel* channel) {
    for (int i = 0; i < 100; i++) SLA_VALUE(channel, i);
}

static int vfork_child(int argc, char** argv) {
    (void)argc;
    (void)argv;
    mark_hundred(main_channel);
    pid_t child = vfork();
    if (child == 0) {
        mark_hundred(main_channel);
        _exit(0);
    }
    require_good_end(child);
    mark_hundred(main_channel);
    return 0;
}

/* vfork-alone: the child has the first marker of all, and its parent marks nothing. */
static int vfork_alone(int argc, char** argv) {
    (void)argc;
    (void)argv;
    pid_t child = vfork();
    if (child == 0) {
        mark_hundred(child_channel);
        _exit(0);
    }
    require_good_end(child);
    return 0;
}

/* vfork-first: the same, and its parent marks then. */
static int vfork_first(int argc, char** argv) {
    vfork_alone(argc, argv);
    mark_hundred(main_channel);
    mark_hundred(child_channel);
    return 0;
}

static int mark_in_its_parents_memory(void* unused) {
    (void)unused;
    mark_hundred(child_channel);
    return 0;
}

/* memory-first: the same of a child that only has its parent's memory, and ends as a thread does. */
static int memory_first(int argc, char** argv) {
    static _Alignas(16) char stack[1 << 16];
    (void)argc;
    (void)argv;
    for (int i = 0; i < 20; i++)
        require_good_end(clone(mark_in_its_parents_memory, stack + sizeof stack, CLONE_VM | SIGCHLD, NULL));
    mark_hundred(main_channel);
    return 0;
}

static int spawned(int argc, char** argv) {
    char numbers[512];
    (void)argc;
    list_descriptors(numbers, sizeof numbers);
    mark_hundred(main_channel);
    char* const words[] = {argv[0], "second", numbers, NULL};
    pid_t child = 0;
    REQUIRE(posix_spawn(&child, argv[0], NULL, NULL, words, environ) == 0);
    require_good_end(child);
    mark_hundred(main_channel);
    return 0;
}

/* exec GUEST: the image that comes after finds nothing of what the library had. */
static int exec_again(int argc, char** argv) {
    char numbers[512];
    (void)argc;
    list_descriptors(numbers, sizeof numbers);
    mark_hundred(main_channel);
    char* const words[] = {argv[0], "second", numbers, NULL};
    execv(argv[0], words);
    return 1;
}

/* second NUMBERS: the descriptors that the first image had before it marked. */
static int second_image(int argc, char** argv) {
    char numbers[512];
    sigset_t mask;
    (void)argc;
    list_descriptors(numbers, sizeof numbers);
    REQUIRE(strcmp(numbers, argv[0]) == 0);
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    for (int i = 1; i < 32; i++) REQUIRE(!sigismember(&mask, i));
    mark_hundred(child_channel);
    return 0;
}

/* clone: a child that no handler of fork's has prepared. */
static int cloned(int argc, char** argv) {
    (void)argc;
    (void)argv;
    mark_hundred(main_channel);
    pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, 0);
    if (child == 0) {
        sla_forked();
        mark_hundred(main_channel);
        mark_hundred(child_channel);
        _exit(0);
    }
    mark_hundred(main_channel);
    require_good_end(child);
    mark_hundred(main_channel);
    return 0;
}

/* clone-first: children that mark before their parent does; one of them says whose it is. */
static int cloned_first(int argc, char** argv) {
    (void)argc;
    (void)argv;
    for (int says_so = 0; says_so < 2; says_so++) {
        pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, 0);
        if (child == 0) {
            if (says_so) sla_forked();
            mark_hundred(child_channel);
            _exit(0);
        }
        require_good_end(child);
    }
    mark_hundred(main_channel);
    return 0;
}

/* clone-late: as clone, but the child marks only what the parent had not. */
static int cloned_late(int argc, char** argv) {
    (void)argc;
    (void)argv;
    mark_hundred(main_channel);
    pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, 0);
    if (child == 0) {
        mark_hundred(child_channel);
        _exit(0);
    }
    require_good_end(child);
    mark_hundred(main_channel);
    return 0;
}

static void* wait_for_end(void* unused) {
    pause();
    return unused;
}

/* setuid: all threads change, the attach thread with them; what attached stays attached. */
static int change_user(int argc, char** argv) {
    (void)argc;
    (void)argv;
    pthread_t thread;
    if (geteuid() != 0) return 77;
    mark_hundred(main_channel);
    REQUIRE(pthread_create(&thread, NULL, wait_for_end, NULL) == 0);
    pthread_detach(thread);
    REQUIRE(setgid(65534) == 0 && setuid(65534) == 0);
    REQUIRE(geteuid() == 65534);
    mark_hundred(main_channel);
    mark_hundred(child_channel);
    return 0;
}

/* chroot DIR: marks go on; an agent that is outside is not found again, and nothing happens. */
static int change_root(int argc, char** argv) {
    (void)argc;
    if (geteuid() != 0) return 77;
    mark_hundred(main_channel);
    REQUIRE(chroot(argv[0]) == 0 && chdir("/") == 0);
    mark_hundred(main_channel);
    mark_hundred(child_channel);
    say("inside", 1);
    wait_for_file("/go-on");
    wait_until_armed(main_channel, 0);
    usleep(300000);
    mark_hundred(main_channel);
    return 0;
}

/* plugin OBJECT GONE BACK: loads, marks, unloads; the agent goes and comes; loads again. */
static int plugin(int argc, char** argv) {
    (void)argc;
    for (int turn = 0; turn < 2; turn++) {
        void* object = dlopen(argv[0], RTLD_NOW | RTLD_LOCAL);
        if (!object) fprintf(stderr, "%s\n", dlerror());
        REQUIRE(object != NULL);
        void (*mark)(void);
        *(void**)&mark = dlsym(object, "mark_in_plugin");
        REQUIRE(mark != NULL);
        mark();
        REQUIRE(dlclose(object) == 0);
        mark_hundred(main_channel);
        if (turn == 1) break;
        say("unloaded", 1);
        wait_for_file(argv[1]);
        wait_until_armed(main_channel, 0);
        say("quiet", 1);
        wait_for_file(argv[2]);
        wait_until_armed(main_channel, 1);
    }
    return 0;
}

static void* late_object;
static pthread_t late_thread;
static int late_end;

static void* mark_and_wait(void* unused) {
    SLA_VALUE(main_channel, 0);
    while (!__atomic_load_n(&late_end, __ATOMIC_ACQUIRE)) usleep(1000); /* pairs with close_late's release */
    return unused;
}

static void close_late(void) {
    if (!late_object) return;
    dlclose(late_object);
    __atomic_store_n(&late_end, 1, __ATOMIC_RELEASE); /* pairs with mark_and_wait's acquire */
    pthread_join(late_thread, NULL);
}

/* Registered before what the library registers, it runs after that. */
__attribute__((constructor(102))) static void register_end(void) {
    atexit(close_late);
}

/* late-close OBJECT: it is unloaded while the program ends, and then a thread ends that marked. */
static int close_at_end(int argc, char** argv) {
    (void)argc;
    void (*mark)(void);
    late_object = dlopen(argv[0], RTLD_NOW | RTLD_LOCAL);
    REQUIRE(late_object != NULL);
    *(void**)&mark = dlsym(late_object, "mark_in_plugin");
    mark();
    REQUIRE(pthread_create(&late_thread, NULL, mark_and_wait, NULL) == 0);
    return 0;
}

/* reload OBJECT N: rings of channels that were unloaded are used again. */
static int reload(int argc, char** argv) {
    (void)argc;
    setenv("SLA_RING_SLOTS", "1048576", 1); /* forty such rings are all there can be */
    for (int turn = atoi(argv[1]); turn > 0; turn--) {
        void* object = dlopen(argv[0], RTLD_NOW | RTLD_LOCAL);
        REQUIRE(object != NULL);
        void (*mark)(void);
        *(void**)&mark = dlsym(object, "mark_in_plugin");
        mark();
        REQUIRE(dlclose(object) == 0);
        usleep(15000);
    }
    return 0;
}

const struct guest kChildGuests[] = {{"vfork-first", vfork_first},
                                     {"vfork-alone", vfork_alone},
                                     {"memory-first", memory_first},
                                     {"vfork", vfork_child},
                                     {"spawn", spawned},
                                     {"second", second_image},
                                     {"exec", exec_again},
                                     {"clone", cloned},
                                     {"clone-first", cloned_first},
                                     {"clone-late", cloned_late},
                                     {"setuid", change_user},
                                     {"chroot", change_root},
                                     {"plugin", plugin},
                                     {"reload", reload},
                                     {"late-close", close_at_end},
                                     {NULL, NULL}};
