/* One event on its way into a ring, and how it is written there when nothing is in the way. Not installed.
 *
 *   marker.c, text.c ── write_event ──► slot          written inline: these are as hot as what programs have inline
 *                    └─ sla_put (put.c) ──► slot      a writer that is taken, a full ring, losses to be said first
 */
#ifndef SLA_MARKER_EVENT_H
#define SLA_MARKER_EVENT_H

#include "agent/marker/rings.h"

#include <string.h>

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

/* The same whatever is in the way: it is written, or counted as lost. No lock, no system call. */
SLA_HIDDEN void sla_put(sla_channel* channel, const struct event* event);

#endif
