/* In a child only the forking thread exists: all the library knows is the parent's, and is forgotten, so that everything
 * starts anew, with a segment of its own at the next marker. In a sandbox nothing starts any more.
 *
 *   fork()       its handlers; signals wait, so that none of their markers comes before the child has forgotten. Ours are the
 *                first registered, as far as we can: last before the fork, first in the child
 *   vfork()      has the parent's memory, and all in it is the parent's: nothing that ends with the child is begun in it
 *   clone()      the child's first system call of ours finds a page that the kernel has wiped, which is there from the loading
 *   _Fork()      on; markers that the parent had ready do not (sla_forked)
 *
 * A handler may fork that interrupted a marker, which then goes on in both: in the child it writes into private memory.
 */
#define _GNU_SOURCE
#include "agent/marker/rings.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SIGRTMIN_OF_KERNEL = 32 };

static pid_t owner; /* whose memory it is; 0: not known */

static int* this_process; /* reads 1 in the process that wrote it; 0 in a child that came without fork's handlers */

/* As the kernel has it, which is shorter than a sigset_t. */
static __thread uint64_t mask_before __attribute__((tls_model("initial-exec")));
static __thread bool signals_wait __attribute__((tls_model("initial-exec")));

static void forget_parent(void) {
    const struct sla_segment_header* segment = sla_segment();
    const uint32_t channels = segment ? __atomic_load_n(&segment->channel_count, __ATOMIC_RELAXED) : 0;
    if (this_process) *this_process = 1;
    sla_attach_forget_after_fork();
    sla_early_forget_after_fork();
    sla_leader_forget_after_fork();
    if (!sla_in_sandbox()) {
        owner = getpid();
        sla_link_forget_after_fork();
        sla_segment_forget_after_fork();
        sla_files_forget_after_fork();
        sla_stock_forget_after_fork();
        sla_arena_forget_after_fork();
        sla_environment_forget_after_fork();
        sla_count_forget_after_fork();
    }
    sla_thread_forget_after_fork(channels);
    sla_channels_forget_after_fork();
}

bool sla_is_new_child(void) {
    int* mark = __atomic_load_n(&this_process, __ATOMIC_ACQUIRE); /* pairs with sla_know_children's release: it reads 1 */
    return mark && !__atomic_load_n(mark, __ATOMIC_RELAXED);
}

bool sla_memory_is_ours(void) {
    return owner == 0 || owner == getpid();
}

void sla_notice_child(void) {
    if (sla_is_new_child()) forget_parent();
}

void sla_forked(void) {
    sla_notice_child();
}

void sla_know_children(void) {
    if (this_process) return;
    void* page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED && madvise(page, 4096, MADV_WIPEONFORK) == 0) {
        *(int*)page = 1;
        __atomic_store_n(&this_process, page, __ATOMIC_RELEASE); /* pairs with sla_notice_child's acquire */
    }
}

static uint64_t bit(int signal_number) {
    return UINT64_C(1) << (signal_number - 1);
}

/* Not those that say what the thread itself does wrong, and the two of the C library. */
static void before_fork(void) {
    const uint64_t waiting = ~(bit(SIGILL) | bit(SIGTRAP) | bit(SIGBUS) | bit(SIGFPE) | bit(SIGSEGV) | bit(SIGSYS) |
                               bit(SIGRTMIN_OF_KERNEL) | bit(SIGRTMIN_OF_KERNEL + 1));
    if (sla_in_sandbox()) return;
    signals_wait = syscall(SYS_rt_sigprocmask, SIG_BLOCK, &waiting, &mask_before, sizeof waiting) == 0;
}

static void after_fork(void) {
    if (signals_wait) syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask_before, NULL, sizeof mask_before);
    signals_wait = false;
}

static void forked_child(void) {
    forget_parent();
    after_fork();
}

/* Before the program's own constructors, which may register handlers that mark. */
__attribute__((constructor(101))) static void loaded_first(void) {
    owner = getpid();
    sla_know_children();
    pthread_atfork(before_fork, after_fork, forked_child);
}
