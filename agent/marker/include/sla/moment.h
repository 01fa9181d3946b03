/* Events of one moment: what happens at once, on several channels, recorded together by one stamp.
 *
 *   #include <sla/moment.h>
 *   const struct sla_event events[] = {{request, SLA_CODE_TICK_VALUE, id, 0, 0, SLA_WIDTH_PLAIN},
 *                                      {work, SLA_CODE_BEGIN, 0, 0, 0, SLA_WIDTH_PLAIN}};
 *   sla_record_moment(events, 2, 0);
 *
 * Each is a tick behind the one before it, so that they keep their order. A stamp is two thirds of a marker: all events but the first
 * cost what is left. */
#ifndef SLA_MOMENT_H
#define SLA_MOMENT_H

#include <sla/marker.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As sla_record_at has them: `code` but for TEXT and GAP, details 0 where there are none. SLA_WIDTH_WIDE: it goes with the events that
 * have details, though it may have none. They have a ring of their own; where a span's begins are in one and its ends in the other, one
 * can be full and not the other, and spans stay open. */
struct sla_event {
    sla_channel* channel;
    enum sla_code code;
    uint64_t value;
    uint64_t detail0;
    uint64_t detail1;
    enum sla_width width;
};

/* Records them in this order. `tick` is the first one's: what sla_now gave earlier, or a tick of the program's own time
 * (sla_own_clock); 0: they are stamped now, and none of them can be late. Where one needs another ring they have a stamp each. */
void sla_record_moment(const struct sla_event* events, size_t count, uint64_t tick) SLA_NOEXCEPT;

#ifdef __x86_64__ /* as in <sla/write.h> */

/* What that is made of, for whoever has ten million moments a second: sla_hold for each event; a stamp; sla_publish for each, in the
 * order of their ticks. Where one cannot be held, since something is in its way: sla_let_go of those that are, and sla_record_moment.
 * Some 50 instructions an event.
 *
 * An event that goes where the one before it goes (the same channel and width) is held behind that one: sla_hold_behind. Then
 * sla_fill is for the one before it, sla_publish for the last, which publishes both; sla_let_go of the first lets go of both. */
struct sla_held { /* a slot, reserved */
    struct sla_writer* writer;
    struct sla_ring_header* ring;
    uint64_t position;
};

#define SLA_FETCH_WIDE 1024 /* as SLA_FETCH_PLAIN */

static inline __attribute__((always_inline)) int sla_is_wide(const struct sla_event* event) {
    return event->width == SLA_WIDTH_WIDE || (event->detail0 | event->detail1) != 0;
}

/* The calling thread's writer of such events, if what has a tick may be written at once; else NULL. */
static inline __attribute__((always_inline)) struct sla_writer* sla_ready_writer(sla_channel* channel,
                                                                                 enum sla_width width) {
    int64_t table = __atomic_load_n(&channel->table, __ATOMIC_ACQUIRE); /* pairs with arm's release: offset is there */
    if (__builtin_expect(table >= 0, 0)) {
        if (table == 0) return SLA_NULL_;
        table = -table; /* the library has it so where inline code must not stamp */
    }
    if (width == SLA_WIDTH_PLAIN && !sla_is_not_self(__atomic_load_n(&channel->owner, __ATOMIC_RELAXED))) {
        return &channel->own;
    }
    return sla_table_writer(channel, table, width);
}

/* 0: not now. */
static inline __attribute__((always_inline)) int sla_hold(const struct sla_event* event, struct sla_held* held) {
    held->writer = sla_ready_writer(event->channel, sla_is_wide(event) ? SLA_WIDTH_WIDE : SLA_WIDTH_PLAIN);
    return held->writer && sla_begin_write(held->writer, &held->ring, &held->position);
}

/* The slot behind one that is held; 0: there is none now. */
static inline __attribute__((always_inline)) int sla_hold_behind(const struct sla_held* before, struct sla_held* held) {
    held->writer = before->writer;
    held->ring = before->ring;
    held->position = before->position + 1;
    if (__builtin_expect(held->position >= held->writer->limit, 0)) return 0;
    held->writer->next = held->position + 1;
    __atomic_store_n(&held->ring->reserve, held->position + 1, __ATOMIC_RELAXED); /* as in sla_begin_write */
    return 1;
}

/* Nothing of the event has been written: what a flight recorder has there stays. */
static inline __attribute__((always_inline)) void sla_let_go(const struct sla_held* held) {
    held->writer->next = held->position;
    __atomic_store_n(&held->ring->reserve, held->position, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(&held->writer->taken, 0, __ATOMIC_RELAXED);
}

/* Whether RDTSC alone stamps what is held for the channel; where it does not, sla_record_moment is for them. */
static inline __attribute__((always_inline)) int sla_stamps_inline(const sla_channel* channel) {
    return __atomic_load_n(&channel->table, __ATOMIC_RELAXED) < 0; /* a late view is fine */
}

/* Writes the event into its slot; what publishes the slot behind it publishes this one. Every word is a release, as in
 * sla_write_stamped. */
static inline __attribute__((always_inline)) void sla_fill(const struct sla_event* event, const struct sla_held* held,
                                                           uint64_t tick) {
    const uint64_t stamp = SLA_CAST_(uint64_t, event->code) << SLA_TICK_BITS | (tick & SLA_TICK_MASK);
    const uint64_t index = held->position & held->writer->mask;
    if (sla_is_wide(event)) {
        struct sla_slot_wide* slot = SLA_CAST_(struct sla_slot_wide*, SLA_CAST_(void*, held->writer->slots)) + index;
        sla_fetch_ahead(slot, SLA_FETCH_WIDE);
        __atomic_store_n(&slot->stamp, stamp, __ATOMIC_RELEASE);
        __atomic_store_n(&slot->value, event->value, __ATOMIC_RELEASE);
        __atomic_store_n(&slot->detail[0], event->detail0, __ATOMIC_RELEASE);
        __atomic_store_n(&slot->detail[1], event->detail1, __ATOMIC_RELEASE);
    } else {
        struct sla_slot_plain* slot = SLA_CAST_(struct sla_slot_plain*, SLA_CAST_(void*, held->writer->slots)) + index;
        sla_fetch_ahead(slot, SLA_FETCH_PLAIN);
        __atomic_store_n(&slot->stamp, stamp, __ATOMIC_RELEASE);
        __atomic_store_n(&slot->value, event->value, __ATOMIC_RELEASE);
    }
}

static inline __attribute__((always_inline)) void sla_publish(const struct sla_event* event, const struct sla_held* held,
                                                              uint64_t tick) {
    sla_fill(event, held, tick);
    sla_end_write(held->writer, held->ring, held->position);
}

#endif /* __x86_64__ */

#ifdef __cplusplus
}
#endif

#endif
