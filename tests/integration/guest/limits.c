/* Limits on memory and files: the program lives within them as it would without markers. */
#define _GNU_SOURCE
#include "tests/integration/guest/guest.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

SLA_CHANNEL(main_channel, "guest.main");
SLA_CHANNEL_WITH(late_channel, "guest.late", "", SLA_DROP_NEWEST, 65536);

static __thread volatile char locals[SLA_GUEST_LOCALS];

static int file_size(int argc, char** argv) {
    (void)argc;
    (void)argv;
    const struct rlimit small = {4096, 4096};
    sigset_t pending;
    REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
    for (int i = 0; i < 100; i++) SLA_VALUE(main_channel, i);
    usleep(100000); /* a few looks of the thread's */
    REQUIRE(sigpending(&pending) == 0 && !sigismember(&pending, SIGXFSZ));
    return 0;
}

/* address-space MIB: what is left after the first marker is what was left before, but for a thread and a quarter. */
static int address_space(int argc, char** argv) {
    (void)argc;
    rlim_t left = strtoull(argv[0], NULL, 10) << 20;
    rlim_t limit = (rlim_t)status_kib("VmSize:") * 1024 + left;
    const struct rlimit limits = {limit, limit};
    REQUIRE(setrlimit(RLIMIT_AS, &limits) == 0);
    for (int i = 0; i < 100; i++) SLA_VALUE(main_channel, i);
    void* most =
        mmap(NULL, left / 4 * 3 - (4u << 20), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    REQUIRE(most != MAP_FAILED);
    say("recorded", main_channel->own.next);
    return 0;
}

static int locked_memory(int argc, char** argv) {
    (void)argc;
    (void)argv;
    if (mlockall(MCL_FUTURE) != 0) return 77;
    for (int i = 0; i < 100; i++) SLA_VALUE(main_channel, i);
    REQUIRE(status_kib("VmLck:") < 200 * 1024);
    REQUIRE(status_kib("RssShmem:") < 200 * 1024);
    say("offered", 100);
    return 0;
}

/* no-memory: rings cannot be had any more; what is marked into none is counted, and nothing touches memory that is not
 * there. */
static int no_memory(int argc, char** argv) {
    (void)argc;
    (void)argv;
    forbid(SYS_madvise, ENOMEM, 64 * 1024); /* in the library's thread, too: a small ring is all that can be had */
    SLA_VALUE(main_channel, 0);
    for (int i = 0; i < 500; i++) SLA_VALUE(late_channel, i);
    for (int i = 1; i < 100; i++) SLA_VALUE(main_channel, i);
    REQUIRE(late_channel->own.ring == NULL);
    return 0;
}

/* old-kernel: a kernel that does not know MADV_POPULATE_WRITE. */
static int old_kernel(int argc, char** argv) {
    (void)argc;
    (void)argv;
    forbid(SYS_madvise, EINVAL, 0);
    for (int i = 0; i < 100; i++) SLA_VALUE(main_channel, i);
    say("offered", 100);
    return 0;
}

/* no-thread: where no thread can be had there is no agent, and nothing else. */
static int no_thread(int argc, char** argv) {
    (void)argc;
    (void)argv;
    forbid(SYS_clone3, EAGAIN, 0);
    for (int i = 0; i < 100; i++) SLA_VALUE(main_channel, i);
    SLA_VALUE(late_channel, 0);
    REQUIRE(sla_attach() == 0);
    return 0;
}

/* many-channels N: more than there are descriptors. */
static int many_channels(int argc, char** argv) {
    (void)argc;
    int count = atoi(argv[0]);
    for (int i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "guest.%d", i);
        sla_channel* channel = sla_channel_open(name);
        for (int j = 0; j < 3; j++) SLA_VALUE(channel, j);
    }
    say("offered", (unsigned long long)count * 3);
    return 0;
}

/* long-name: no memory for a name. */
static int long_name(int argc, char** argv) {
    (void)argc;
    (void)argv;
    const size_t bytes = (size_t)64 << 20;
    char* name = malloc(bytes + 1);
    REQUIRE(name != NULL);
    memset(name, 'a', bytes);
    name[bytes] = '\0';
    const rlim_t limit = (rlim_t)(status_kib("VmSize:") + 16384) * 1024;
    const struct rlimit limits = {limit, limit};
    REQUIRE(setrlimit(RLIMIT_AS, &limits) == 0);
    errno = 77;
    sla_channel* channel = sla_channel_open(name);
    REQUIRE(errno == 77);
    REQUIRE(strcmp(channel->name, "sla.out-of-memory") == 0);
    return 0;
}

static int big_locals(int argc, char** argv) {
    (void)argc;
    locals[getpid() % SLA_GUEST_LOCALS] = argv[0] != NULL;
    for (int i = 0; i < 100; i++) SLA_VALUE(main_channel, i);
    say("offered", 100);
    return 0;
}

const struct guest kLimitGuests[] = {{"file-size", file_size},         {"address-space", address_space},
                                     {"locked-memory", locked_memory}, {"no-memory", no_memory},
                                     {"old-kernel", old_kernel},       {"many-channels", many_channels},
                                     {"big-locals", big_locals},       {"no-thread", no_thread},
                                     {"long-name", long_name},         {NULL, NULL}};
