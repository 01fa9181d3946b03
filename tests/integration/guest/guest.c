#define _GNU_SOURCE
#include "tests/integration/guest/guest.h"

#include <dirent.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void say(const char* what, unsigned long long number) {
    printf("%s %llu\n", what, number);
    fflush(stdout);
}

void wait_until_armed(const sla_channel* channel, int armed) {
    for (int i = 0; i < 2000; i++) {
        if ((__atomic_load_n(&channel->armed, __ATOMIC_RELAXED) != 0) == armed) return;
        usleep(5000);
    }
    fprintf(stderr, "waited in vain until the channel is armed: %d\n", armed);
    exit(1);
}

void wait_for_file(const char* path) {
    for (int i = 0; i < 2000 && access(path, F_OK) != 0; i++) usleep(5000);
}

static void (*call_hook)(void);

void hook_calls(void (*hook)(void)) {
    call_hook = hook;
}

static void call(void) {
    void (*hook)(void) = call_hook;
    if (!hook || gettid() != getpid()) return;
    call_hook = NULL; /* not of what the hook calls */
    hook();
    call_hook = hook;
}

static unsigned library_delay_ms;
static void* (*run_library)(void*);

void delay_library(unsigned milliseconds) {
    library_delay_ms = milliseconds;
}

static void* run_late(void* argument) {
    usleep(library_delay_ms * 1000);
    return run_library(argument);
}

int __real_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument);
int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument);
int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) {
    const int is_librarys = attributes != NULL; /* no other asks for anything */
    call();
    if (is_librarys && library_delay_ms > 0) {
        run_library = run;
        run = run_late;
    }
    return __real_pthread_create(thread, attributes, run, argument);
}

/* The library makes its key before main begins. Other users of keys here are not asked. */
int __real_pthread_key_create(pthread_key_t* key, void (*destroy)(void*));
int __wrap_pthread_key_create(pthread_key_t* key, void (*destroy)(void*));
int __wrap_pthread_key_create(pthread_key_t* key, void (*destroy)(void*)) {
    return getenv("SLA_GUEST_NO_KEYS") ? EAGAIN : __real_pthread_key_create(key, destroy);
}

static void (*next_hook)(void);
static long next_number = -1;

void before_next(long number, void (*hook)(void)) {
    next_hook = hook;
    __atomic_store_n(&next_number, number, __ATOMIC_RELEASE); /* pairs with call_before's exchange */
}

static void call_before(long number) {
    long expected = number;
    if (__atomic_compare_exchange_n(&next_number, &expected, -1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) next_hook();
}

static int pretends;
static unsigned pretended;

unsigned pretend_counters(void) {
    __atomic_store_n(&pretends, 1, __ATOMIC_RELAXED);
    return __atomic_load_n(&pretended, __ATOMIC_RELAXED);
}

static unsigned sending_delay_ms;

void delay_sending(unsigned milliseconds) {
    __atomic_store_n(&sending_delay_ms, milliseconds, __ATOMIC_RELAXED);
}

/* The linker puts this, as the one above, in the place of the C library's, by which the marker library makes its calls. */
long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...) {
    long words[6];
    va_list all;
    va_start(all, number);
    for (int i = 0; i < 6; i++) words[i] = va_arg(all, long);
    va_end(all);
    unsigned delay_ms = __atomic_load_n(&sending_delay_ms, __ATOMIC_RELAXED);
    if (number == SYS_sendmsg && delay_ms > 0) usleep(delay_ms * 1000);
    call_before(number);
    call();
    long result = __real_syscall(number, words[0], words[1], words[2], words[3], words[4], words[5]);
    if (number != SYS_perf_event_open || result >= 0 || !__atomic_load_n(&pretends, __ATOMIC_RELAXED)) return result;
    ((struct perf_event_attr*)words[0])->type = PERF_TYPE_SOFTWARE;
    ((struct perf_event_attr*)words[0])->config = PERF_COUNT_SW_DUMMY;
    result = __real_syscall(number, words[0], words[1], words[2], words[3], words[4], words[5]);
    if (result >= 0) __atomic_fetch_add(&pretended, 1, __ATOMIC_RELAXED);
    return result;
}

unsigned long long status_kib(const char* what) {
    char line[256];
    unsigned long long number = 0;
    FILE* status = fopen("/proc/self/status", "r");
    REQUIRE(status != NULL);
    while (fgets(line, sizeof line, status)) {
        if (strncmp(line, what, strlen(what)) == 0) number = strtoull(line + strlen(what), NULL, 10);
    }
    fclose(status);
    return number;
}

void forbid(int system_call, int error, unsigned least) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)system_call, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, least, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof code / sizeof code[0], code};
    REQUIRE(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    REQUIRE(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

void list_descriptors(char* text, size_t capacity) {
    DIR* directory = opendir("/proc/thread-self/fd");
    REQUIRE(directory != NULL);
    size_t used = 0;
    text[0] = '\0';
    for (struct dirent* entry; (entry = readdir(directory)) && used + 8 < capacity;) {
        if (entry->d_name[0] == '.' || atoi(entry->d_name) == dirfd(directory)) continue;
        used += (size_t)snprintf(text + used, capacity - used, "%s ", entry->d_name);
    }
    closedir(directory);
}

int main(int argc, char** argv) {
    const struct guest* all[] = {kDescriptorGuests, kLimitGuests,  kSignalGuests, kChildGuests, kSandboxGuests,
                                 kForkGuests,       kNestedGuests, kThreadGuests, kEarlyGuests};
    for (size_t i = 0; argc > 1 && i < sizeof all / sizeof all[0]; i++) {
        for (const struct guest* at = all[i]; at->name; at++) {
            if (strcmp(at->name, argv[1]) == 0) return at->run(argc - 2, argv + 2);
        }
    }
    return 2;
}
