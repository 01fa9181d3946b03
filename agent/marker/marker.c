#include "agent/marker/internal.h"

#include <sla/moment.h>

#include <string.h>

/* One event on its way into a ring. */
struct event {
    enum sla_code code;
    enum sla_width width;
    uint64_t tick; /* 0: stamp it now */
    uint64_t value;
    uint64_t detail[2];
    const char* text;
    size_t text_bytes;
    uintptr_t stack; /* pointer of the call that marks */
    bool judged;     /* the channel's filter keeps it */
};

/* Word by word, as a reader copies it; the last one is filled up with zeros. */
static inline void fill_text(uint64_t* words, const char* text, size_t bytes) {
    uint64_t word;
    size_t done = 0;
    for (; done + sizeof word <= bytes; done += sizeof word) {
        memcpy(&word, text + done, sizeof word);
        __atomic_store_n(words++, word, __ATOMIC_RELEASE);
    }
    size_t left = bytes - done;
    if (left == 0) return;
    if (bytes >= sizeof word) { /* its bytes are the last ones of the eight that end the text */
        memcpy(&word, text + bytes - sizeof word, sizeof word);
        word >>= (sizeof word - left) * 8;
    } else {
        word = 0;
        memcpy(&word, text, left);
    }
    __atomic_store_n(words, word, __ATOMIC_RELEASE);
}

/* Every word is a release that pairs with copy_slots' acquire: who sees one sees that the slot was reserved. */
static inline __attribute__((always_inline)) void fill(const struct sla_writer* writer, uint64_t position, uint64_t tick,
                                                       const struct event* event) {
    unsigned char* at = writer->slots + (position & writer->mask) * sla_slot_bytes(event->width);
    struct sla_slot_wide* slot = (struct sla_slot_wide*)at; /* every width begins with stamp and value */
    __atomic_store_n(&slot->stamp, (uint64_t)event->code << SLA_TICK_BITS | (tick & SLA_TICK_MASK), __ATOMIC_RELEASE);
    __atomic_store_n(&slot->value, event->value, __ATOMIC_RELEASE);
    if (event->width == SLA_WIDTH_WIDE) {
        __atomic_store_n(&slot->detail[0], event->detail[0], __ATOMIC_RELEASE);
        __atomic_store_n(&slot->detail[1], event->detail[1], __ATOMIC_RELEASE);
    } else if (event->width == SLA_WIDTH_TEXT) {
        fill_text((uint64_t*)(void*)(at + offsetof(struct sla_slot_text, text)), event->text, event->text_bytes);
    }
}

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
            if (prepared == SLA_PREPARED_OFF) return NULL;
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
static void put(sla_channel* channel, const struct event* event) {
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

/* Off the common path, and out of its registers' way. `stack` is as event.stack. */
static __attribute__((noinline, cold)) void put_plain(sla_channel* channel, enum sla_code code, uint64_t value,
                                                      uintptr_t stack, bool judged) {
    struct event event = {.code = code, .width = SLA_WIDTH_PLAIN, .value = value, .stack = stack, .judged = judged};
    put(channel, &event);
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

/* Another processor may hold the line, or memory: as sla_fetch_ahead says. Four slots of a wide ring share two lines. */
static inline void fetch_ahead(const struct sla_writer* writer, uint64_t position, enum sla_width width) {
    const unsigned char* slot = writer->slots + (position & writer->mask) * sla_slot_bytes(width);
    if (width != SLA_WIDTH_PLAIN) sla_fetch_ahead(slot, width == SLA_WIDTH_TEXT ? SLA_FETCH_TEXT : SLA_FETCH_WIDE);
}

/* Writes an event of another width than sla_write_stamped's, by another clock, or with a tick of its own, when nothing is in the
 * way. */
static inline __attribute__((always_inline)) bool write_event(sla_channel* channel, struct sla_writer* writer,
                                                              const struct event* event) {
    struct sla_ring_header* ring;
    uint64_t position;
    if (!writer || !sla_begin_write(writer, &ring, &position)) return false;
    fetch_ahead(writer, position, event->width);
    fill(writer, position, event->tick ? event->tick : sla_stamp_now(channel), event);
    sla_end_write(writer, ring, position);
    return true;
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
    put(channel, &event);
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
        if (!write_event(from->channel, sla_ready_writer(from->channel, event.width), &event)) put(from->channel, &event);
    }
}

/* Where to cut text that does not fit, so that no UTF-8 character is split and "…" (3 bytes) fits. */
static size_t cut_point(const char* text) {
    size_t end = SLA_TEXT_BYTES - 3;
    while (end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80) end--;
    return end;
}

/* What write_text cannot do: another way to stamp, no space, a text that does not fit. */
static __attribute__((noinline, cold)) void put_text(sla_channel* channel, const char* text, size_t bytes, uintptr_t stack) {
    char cut[SLA_TEXT_BYTES];
    if (bytes > SLA_TEXT_BYTES) {
        size_t kept = cut_point(text);
        memcpy(cut, text, kept);
        memcpy(cut + kept, "\xe2\x80\xa6", 3);
        text = cut;
        bytes = kept + 3;
    }
    struct event event = {.code = SLA_CODE_TEXT, .width = SLA_WIDTH_TEXT, .value = bytes, .text = text, .text_bytes = bytes};
    event.stack = stack;
    put(channel, &event);
}

/* A text that inline code does not know: copied, some 25 instructions more than a literal. */
static inline __attribute__((always_inline)) bool write_text(sla_channel* channel, const char* text, size_t bytes) {
    struct event event = {.code = SLA_CODE_TEXT, .width = SLA_WIDTH_TEXT, .value = bytes, .text = text, .text_bytes = bytes};
    return bytes <= SLA_TEXT_BYTES && write_event(channel, sla_ready_writer(channel, SLA_WIDTH_TEXT), &event);
}

void sla_text_bytes(sla_channel* channel, const char* text, size_t bytes) {
    if (sla_on(channel) && !write_text(channel, text, bytes)) {
        put_text(channel, text, bytes, (uintptr_t)__builtin_dwarf_cfa());
    }
}

void sla_text(sla_channel* channel, const char* text) {
    if (!sla_on(channel)) return;
    if (!text) text = "(null)";
    size_t bytes = strnlen(text, SLA_TEXT_BYTES + 1);
    if (!write_text(channel, text, bytes)) put_text(channel, text, bytes, (uintptr_t)__builtin_dwarf_cfa());
}
