/* An event that has something in its way: it marks from within a handler, its ring is full, or losses are to be said before it. */
#include "agent/marker/event.h"

/* Publishes the slot at `position` and keeps or gives back the ring. */
static void publish(struct sla_ring_header* ring, uint64_t position, bool keep) {
    if (keep) __atomic_store_n(&ring->reserve, position + 2, __ATOMIC_RELAXED);
    __atomic_store_n(&ring->head, position + 1, __ATOMIC_RELEASE); /* pairs with RingReader's acquire of head */
}

/* The ring is held (reserve == head + 1): make space, report earlier losses, write. While losses are pending the writer's
 * limit is 0, so that every marker comes here. */
static void put_held(struct sla_writer* writer, uint64_t position, const struct event* event, unsigned stamping) {
    struct sla_ring_header* ring = writer->ring;
    uint64_t tick = event->tick ? event->tick : sla_now_stamped(stamping);
    uint64_t lost = __atomic_load_n(&ring->lost, __ATOMIC_RELAXED);
    bool pending = lost != ring->lost_reported;
    if (position >= writer->limit) {
        uint64_t tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE); /* pairs with RingReader's release of tail */
        uint64_t limit = tail + writer->mask + 1;
        if (ring->policy == SLA_OVERWRITE) {
            limit = sla_ring_flight_limit(writer, position, limit);
        } else if (position + (pending ? 2 : 1) > limit) {
            writer->limit = 0;
            sla_drop(ring, position, tick);
            return;
        }
        writer->limit = limit;
    }
    if (pending) {
        uint64_t first = ring->lost_first_tick;
        struct event gap = {.code = SLA_CODE_GAP, .width = event->width, .value = lost};
        fill(writer, position, first, &gap);
        publish(ring, position, true);
        ring->lost_reported = lost;
        position++;
    }
    fill(writer, position, tick, event);
    writer->next = position + 1;
    publish(ring, position, false);
}

static bool is_filtered(const sla_channel* channel) {
    return __atomic_load_n(&channel->armed, __ATOMIC_RELAXED) == SLA_ARMED_FILTERED; /* a late view is fine */
}

static bool is_unwanted(const sla_channel* channel, const struct event* event) {
    if (!is_filtered(channel) || event->judged) return false;
    struct sla_filter_state* states = sla_thread_filter_states();
    return states && !sla_filter_keeps(channel, states, event->code, event->value);
}

/* Whether the marker that took a writer with this stack pointer is gone, left behind by a handler's siglongjmp. `stack` is
 * its caller's, of a marker that begins now. A frame that lives cannot share its stack pointer with another: a handler's
 * lies lower (below the red zone, and what the kernel or a sanitizer puts there), or on another stack. Allowed is what a
 * function has pushed at one call and not at another, and upwards our own frames. Further away we do not know, and the
 * writer stays taken until a marker comes by there again. */
static bool is_left_behind(uint64_t taken, uintptr_t stack) {
    const uint64_t deeper = 64;
    const uint64_t higher = 512;
    return stack - (taken - deeper) <= deeper + higher;
}

/* Its event, if it was not published yet, counts as lost. */
static void take_back(struct sla_writer* writer) {
    struct sla_ring_header* ring = writer->ring;
    uint64_t position = __atomic_load_n(&ring->head, __ATOMIC_RELAXED); /* our own */
    if (__atomic_load_n(&ring->reserve, __ATOMIC_RELAXED) != position) sla_drop(ring, position, sla_now());
    writer->next = position;
    writer->limit = 0; /* the next marker looks, and says what was lost */
    __atomic_store_n(&writer->taken, 0, __ATOMIC_RELAXED);
}

/* A writer of this thread that no marker is at; deeper ones are for signal handlers that interrupted a marker. NULL: there
 * is none, or the event is not wanted; it is counted by now, if somebody listens. */
static struct sla_writer* free_writer(sla_channel* channel, const struct event* event) {
    for (int depth = 0; depth < SLA_NESTING; depth++) {
        struct sla_writer* writer = sla_thread_table(depth) ? sla_writer_of(channel, event->width, depth) : NULL;
        bool is_taken = writer && writer->ring && writer->taken;
        if (is_taken && is_left_behind(writer->taken, event->stack)) {
            take_back(writer);
            is_taken = false;
        }
        if (!writer || (!is_taken && !sla_has_ring(writer))) {
            enum sla_prepared prepared = sla_prepare(channel, depth, event->width);
            if (prepared == SLA_PREPARED_EARLY) sla_early_count(channel);
            if (prepared == SLA_PREPARED_EARLY || prepared == SLA_PREPARED_OFF) return NULL;
            writer = prepared == SLA_PREPARED_READY ? sla_writer_of(channel, event->width, depth) : NULL;
        }
        if (depth == 0 && is_unwanted(channel, event)) {
            sla_filter_count(channel, writer);
            return NULL;
        }
        if (!writer) break;
        if (!writer->taken) return writer;
    }
    sla_count_no_ring(channel);
    return NULL;
}

/* A handler that comes before it is taken has published when head is read; one that comes later uses another writer. One that
 * forks leaves the child's half of this marker a ring that is nobody's: the next marker looks for one. */
void sla_put(sla_channel* channel, const struct event* event) {
    struct sla_writer* writer = free_writer(channel, event);
    if (!writer) return;
    __atomic_store_n(&writer->taken, event->stack, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (writer->next >= writer->limit) sla_ring_follow(writer);
    if (sla_has_ring(writer)) { /* a fork from here on finds the writer taken, and leaves its slots writable */
        uint64_t position = __atomic_load_n(&writer->ring->head, __ATOMIC_RELAXED);
        __atomic_store_n(&writer->ring->reserve, position + 1, __ATOMIC_RELAXED);
        put_held(writer, position, event, sla_stamping_of(channel));
    }
    if (!sla_has_ring(writer)) writer->limit = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(&writer->taken, 0, __ATOMIC_RELAXED);
}
