/* What the markers call that are not inline: other clocks, filters, ticks of their own, details. */
#include "agent/marker/event.h"

#include <sla/moment.h>

/* Off the common path, and out of its registers' way. `stack` is as event.stack. */
static __attribute__((noinline, cold)) void put_plain(sla_channel* channel, enum sla_code code, uint64_t value,
                                                      uintptr_t stack, bool judged) {
    struct event event = {.code = code, .width = SLA_WIDTH_PLAIN, .value = value, .stack = stack, .judged = judged};
    sla_put(channel, &event);
}

/* A marker that a filter turns away ends in the first branch of this: tests/bench/filter_bench shows what it costs. */
static __attribute__((noinline)) void mark_filtered(sla_channel* channel, enum sla_code code, uint64_t value,
                                                    uintptr_t stack) {
    bool judged = false;
    struct sla_filter_state* states = sla_thread_filter_states();
    struct sla_writer* writer = states ? sla_writer_of(channel, SLA_WIDTH_PLAIN, 0) : NULL;
    if (writer && writer->ring) {
        judged = sla_filter_keeps(channel, states, code, value);
        if (!judged) {
            sla_filter_count(channel, writer);
            return;
        }
        if (sla_clock_armed() == SLA_ARMED_ON && sla_write_stamped(writer, code, value, sla_stamping_of(channel))) return;
    }
    put_plain(channel, code, value, stack, judged);
}

/* Stamped by another instruction than inline code's, or by another clock. */
static __attribute__((noinline)) void mark_ordered(sla_channel* channel, enum sla_code code, uint64_t value,
                                                   uintptr_t stack) {
    struct event event = {.code = code, .width = SLA_WIDTH_PLAIN, .value = value};
    if (!write_event(channel, sla_ready_writer(channel, SLA_WIDTH_PLAIN), &event))
        put_plain(channel, code, value, stack, false);
}

void sla_mark_asking(sla_channel* channel, enum sla_code code, uint64_t value) {
    uint32_t armed = __atomic_load_n(&channel->armed, __ATOMIC_RELAXED); /* a late view is fine */
    uintptr_t stack = (uintptr_t)__builtin_dwarf_cfa();
    switch (armed) {
        case SLA_ARMED_ORDERED: mark_ordered(channel, code, value, stack); break;
        case SLA_ARMED_FILTERED: mark_filtered(channel, code, value, stack); break;
        default: put_plain(channel, code, value, stack, false);
    }
}

/* What objects call that were compiled with a header which knew no other thread's writer; they may come as plugins. */
void sla_mark_slow(sla_channel* channel, enum sla_code code, uint64_t value) __attribute__((alias("sla_mark_asking")));

void sla_record(sla_channel* channel, enum sla_code code, uint64_t value) {
    sla_mark(channel, code, value);
}

void sla_record_at(sla_channel* channel, enum sla_code code, uint64_t tick, uint64_t value, uint64_t detail0,
                   uint64_t detail1) {
    if (!sla_on(channel)) return;
    struct event event = {.code = code, .tick = tick, .value = value, .detail = {detail0, detail1}};
    event.width = detail0 || detail1 ? SLA_WIDTH_WIDE : SLA_WIDTH_PLAIN;
    if (tick && write_event(channel, sla_ready_writer(channel, event.width), &event)) return;
    event.stack = (uintptr_t)__builtin_dwarf_cfa();
    sla_put(channel, &event);
}

void sla_record_wide(sla_channel* channel, enum sla_code code, uint64_t value, uint64_t detail0, uint64_t detail1) {
    if (!detail0 && !detail1) {
        sla_mark(channel, code, value);
        return;
    }
    struct event event = {.code = code, .width = SLA_WIDTH_WIDE, .value = value, .detail = {detail0, detail1}};
    if (!write_event(channel, sla_ready_writer(channel, SLA_WIDTH_WIDE), &event))
        sla_record_at(channel, code, 0, value, detail0, detail1);
}

/* Where a ring is full the next one is looked for, and only then there may be a stamp: so each event has its own. */
void sla_record_each(const struct sla_event* events, size_t count, uint64_t tick, uintptr_t stack) {
    for (size_t i = 0; i < count; i++) {
        const struct sla_event* from = &events[i];
        if (!sla_on(from->channel)) continue;
        struct event event = {.code = from->code, .tick = tick ? tick + i : 0, .value = from->value, .stack = stack};
        event.detail[0] = from->detail0;
        event.detail[1] = from->detail1;
        event.width = sla_is_wide(from) ? SLA_WIDTH_WIDE : SLA_WIDTH_PLAIN;
        if (!write_event(from->channel, sla_ready_writer(from->channel, event.width), &event))
            sla_put(from->channel, &event);
    }
}
