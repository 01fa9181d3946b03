/* Events of one moment: a place for each, one stamp, then all are written.
 *
 *   places found, writers taken ── stamp ── a slot: written, published      a loss: counted
 *
 * Where a writer has to look first (a first event, a ring to go over to, a handler's marker) each event goes its own way. A ring that is
 * full, and was, is no such case: what is lost of a storm costs no more than what is kept.
 */
#include "agent/marker/rings.h"

#define MOMENT_EVENTS 8 /* more at once have a stamp each */

/* A loss reserves its ring as a slot does, so that no stamp is late; one behind another has the writer only. */
struct place {
    struct sla_held held;
    bool is_loss;
};

/* Whether it goes where the one before it goes, and so behind it. */
static bool goes_behind(const struct sla_event* event, const struct sla_event* before) {
    return event->channel == before->channel && sla_is_wide(event) == sla_is_wide(before);
}

/* False: whoever has it lost must look first. */
static bool hold_loss(struct sla_writer* writer, struct sla_held* held) {
    __atomic_store_n(&writer->taken, sla_stack(), __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* a handler that came before has published, a later one uses another writer */
    struct sla_ring_header* ring = writer->ring;
    if (!sla_has_ring(writer) || !sla_ring_goes_on_losing(ring)) {
        __atomic_store_n(&writer->taken, 0, __ATOMIC_RELAXED);
        return false;
    }
    held->writer = writer;
    held->ring = ring;
    held->position = ring->head;
    __atomic_store_n(&ring->reserve, held->position + 1, __ATOMIC_RELAXED);
    return true;
}

static inline bool find_place(const struct sla_event* event, struct place* place) {
    struct sla_writer* writer = sla_ready_writer(event->channel, sla_is_wide(event) ? SLA_WIDTH_WIDE : SLA_WIDTH_PLAIN);
    if (!writer || __atomic_load_n(&writer->taken, __ATOMIC_RELAXED) != 0) return false;
    place->is_loss = writer->limit == 0;
    if (place->is_loss) return hold_loss(writer, &place->held);
    place->held.writer = writer;
    return sla_begin_write(writer, &place->held.ring, &place->held.position);
}

static inline bool find_place_behind(const struct place* before, struct place* place) {
    place->is_loss = before->is_loss;
    if (!place->is_loss) return sla_hold_behind(&before->held, &place->held);
    place->held.writer = before->held.writer;
    return true;
}

static size_t find_places(const struct sla_event* events, size_t count, struct place* places) {
    size_t got = 0;
    for (; got < count && got < MOMENT_EVENTS; got++) {
        const bool is_behind = got > 0 && goes_behind(&events[got], &events[got - 1]);
        if (!(is_behind ? find_place_behind(&places[got - 1], &places[got]) : find_place(&events[got], &places[got]))) break;
    }
    return got;
}

/* So many more, of a ring that has lost some before. */
static void lose(const struct sla_held* held, size_t events, uint64_t last_tick) {
    struct sla_ring_header* ring = held->ring;
    __atomic_store_n(&ring->lost_last_tick, last_tick, __ATOMIC_RELAXED);
    __atomic_store_n(&ring->lost, ring->lost + events, __ATOMIC_RELEASE); /* as in sla_drop */
    sla_let_go(held);
}

/* Those in one ring, one behind the other. */
static void write_all(const struct sla_event* events, const struct place* places, size_t count, uint64_t tick) {
    if (places->is_loss) {
        lose(&places->held, count, tick + count - 1);
        return;
    }
    for (size_t i = 0; i + 1 < count; i++) sla_fill(&events[i], &places[i].held, tick + i);
    sla_publish(&events[count - 1], &places[count - 1].held, tick + count - 1);
}

void sla_record_moment(const struct sla_event* events, size_t count, uint64_t tick) {
    struct place places[MOMENT_EVENTS];
    const size_t got = find_places(events, count, places);
    if (got < count) {
        for (size_t i = 0; i < got; i++) {
            if (i == 0 || places[i].held.writer != places[i - 1].held.writer) sla_let_go(&places[i].held);
        }
        sla_record_each(events, count, tick, (uintptr_t)__builtin_dwarf_cfa());
        return;
    }
    if (!tick && count > 0) tick = sla_stamp_now(events[0].channel);
    for (size_t begin = 0, end = 0; begin < count; begin = end) {
        do end++;
        while (end < count && places[end].held.writer == places[begin].held.writer);
        write_all(&events[begin], &places[begin], end - begin, tick + begin);
    }
}
