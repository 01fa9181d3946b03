/* How inline code writes one event: what <sla/marker.h> is made of. Programs include that one.
 *
 *   channel ── direct == this thread ──► own ────────┐
 *           └─ else: table, offset ───► this thread's ├─► writer ──► ring's header, slots
 *
 *   off              one load, one branch
 *   the owner        RDTSC and some 25 instructions, of which 7 store
 *   another thread   3 loads and a jump more
 *   a literal        the same, and a store for each 8 bytes
 *
 * Where the processor runs other instructions beside RDTSC they cost nothing, elsewhere they add up; tests/bench/marker_bench
 * says which, as a ratio. */
#ifndef SLA_WRITE_H
#define SLA_WRITE_H

#include <sla/ring_abi.h>

#include <stddef.h>

#if !defined(__x86_64__) && !defined(SLA_DISABLE)
#error "sla/marker.h stamps with the x86-64 time-stamp counter; define SLA_DISABLE to build without markers"
#endif

/* Casts in either language's own words, so that no warning that a program asks for finds fault with this header. */
#ifdef __cplusplus
#define SLA_NOEXCEPT noexcept
#define SLA_NULL_ nullptr
#define SLA_CAST_(type, value) static_cast<type>(value)
#define SLA_ADDRESS_(type, value) reinterpret_cast<type>(value)
extern "C" {
#else
#define SLA_NOEXCEPT
#define SLA_NULL_ NULL
#define SLA_CAST_(type, value) ((type)(value))
#define SLA_ADDRESS_(type, value) ((type)(value))
#endif

/* What one thread needs to write one ring. limit == 0: the slow path must look; so a writer without a ring is all zero. */
struct sla_writer {
    uint64_t next;  /* the ring's head, kept where looking at it costs nothing */
    uint64_t limit; /* position at which the slow path must look: tail + capacity as last seen; UINT64_MAX: never */
    uint64_t mask;
    unsigned char* slots;
    struct sla_ring_header* ring;
    uint64_t taken; /* stack pointer of the marker that is at it just now: a signal handler's marker keeps off; 0: none */
};

/* Off: nobody listens. Filtered: the slow path decides whether a marker is wanted. Ordered: a function call stamps it. */
enum sla_armed { SLA_ARMED_OFF = 0, SLA_ARMED_ON = 1, SLA_ARMED_FILTERED = 2, SLA_ARMED_ORDERED = 3 };

/* What `direct` says where it is no thread's name: markers do nothing; nobody owns the channel, or all have to ask. */
enum sla_direct { SLA_DIRECT_OFF = 0, SLA_DIRECT_NOBODY = 1 };

/* A named stream of events. Make one with SLA_CHANNEL or sla_channel_open; the fields are the library's.
 *
 * The first thread that marks a channel owns it: its writer of plain events is in the channel itself, one load away. Other
 * threads' writers, and those of texts, are in a table of each thread's, three loads away. Inline code writes to both. */
typedef struct sla_channel {
    const char* name;
    const char* format;
    uintptr_t direct;  /* the owner, while its markers may write without asking; else of enum sla_direct */
    uintptr_t owner;   /* thread that owns `own`, as sla_self names it; 0: nobody yet */
    uint32_t armed;    /* enum sla_armed */
    uint32_t index;    /* of its descriptor, from 1; 0: not registered yet */
    uint32_t policy;   /* enum sla_policy */
    uint32_t capacity; /* slots a ring, 0: the library chooses */
    uint32_t offset;   /* of its plain writer in a thread's table, in bytes; there before `table` is */
    uint16_t listed;
    uint16_t stamping; /* enum sla_stamping; from its registration on as the segment says it */
    int64_t table; /* so far from sla_self, below it, a thread has the address of its table; from 0 on: ask the library */
    struct sla_writer own __attribute__((aligned(64))); /* apart from what all threads read */
    struct sla_channel* next;
} sla_channel;

/* See marker.h. */
void sla_text(sla_channel* channel, const char* text) SLA_NOEXCEPT;
void sla_text_bytes(sla_channel* channel, const char* text, size_t bytes) SLA_NOEXCEPT;

/* Everything that is not the common case: first use, nested in a signal handler, full ring, filters, ordered stamps. */
void sla_mark_asking(sla_channel* channel, enum sla_code code, uint64_t value) SLA_NOEXCEPT;

static inline __attribute__((always_inline)) int sla_on(const sla_channel* channel) {
    return __atomic_load_n(&channel->armed, __ATOMIC_RELAXED) != SLA_ARMED_OFF; /* pairs with nothing: a late view is fine */
}

#ifdef __x86_64__ /* to the end: elsewhere SLA_DISABLE leaves no marker that could need it */

/* This thread's name: the address of its control block, as the x86-64 ABI has it in the word at %fs:0. */
static inline __attribute__((always_inline)) uintptr_t sla_self(void) {
    uintptr_t self;
    __asm__ volatile("mov %%fs:0, %0" : "=r"(self)); /* a fibre may go on on another thread: never kept from before a call */
    return self;
}

static inline __attribute__((always_inline)) uintptr_t sla_stack(void) {
    uintptr_t stack;
    __asm__ volatile("mov %%rsp, %0" : "=r"(stack));
    return stack;
}

/* Whether this is not the calling thread's name. */
static inline __attribute__((always_inline)) int sla_is_not_self(uintptr_t name) {
#ifdef __GCC_ASM_FLAG_OUTPUTS__
    int differs;
    __asm__ volatile("cmpq %%fs:0, %1" : "=@ccne"(differs) : "r"(name)); /* volatile as in sla_self */
    return differs;
#else
    return name != sla_self();
#endif
}

/* The calling thread's writer of events of such a width, out of its table. `table` is the channel's, and below 0. */
static inline __attribute__((always_inline)) struct sla_writer* sla_table_writer(const sla_channel* channel, int64_t table,
                                                                                 enum sla_width width) {
    uintptr_t writer =
        __atomic_load_n(&channel->offset, __ATOMIC_RELAXED) + SLA_CAST_(uintptr_t, width) * sizeof(struct sla_writer);
    __asm__ volatile("addq %%fs:(%1), %0" : "+r"(writer) : "r"(table) : "cc"); /* volatile as in sla_self */
    return SLA_ADDRESS_(struct sla_writer*, writer);
}

/* The TSC, read as the channel has it; what asks for SLA_RDTSC by a constant is RDTSC alone. */
static inline __attribute__((always_inline)) uint64_t sla_read_tsc(unsigned stamping) {
    if (stamping == SLA_RDTSCP) {
        unsigned core;
        return __builtin_ia32_rdtscp(&core);
    }
    if (stamping == SLA_LFENCE_RDTSC) __builtin_ia32_lfence();
    return __builtin_ia32_rdtsc();
}

/* The first word of a slot, put together by halves: so no 64-bit constant is loaded. */
static inline __attribute__((always_inline)) uint64_t sla_stamp(enum sla_code code, unsigned stamping) {
    uint64_t low; /* the instruction clears what is above */
    uint32_t high;
    if (stamping == SLA_RDTSCP) {
        __asm__ volatile("rdtscp" : "=a"(low), "=d"(high) : : "rcx");
    } else {
        if (stamping == SLA_LFENCE_RDTSC) __builtin_ia32_lfence();
        __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    }
    high = (high & SLA_CAST_(uint32_t, SLA_TICK_MASK >> 32)) | SLA_CAST_(uint32_t, code) << (SLA_TICK_BITS - 32);
    return SLA_CAST_(uint64_t, high) << 32 | low;
}

/* Asks for a later slot, to be written: the agent's core has its cache line, or it was pushed out, and a store that waits for
 * a line holds up all behind it. Without this a marker costs up to twice as much. What lies past a ring's end is another's,
 * which does no harm; a processor that does not know PREFETCHW does nothing. */
#define SLA_FETCH_PLAIN 512
#define SLA_FETCH_TEXT 2048
static inline __attribute__((always_inline)) void sla_fetch_ahead(const void* slot, size_t bytes) {
    __asm__ volatile("prefetchw %0" : : "m"(*SLA_ADDRESS_(const char*, SLA_ADDRESS_(uintptr_t, slot) + bytes)));
}

/* Takes the writer for one event, when nothing is in the way: there is a free slot at *position, and it is reserved.
 *
 * From `taken = stack` to `taken = 0` a signal handler on this thread finds the writer taken and uses another. One that runs
 * before has published its event, and moved `next`, when this marker reads it. A handler that leaves by siglongjmp leaves
 * the writer taken; a later marker with the same stack pointer knows by that that nobody is at it (put.c). */
static inline __attribute__((always_inline)) int sla_begin_write(struct sla_writer* writer, struct sla_ring_header** ring,
                                                                 uint64_t* position) {
    if (__builtin_expect(__atomic_load_n(&writer->taken, __ATOMIC_RELAXED) != 0, 0)) return 0;
    __atomic_store_n(&writer->taken, sla_stack(), __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    *position = writer->next;
    if (__builtin_expect(*position >= writer->limit, 0)) {
        __atomic_store_n(&writer->taken, 0, __ATOMIC_RELAXED);
        return 0;
    }
    *ring = writer->ring;
    writer->next = *position + 1;
    __atomic_store_n(&(*ring)->reserve, *position + 1, __ATOMIC_RELAXED); /* before the slot, by the releases of its words */
    return 1;
}

/* Publishes what was written there, and lets go of the writer. */
static inline __attribute__((always_inline)) void sla_end_write(struct sla_writer* writer, struct sla_ring_header* ring,
                                                                uint64_t position) {
    __atomic_store_n(&ring->head, position + 1, __ATOMIC_RELEASE); /* pairs with RingReader's acquire of head */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(&writer->taken, 0, __ATOMIC_RELAXED);
}

/* Writes one event, when nothing is in the way. Its stores go to two shared cache lines and one of the thread's own. */
static inline __attribute__((always_inline)) int sla_write_stamped(struct sla_writer* writer, enum sla_code code,
                                                                   uint64_t value, unsigned stamping) {
    struct sla_ring_header* ring;
    uint64_t position;
    if (!sla_begin_write(writer, &ring, &position)) return 0;
    struct sla_slot_plain* slot =
        SLA_CAST_(struct sla_slot_plain*, SLA_CAST_(void*, writer->slots)) + (position & writer->mask);
    sla_fetch_ahead(slot, SLA_FETCH_PLAIN);
    uint64_t stamp = sla_stamp(code, stamping);
    __atomic_store_n(&slot->stamp, stamp, __ATOMIC_RELEASE); /* these two pair with the acquires of copy_slots: who sees */
    __atomic_store_n(&slot->value, value, __ATOMIC_RELEASE); /* a word of this event sees that its slot was reserved */
    sla_end_write(writer, ring, position);
    return 1;
}

static inline __attribute__((always_inline)) void sla_mark(sla_channel* channel, enum sla_code code, uint64_t value) {
    uintptr_t direct = __atomic_load_n(&channel->direct, __ATOMIC_RELAXED); /* late is fine: only the own name matters */
    if (direct == SLA_DIRECT_OFF) return;
    struct sla_writer* writer = &channel->own;
    if (__builtin_expect(sla_is_not_self(direct), 0)) {
        int64_t table = __atomic_load_n(&channel->table, __ATOMIC_ACQUIRE); /* pairs with arm's release: offset is there */
        if (__builtin_expect(table >= 0, 0)) {
            sla_mark_asking(channel, code, value);
            return;
        }
        writer = sla_table_writer(channel, table, SLA_WIDTH_PLAIN);
    }
    /* The address goes through a register: processors forward a store to a load at register + constant for nothing, but not
     * at an address relative to the instruction pointer. */
    __asm__("" : "+r"(writer));
    if (__builtin_expect(!sla_write_stamped(writer, code, value, SLA_RDTSC), 0)) sla_mark_asking(channel, code, value);
}

/* Literals up to this size are written by inline code: a constant and a store a word. */
#define SLA_INLINE_TEXT_BYTES 32

/* Words as copy_slots reads them, the last one filled up with zeros. Byte by byte, so that of a literal a constant is left. */
#define SLA_TEXT_BYTE_(text, bytes, at) \
    ((at) < (bytes) ? SLA_CAST_(uint64_t, SLA_CAST_(unsigned char, (text)[at])) << 8 * ((at) % 8) : 0)
#define SLA_TEXT_WORD_(text, bytes, at)                                                                                \
    (SLA_TEXT_BYTE_(text, bytes, at) | SLA_TEXT_BYTE_(text, bytes, (at) + 1) | SLA_TEXT_BYTE_(text, bytes, (at) + 2) | \
     SLA_TEXT_BYTE_(text, bytes, (at) + 3) | SLA_TEXT_BYTE_(text, bytes, (at) + 4) |                                   \
     SLA_TEXT_BYTE_(text, bytes, (at) + 5) | SLA_TEXT_BYTE_(text, bytes, (at) + 6) | SLA_TEXT_BYTE_(text, bytes, (at) + 7))

static inline __attribute__((always_inline)) void sla_fill_word(struct sla_slot_text* slot, size_t at, uint64_t word) {
    __atomic_store_n(SLA_CAST_(uint64_t*, SLA_CAST_(void*, slot->text + at)), word,
                     __ATOMIC_RELEASE); /* as in sla_write_stamped */
}

/* The same as sla_write_stamped for a literal: two loads and up to four stores more. */
static inline __attribute__((always_inline)) int sla_write_literal(struct sla_writer* writer, const char* text,
                                                                   size_t bytes) {
    struct sla_ring_header* ring;
    uint64_t position;
    if (!sla_begin_write(writer, &ring, &position)) return 0;
    struct sla_slot_text* slot =
        SLA_CAST_(struct sla_slot_text*, SLA_CAST_(void*, writer->slots)) + (position & writer->mask);
    sla_fetch_ahead(slot, SLA_FETCH_TEXT);
    uint64_t stamp = sla_stamp(SLA_CODE_TEXT, SLA_RDTSC);
    __atomic_store_n(&slot->stamp, stamp, __ATOMIC_RELEASE);
    __atomic_store_n(&slot->bytes, bytes, __ATOMIC_RELEASE);
    if (bytes > 0) sla_fill_word(slot, 0, SLA_TEXT_WORD_(text, bytes, 0));
    if (bytes > 8) sla_fill_word(slot, 8, SLA_TEXT_WORD_(text, bytes, 8));
    if (bytes > 16) sla_fill_word(slot, 16, SLA_TEXT_WORD_(text, bytes, 16));
    if (bytes > 24) sla_fill_word(slot, 24, SLA_TEXT_WORD_(text, bytes, 24));
    sla_end_write(writer, ring, position);
    return 1;
}

/* The compiler knows a literal's length; of other texts it does not ask for it. */
static inline __attribute__((always_inline)) void sla_mark_text(sla_channel* channel, const char* text) {
    size_t bytes = text ? __builtin_strlen(text) : 0;
    if (!text || !__builtin_constant_p(bytes)) {
        sla_text(channel, text);
        return;
    }
    int64_t table = __atomic_load_n(&channel->table, __ATOMIC_ACQUIRE); /* as in sla_mark */
    if (bytes > SLA_INLINE_TEXT_BYTES || __builtin_expect(table >= 0, 0) ||
        __builtin_expect(!sla_write_literal(sla_table_writer(channel, table, SLA_WIDTH_TEXT), text, bytes), 0)) {
        sla_text_bytes(channel, text, bytes);
    }
}

#endif /* __x86_64__ */

#ifdef __cplusplus
}
#endif

#endif
