/* A program whose main function ends by pthread_exit ends with its last thread. The C library counts them, and counts ours,
 * which does not end while others are counted: so its first thread, when its data is destroyed, waits there until no other
 * thread is left but ours, and then does what the C library would have done.
 *
 *   first thread    pthread_exit ─► data destroyed ─► waits, its signals blocked as if it had gone ─► exit(0)
 *   other threads   ──────────────────────────────────────────────────────────────► the last one ends
 *
 * That it waits even if nothing was marked yet: a later marker of another thread starts ours.
 *
 * A first thread that ends by the system call instead, as small runtimes do, waits for nobody. The kernel clears a word of its
 * then, and our thread, once it is the last one, ends too: the process with it, and with the first thread's exit status.
 *
 * Where nobody says how many threads there are, as without /proc, our thread ends as soon as the first one has: the program
 * shall end, and what others mark from then on is not recorded.
 */
#define _GNU_SOURCE
#include "agent/marker/internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uintptr_t first_thread; /* as sla_self names it; 0: not known */
static int rounds;             /* in which the C library has come by with its data */
static bool waits;             /* read by who enters a sandbox */
static bool ends_uncounted;    /* the first thread does, read by ours */

/* What the kernel clears when the first thread has ended, in memory that a program's own first thread never gives back. NULL:
 * the kernel does not say, or a child's first thread is another of its parent's. */
static const int* first_lives;

bool sla_leader_is_here(void) {
    if (syscall(SYS_gettid) != getpid()) return false;
    first_thread = sla_self();
    if (prctl(PR_GET_TID_ADDRESS, &first_lives, 0, 0, 0) != 0) first_lives = NULL;
    return true;
}

bool sla_leader_waits(void) {
    return __atomic_load_n(&waits, __ATOMIC_ACQUIRE); /* pairs with wait_for_others' release */
}

/* Without a descriptor, whose number would be the program's. 0: nobody says. */
static unsigned long threads(void) {
    struct stat folder;
    const unsigned long of_any_folder = 2;
    return stat("/proc/self/task", &folder) == 0 && folder.st_nlink > of_any_folder ? folder.st_nlink - of_any_folder : 0;
}

/* False: it cannot be told, or may not be any more. */
static bool wait_for_others(void) {
    const struct timespec pause = {0, 50000000};
    bool alone = false;
    __atomic_store_n(&waits, true, __ATOMIC_RELAXED);
    while (!alone && !sla_in_sandbox()) {
        const unsigned long ours =
            sla_thread_lives() ? 2 : 1; /* before the look: ours does not end while threads are counted */
        const unsigned long all = threads();
        alone = all == ours;
        if (all == 0) {
            __atomic_store_n(&ends_uncounted, true, __ATOMIC_RELAXED); /* ours looks again and again */
            break;
        }
        if (!alone) nanosleep(&pause, NULL);
    }
    __atomic_store_n(&waits, false, __ATOMIC_RELEASE); /* pairs with sla_leader_waits' acquire */
    return alone;
}

bool sla_leader_ends(void) {
    if (sla_self() != first_thread || sla_in_sandbox()) return false;
    if (++rounds < PTHREAD_DESTRUCTOR_ITERATIONS) return true;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool alone = wait_for_others();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (alone) exit(0);
    return false;
}

/* A load as long as the first thread lives. It stays among the threads while there is another. */
bool sla_leader_left_us_alone(void) {
    const unsigned long it_and_ours = 2;
    return first_lives && __atomic_load_n(first_lives, __ATOMIC_RELAXED) == 0 && threads() == it_and_ours;
}

bool sla_leader_left_uncounted(void) {
    if (__atomic_load_n(&ends_uncounted, __ATOMIC_RELAXED)) return true;
    return first_lives && __atomic_load_n(first_lives, __ATOMIC_RELAXED) == 0 && threads() == 0;
}

/* The last field of /proc/self/stat, as wait reports it. */
void sla_leader_end_after(void) {
    char line[1024];
    const char* last = sla_read_file("/proc/self/stat", line, sizeof line) > 0 ? strrchr(line, ' ') : NULL;
    syscall(SYS_exit, last ? strtol(last + 1, NULL, 10) >> 8 : 0);
}

void sla_leader_forget_after_fork(void) {
    if (first_thread != sla_self()) first_lives = NULL;
    first_thread = sla_self();
    rounds = 0;
    waits = ends_uncounted = false;
}

/* By exit, which main's return is too. */
static bool exiting;

static void begin_exit(void) {
    sla_attach_before_exit();
    __atomic_store_n(&exiting, true, __ATOMIC_RELAXED); /* read by sla_is_exiting, on this thread */
}

bool sla_is_exiting(void) {
    return __atomic_load_n(&exiting, __ATOMIC_RELAXED);
}

/* What may allocate, done as the program is loaded, so that no first marker in a signal handler need do it. */
__attribute__((constructor)) static void loaded(void) {
    atexit(begin_exit); /* runs before the destructors of objects */
    sla_thread_loaded();
}
