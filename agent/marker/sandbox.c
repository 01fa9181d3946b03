/* For programs that shut themselves in behind a filter which kills on unknown system calls: from sla_enter_sandbox on the
 * library makes none. What is ready by then goes on being recorded, all else is lost and counted.
 *
 *   program                              attach thread
 *   ASKED, wakes it ───────────────────► looks up (within a second)
 *   waits ◄───────────────────────────── ENTERED, gives the lock back
 *   tries to move it from one futex      sleeps on a futex that nobody will ever wake; its socket stays open, so that the
 * agent to the other until that succeeds     goes on reading
 */
#define _GNU_SOURCE
#include "agent/marker/internal.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum sandbox { SANDBOX_NONE, SANDBOX_ASKED, SANDBOX_ENTERED };

static enum sandbox sandbox;             /* written under the registry lock */
static uint32_t parked, parked_for_good; /* words that the thread sleeps on */

bool sla_in_sandbox(void) {
    return __atomic_load_n(&sandbox, __ATOMIC_RELAXED) != SANDBOX_NONE; /* who enters one waits for no other thread's view */
}

void sla_park(const struct sla_locked* locked) {
    __atomic_store_n(&sandbox, SANDBOX_ENTERED, __ATOMIC_RELAXED); /* read by sla_in_sandbox */
    sla_changed();
    sla_unlock(locked);
    for (;;) syscall(SYS_futex, &parked, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
}

static void sleep_a_little(void) {
    const struct timespec pause = {0, 50000};
    nanosleep(&pause, NULL);
}

/* Known to sleep is only who can be moved from one futex's queue to another's. Who waits for that sleeps, too: a thread with
 * real-time priority would keep the other from its core. */
static void wait_until_parked(void) {
    while (syscall(SYS_futex, &parked, FUTEX_CMP_REQUEUE_PRIVATE, 0, 1, &parked_for_good, 0) != 1) sleep_a_little();
}

int sla_enter_sandbox(void) {
    if (sla_in_sandbox()) return sla_is_on();
    struct sla_locked locked = sla_lock();
    sla_attached();
    __atomic_store_n(&sandbox, SANDBOX_ASKED, __ATOMIC_RELAXED); /* read by sla_in_sandbox; a late view is fine */
    sla_changed();
    while (sla_thread_runs() && sandbox != SANDBOX_ENTERED) sla_wait_for_change(1000);
    if (sla_thread_runs()) wait_until_parked();
    while (sla_leader_waits()) sleep_a_little();
    bool on = sla_is_on();
    if (!on) sla_arm_all(SLA_ARMED_OFF);
    sla_unlock(&locked);
    return on;
}
