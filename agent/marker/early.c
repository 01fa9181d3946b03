/* Markers that come before the library's thread has looked for an agent for the first time, and that wait for it no longer.
 *
 *   look to come    a marker counts itself here, by its channel: no lock, no system call
 *   agent found     who looked moves the counts into the channels' descriptors, as events lost without a ring
 *   no agent        who looked forgets them: there was nobody to tell
 *
 * A marker that counts itself while that goes on looks at the state again afterwards, and does the same with its count. Both
 * sides write first and read then, by sequentially consistent operations: one of them sees the other's. */
#include "agent/marker/internal.h"

#include <stdio.h>
#include <string.h>

struct early {
    sla_channel* channel; /* NULL: nobody's yet */
    struct sla_lost lost;
};

enum { PLACES = SLA_MAX_CHANNELS };
static struct early places[PLACES + 1]; /* the last: of channels that found none */
static bool any;

/* A channel keeps its place. NULL: it has none, and there is none left or it is to get none. */
static struct early* find(sla_channel* channel, bool may_add) {
    const size_t home = (uintptr_t)channel / sizeof *channel % PLACES;
    for (size_t i = 0; i < PLACES; i++) {
        struct early* place = &places[(home + i) % PLACES];
        sla_channel* of = __atomic_load_n(&place->channel, __ATOMIC_RELAXED); /* only the own address matters */
        if (of == channel) return place;
        if (of) continue;
        if (!may_add) return NULL;
        if (__atomic_compare_exchange_n(&place->channel, &of, channel, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
            of == channel)
            return place;
    }
    return NULL;
}

static struct sla_lost take(struct early* place) {
    struct sla_lost lost = {.events = __atomic_exchange_n(&place->lost.events, 0, __ATOMIC_SEQ_CST)};
    lost.first_tick = __atomic_exchange_n(&place->lost.first_tick, 0, __ATOMIC_RELAXED); /* at worst a neighbour's */
    lost.last_tick = __atomic_load_n(&place->lost.last_tick, __ATOMIC_RELAXED);
    return lost;
}

/* The look is over. Under the lock, or in a sandbox. How many agents are told of. */
static uint64_t settle(struct early* place) {
    struct sla_lost lost = take(place);
    if (lost.events == 0 || !sla_is_on()) return 0;
    uint32_t index = 0;
    if (place->channel) index = sla_channel_index(place->channel);
    if (sla_clock_is_raw()) lost.first_tick = lost.last_tick = 0; /* that it is was not known when they were stamped */
    sla_count_lost(index, &lost);
    return lost.events;
}

static void settle_after_all(struct early* place) {
    if (sla_in_sandbox()) {
        settle(place);
        return;
    }
    struct sla_locked locked = sla_lock();
    if (!locked.again) settle(place);
    sla_unlock(&locked);
}

static void add(struct early* place, const struct sla_lost* lost) {
    uint64_t none = 0;
    __atomic_compare_exchange_n(&place->lost.first_tick, &none, lost->first_tick, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    __atomic_store_n(&place->lost.last_tick, lost->last_tick, __ATOMIC_RELAXED);
    __atomic_fetch_add(&place->lost.events, lost->events, __ATOMIC_SEQ_CST);
    __atomic_store_n(&any, true, __ATOMIC_SEQ_CST);
    if (!sla_look_is_to_come()) settle_after_all(place);
}

static struct early* place_of(sla_channel* channel) {
    struct early* place = find(channel, true);
    return place ? place : &places[PLACES];
}

void sla_early_count(sla_channel* channel) {
    const uint64_t now = sla_now();
    add(place_of(channel), &(struct sla_lost){1, now, now});
}

bool sla_early_any(void) {
    return __atomic_load_n(&any, __ATOMIC_SEQ_CST);
}

void sla_early_settle(void) {
    char line[96];
    uint64_t told = 0;
    if (!__atomic_exchange_n(&any, false, __ATOMIC_SEQ_CST)) return;
    for (size_t i = 0; i <= PLACES; i++) told += settle(&places[i]);
    if (told == 0) return;
    snprintf(line, sizeof line, "%llu events were marked before an agent was found: lost, and counted",
             (unsigned long long)told);
    sla_debug(line, 0);
}

/* A channel of the same name that stays has them from here on. */
void sla_early_keep(sla_channel* channel) {
    struct early* place = sla_early_any() ? find(channel, false) : NULL;
    if (!place || __atomic_load_n(&place->lost.events, __ATOMIC_RELAXED) == 0) return;
    sla_channel* kept = sla_channel_open_stamped(channel->name, channel->format, (enum sla_policy)channel->policy,
                                                 channel->capacity, (enum sla_stamping)channel->stamping);
    const struct sla_lost lost = take(place); /* none: who looked was here before */
    if (lost.events > 0) add(place_of(kept), &lost);
}

void sla_early_forget_after_fork(void) {
    if (any) memset(places, 0, sizeof places);
    any = false;
}
