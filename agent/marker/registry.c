/* The channels that have been marked, and what a thread needs before it can mark one. */
#include "agent/marker/rings.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

/* What `listed` says: not marked yet, in the list, in it no more. */
enum { NEVER_LISTED = 0, LISTED = 1, UNLISTED = 2 };

static pthread_mutex_t registry_lock = PTHREAD_MUTEX_INITIALIZER;
static sla_channel* listed_channels;                                      /* under the lock */
static __thread bool has_lock __attribute__((tls_model("initial-exec"))); /* or takes it, or gives it back */

struct sla_locked sla_lock(void) {
    struct sla_locked locked = {.errno_before = errno, .again = has_lock};
    if (has_lock) return locked;
    sigset_t all;
    sigfillset(&all);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &locked.cancel_before); /* the lock must not end with its thread */
    pthread_sigmask(SIG_SETMASK, &all, &locked.before);
    sla_lock_take_again();
    return locked;
}

void sla_lock_take_again(void) {
    has_lock = true;
    sla_notice_child();
    pthread_mutex_lock(&registry_lock);
}

void sla_lock_let_go(void) {
    pthread_mutex_unlock(&registry_lock);
    has_lock = false;
}

void sla_unlock(const struct sla_locked* locked) {
    if (locked->again) return;
    sla_lock_let_go();
    pthread_sigmask(SIG_SETMASK, &locked->before, NULL);
    pthread_setcancelstate(locked->cancel_before, NULL);
    errno = locked->errno_before;
}

bool sla_wait(pthread_cond_t* condition, const struct timespec* until) {
    return pthread_cond_timedwait(condition, &registry_lock, until) == 0;
}

/* Under the lock, or in a sandbox. The threads that mark may see all this late: fine. */
static void arm(sla_channel* channel, enum sla_armed armed) {
    if (armed == SLA_ARMED_ON && sla_stamping_of(channel) != SLA_RDTSC) armed = SLA_ARMED_ORDERED;
    bool on = armed == SLA_ARMED_ON;
    uintptr_t direct = on && channel->owner ? channel->owner : SLA_DIRECT_NOBODY;
    if (armed == SLA_ARMED_OFF) direct = SLA_DIRECT_OFF;
    uint32_t offset = (channel->index * SLA_WIDTH_COUNT + SLA_WIDTH_PLAIN) * (uint32_t)sizeof(struct sla_writer);
    __atomic_store_n(&channel->direct, direct, __ATOMIC_RELAXED);
    __atomic_store_n(&channel->offset, offset, __ATOMIC_RELAXED);
    int64_t place = channel->index ? sla_thread_table_place() : 0;
    int64_t table = on ? place : (armed == SLA_ARMED_ORDERED ? -place : 0); /* above 0: as sla_ready_writer has it */
    __atomic_store_n(&channel->table, table, __ATOMIC_RELEASE);             /* pairs with sla_mark's acquire */
    __atomic_store_n(&channel->armed, armed, __ATOMIC_RELAXED);
}

void sla_arm_all(enum sla_armed armed) {
    for (sla_channel* channel = listed_channels; channel; channel = channel->next) arm(channel, armed);
}

void sla_arm_as_wanted(void) {
    for (sla_channel* channel = listed_channels; channel; channel = channel->next) arm(channel, sla_filter_armed(channel));
}

static void disown(sla_channel* channel) {
    __atomic_store_n(&channel->owner, 0, __ATOMIC_RELAXED);
    arm(channel, (enum sla_armed)channel->armed); /* its `direct` is read by its owner, us, and by those it does not name */
    memset(&channel->own, 0, sizeof channel->own);
}

static void disown_mine(void) {
    for (sla_channel* channel = listed_channels; channel; channel = channel->next) {
        if (__atomic_load_n(&channel->owner, __ATOMIC_RELAXED) != sla_self()) continue; /* only the own name matters */
        sla_close_ring(&channel->own);
        disown(channel);
    }
}

/* In a sandbox the list does not change any more, and a lock would be system calls. */
void sla_disown_channels(void) {
    if (sla_in_sandbox()) {
        disown_mine();
        return;
    }
    struct sla_locked locked = sla_lock();
    disown_mine();
    sla_unlock(&locked);
}

static bool unlist(sla_channel* channel) {
    sla_channel** link = &listed_channels;
    while (*link && *link != channel) link = &(*link)->next;
    if (!*link) return false;
    *link = channel->next;
    channel->listed = UNLISTED;
    return true;
}

static void forget(sla_channel* channel) {
    if (!unlist(channel) || sla_is_exiting()) return;
    if (channel->owner) sla_close_ring(&channel->own);
    disown(channel);
}

/* Its object is about to be unmapped: nobody runs code in it any more, so nobody marks the channel, but for destructors of
 * the object itself; and as the program ends, when its other threads may mark to the last. */
void sla_channel_forget(sla_channel* channel) {
    if (!sla_is_exiting()) sla_early_keep(channel);
    if (sla_in_sandbox()) { /* as above */
        forget(channel);
        return;
    }
    struct sla_locked locked = sla_lock();
    forget(channel);
    sla_unlock(&locked);
}

/* As sla_thread_forget_after_fork says it. */
static void forget_own(sla_channel* channel) {
    channel->own.limit = 0;
    if (channel->owner != sla_self()) channel->own.taken = 0; /* by a thread that the child does not have */
    if (channel->own.taken != 0) sla_segment_leave_writable(&channel->own, SLA_WIDTH_PLAIN);
    __atomic_store_n(&channel->owner, 0, __ATOMIC_RELAXED);
}

void sla_channels_forget_after_fork(void) {
    pthread_mutex_init(&registry_lock, NULL);
    for (sla_channel* channel = listed_channels; channel; channel = channel->next) {
        channel->listed = LISTED; /* a fork between linking and listing must not link it twice */
        __atomic_store_n(&channel->index, 0, __ATOMIC_RELAXED);
        forget_own(channel);
        arm(channel, sla_in_sandbox() ? SLA_ARMED_OFF : SLA_ARMED_ON);
    }
}

/* What a segment says of a channel is so for all that mark it by that name. */
uint32_t sla_channel_index(sla_channel* channel) {
    if (channel->index) return channel->index;
    uint32_t index = sla_register_channel(channel);
    if (index) __atomic_store_n(&channel->stamping, (uint16_t)sla_registered_stamping(index), __ATOMIC_RELAXED);
    __atomic_store_n(&channel->index, index, __ATOMIC_RELAXED);
    return index;
}

/* What is not listed is not disowned any more. A marker that is at `own` is of the parent of this process, half-way. */
static bool is_to_be_owned(const sla_channel* channel) {
    return channel->owner == 0 && channel->listed == LISTED && channel->own.taken == 0;
}

static enum sla_prepared prepare_locked(sla_channel* channel, int depth, enum sla_width width) {
    bool on = sla_attached();
    if (channel->listed == NEVER_LISTED) {
        channel->next = listed_channels;
        listed_channels = channel;
        channel->listed = LISTED;
    }
    if (!on && sla_look_is_to_come()) return SLA_PREPARED_EARLY;
    if (on) sla_channel_index(channel);
    enum sla_armed armed = on ? sla_filter_armed(channel) : SLA_ARMED_OFF;
    arm(channel, armed);
    if (armed == SLA_ARMED_OFF) return SLA_PREPARED_OFF;
    if (!channel->index || !sla_thread_table_make(depth)) return SLA_PREPARED_NO_SPACE;
    struct sla_writer* writer = sla_writer_of(channel, width, depth);
    bool may_own = depth == 0 && width == SLA_WIDTH_PLAIN && is_to_be_owned(channel) && !sla_has_ring(writer);
    if (may_own) writer = &channel->own;
    if (!sla_has_ring(writer) && !sla_claim_ring(channel, width, writer)) return SLA_PREPARED_NO_SPACE;
    if (may_own) {
        __atomic_store_n(&channel->owner, sla_self(), __ATOMIC_RELAXED); /* read by sla_writer_of */
        arm(channel, armed);
    }
    return SLA_PREPARED_READY;
}

/* What is not prepared when the sandbox is entered stays so; what is lost of it has a name. */
static enum sla_prepared prepared_in_sandbox(sla_channel* channel) {
    if (sla_is_on()) {
        sla_channel_index(channel);
        return SLA_PREPARED_NO_SPACE;
    }
    arm(channel, SLA_ARMED_OFF);
    return SLA_PREPARED_OFF;
}

/* Of a marker that the library itself comes by, with the lock. */
static enum sla_prepared prepared_amid(void) {
    if (sla_look_is_to_come()) return SLA_PREPARED_EARLY;
    return sla_is_on() ? SLA_PREPARED_NO_SPACE : SLA_PREPARED_OFF;
}

enum sla_prepared sla_prepare(sla_channel* channel, int depth, enum sla_width width) {
    if (sla_is_late() && !sla_is_new_child()) return SLA_PREPARED_EARLY; /* the thread that is late may have the lock */
    if (sla_in_sandbox()) return prepared_in_sandbox(channel);
    struct sla_locked locked = sla_lock();
    enum sla_prepared prepared = locked.again ? prepared_amid() : prepare_locked(channel, depth, width);
    sla_unlock(&locked);
    return prepared;
}

int sla_channel_prepare(sla_channel* channel) {
    if (!sla_on(channel)) return 0;
    if (sla_thread_table(0) && sla_has_ring(sla_writer_of(channel, SLA_WIDTH_PLAIN, 0))) return sla_is_on();
    switch (sla_prepare(channel, 0, SLA_WIDTH_PLAIN)) {
        case SLA_PREPARED_READY: return 1;
        case SLA_PREPARED_OFF:
        case SLA_PREPARED_EARLY: return 0;
        case SLA_PREPARED_NO_SPACE: return -1;
    }
    return -1;
}

static void count_loss(const struct sla_lost* lost, uint64_t* count, uint64_t* first_tick, uint64_t* last_tick) {
    uint64_t none = 0;
    __atomic_compare_exchange_n(first_tick, &none, lost->first_tick, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    __atomic_store_n(last_tick, lost->last_tick, __ATOMIC_RELAXED);
    /* pairs with SegmentView's acquire of it: it sees the ticks */
    __atomic_fetch_add(count, lost->events, __ATOMIC_RELEASE);
}

void sla_count_lost(uint32_t index, const struct sla_lost* lost) {
    struct sla_segment_header* segment = sla_segment();
    if (!segment) return;
    if (index) {
        struct sla_channel_descriptor* descriptor = sla_descriptor(index);
        count_loss(lost, &descriptor->lost_no_ring, &descriptor->lost_first_tick, &descriptor->lost_last_tick);
    } else if (__atomic_load_n(&segment->channel_count, __ATOMIC_RELAXED) < SLA_MAX_CHANNELS) { /* a late view is fine */
        count_loss(lost, &segment->lost_unregistered, &segment->unregistered_first_tick, &segment->unregistered_last_tick);
    } else {
        count_loss(lost, &segment->lost_no_channel, &segment->no_channel_first_tick, &segment->no_channel_last_tick);
    }
    /* pairs with SegmentView::lost_without_ring: who sees this sees the count above */
    __atomic_fetch_add(&segment->lost_without_ring, lost->events, __ATOMIC_RELEASE);
}

void sla_count_no_ring(const sla_channel* channel) {
    const uint64_t now = sla_now();
    sla_count_lost(__atomic_load_n(&channel->index, __ATOMIC_RELAXED), &(struct sla_lost){1, now, now});
}
