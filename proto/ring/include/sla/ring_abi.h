/* The memory that a marked program shares with the agent: one C header, no logic, every size asserted.
 *
 * A program has one SEGMENT, a sealed memfd. All its offsets are from the segment's start.
 *
 *   0           SLA_CHANNEL_OFFSET      SLA_RING_OFFSET          SLA_ARENA_OFFSET              SLA_SEGMENT_BYTES
 *   ├─ segment ─┼─ channel descriptors ─┼─ ring headers ─────────┼─ arena: the slots of rings ─┤
 *   │ header    │ 4096 × 384 B          │ 262144 × 256 B         │ handed out from the front   │
 *
 * A RING belongs to one (channel, thread, width); its slots are all of one width, so that positions count EVENTS:
 *
 *   plain 16 B  │ stamp │ value │
 *   wide  32 B  │ stamp │ value │ detail 0 │ detail 1 │
 *   text 128 B  │ stamp │ bytes │ up to 112 bytes of UTF-8 │
 *
 *   stamp = code << 60 | tick          (2^60 ticks are 13 years at 2.7 GHz; of which clock: see sla_stamp_clock)
 *
 * Positions are 64-bit counters that never wrap; slot number = position & (capacity - 1).
 *
 *                 tail                       head   reserve
 *   ──────────────┼──────────────────────────┼──────┼──────────────────────────►
 *     read, free  │ published, not yet read  │ one  │ free
 *                                              event being written (reserve == head: nobody is writing)
 *
 *   drop-newest: the writer stays within tail + capacity; an event that finds no space adds 1 to `lost`. The next event
 *                that finds space is preceded by a slot of code GAP: value = `lost` so far, tick = first event lost.
 *   overwrite:   the writer looks at tail only to see whether it wants a bigger ring. A reader that copied positions
 *                [p, q) then reads `reserve` again: all below reserve - capacity may be torn, and are counted as lost.
 *
 * One event, in the writer's order (only its own thread writes; a signal handler on that thread that finds
 * reserve != head uses another ring of the same channel, so a ring's stamps never go backwards):
 *
 *   reserve = p + 1  →  RDTSC  →  slot  →  head = p + 1 (release; pairs with the reader's acquire of head)
 *
 * A ring begins small. One that is too small for its writer's rate is followed by others, so that nothing ever stands still
 * for it; rings that are CLAIMED, populated and nobody's yet lie ready for that:
 *
 *   A full      writer:         takes one of those, B; successor of A = its number + 1
 *   A filling   agent:          wanted_bytes = n, then a message
 *               attach thread:  makes a bigger one, B, CLAIMED and populated; successor of A = its number + 1
 *   then        writer:         when it next looks for space: B LIVE, rings_opened + 1, A CLOSED; only then the stamp
 *
 *   A ───full──► B ───full──► C ───filling──► D     each follows another: all in it is newer than what was in that one;
 *   32 KiB       32 KiB       1 MiB           4 MiB     the agent gives it back, FREE, when it is CLOSED and empty
 */
#ifndef SLA_RING_ABI_H
#define SLA_RING_ABI_H

#include <stdint.h>

#define SLA_SEGMENT_MAGIC 0x31474553414c53ull /* "SLASEG1" */
#define SLA_ABI_VERSION 1u

#define SLA_MAX_CHANNELS 4096u
#define SLA_MAX_RINGS 262144u
#define SLA_NAME_BYTES 256u  /* channel name, NUL included */
#define SLA_FORMAT_BYTES 32u /* formatter name, NUL included */
#define SLA_TEXT_BYTES 112u  /* text of one event, no NUL */
#define SLA_THREAD_NAME_BYTES 16u

#define SLA_TICK_BITS 60
#define SLA_TICK_MASK ((UINT64_C(1) << SLA_TICK_BITS) - 1)

/* What one slot says. The same numbers travel on the wire. */
enum sla_code {
    SLA_CODE_NONE = 0, /* never written */
    SLA_CODE_TICK = 1,
    SLA_CODE_TICK_VALUE = 2,
    SLA_CODE_BEGIN = 3,
    SLA_CODE_BEGIN_VALUE = 4,
    SLA_CODE_END = 5,
    SLA_CODE_END_VALUE = 6,
    SLA_CODE_LEVEL = 7, /* value 0 or 1 */
    SLA_CODE_VALUE_SIGNED = 8,
    SLA_CODE_VALUE_UNSIGNED = 9,
    SLA_CODE_VALUE_FLOAT = 10, /* the bits of an IEEE double */
    SLA_CODE_TEXT = 11,
    SLA_CODE_GAP = 15
};

enum sla_width { SLA_WIDTH_PLAIN = 0, SLA_WIDTH_WIDE = 1, SLA_WIDTH_TEXT = 2, SLA_WIDTH_COUNT = 3 };
enum sla_policy { SLA_DROP_NEWEST = 0, SLA_OVERWRITE = 1 };

enum sla_ring_state {
    SLA_RING_FREE = 0,    /* never used, or drained and given back by the agent */
    SLA_RING_CLAIMED = 1, /* a thread is filling in the description */
    SLA_RING_LIVE = 2,
    SLA_RING_CLOSED = 3 /* its thread ended; the agent drains it, then sets FREE */
};

/* The low half of `successor`: none yet, the number of a ring + 1, or this. */
#define SLA_NO_SUCCESSOR 0xffffffffu /* the writer is gone: offer nothing */

/* TSC ticks, or nanoseconds of CLOCK_MONOTONIC_RAW where the agent says that the TSC is no clock. OWN: ticks as long as
 * these, but of a time that the program makes up (a simulator's): never backwards, ahead of the present or behind it. */
enum sla_stamp_clock { SLA_STAMP_TSC = 0, SLA_STAMP_MONOTONIC_RAW = 1, SLA_STAMP_OWN = 2 };

/* Which instruction stamps a channel's markers, where stamps are the TSC's. RDTSC may be executed before what stands in front
 * of it has ended; the other two wait for that, and cost so much more. */
enum sla_stamping { SLA_RDTSC = 0, SLA_RDTSCP = 1, SLA_LFENCE_RDTSC = 2, SLA_STAMPING_COUNT = 3 };

enum sla_channel_state { SLA_CHANNEL_EMPTY = 0, SLA_CHANNEL_CLAIMED = 1, SLA_CHANNEL_READY = 2 };

struct sla_slot_plain {
    uint64_t stamp, value;
};
struct sla_slot_wide {
    uint64_t stamp, value, detail[2];
};
struct sla_slot_text {
    uint64_t stamp, bytes;
    char text[SLA_TEXT_BYTES];
};

/* Writer and reader fields are 128 bytes apart: two cache lines, since processors fetch lines in pairs. */
struct sla_ring_header {
    /* written by the marking thread only */
    uint64_t reserve;
    uint64_t head;
    uint64_t lost;            /* events dropped since the ring was claimed */
    uint64_t lost_first_tick; /* first event of the newest run of losses */
    uint64_t lost_reported;   /* `lost` as the newest GAP slot says it */
    uint64_t filtered;        /* events turned away by the channel's filter */
    uint64_t successor;       /* generation << 32 | what comes after this ring, see below; also by the attach thread */
    uint64_t most_bytes;      /* how big its successors may get; 0: they say their size themselves */
    uint64_t follows;         /* 1: it took another ring's place, and all in it is newer than what was in that one */
    uint64_t lost_last_tick;  /* newest event lost; 0: none, or the program does not say */
    uint64_t writer_pad[6];
    /* written by the agent only */
    uint64_t tail;
    uint64_t lost_accounted;     /* losses that an agent has put into its ledger: a new agent goes on from here */
    uint64_t filtered_accounted; /* the same of `filtered` */
    uint64_t wanted_bytes;       /* the agent sees the ring fill too fast, and asks for one of so many */
    uint64_t reader_pad[4];
    /* written once by the claiming thread, under CLAIMED; `state` by both sides as drawn above */
    uint32_t state;
    uint32_t channel;
    uint32_t thread;   /* kernel thread id */
    uint32_t width;    /* enum sla_width */
    uint32_t policy;   /* enum sla_policy */
    uint32_t capacity; /* slots, a power of two */
    uint64_t offset;   /* of the first slot */
    char thread_name[SLA_THREAD_NAME_BYTES];
    uint64_t arena_bytes; /* space behind offset; a later owner may cut it into slots of another width */
    uint64_t generation;  /* 1 for the first owner; positions and counts go on from owner to owner */
};

/* How a filter compares a marker's value. The same numbers travel on the wire. */
enum sla_compare {
    SLA_COMPARE_ANY = 0,
    SLA_COMPARE_LESS = 1,
    SLA_COMPARE_LESS_EQUAL = 2,
    SLA_COMPARE_GREATER = 3,
    SLA_COMPARE_GREATER_EQUAL = 4,
    SLA_COMPARE_EQUAL = 5,
    SLA_COMPARE_NOT_EQUAL = 6,
    SLA_COMPARE_INSIDE = 7 /* low .. high, both included */
};

/* What the agent wants of a channel's markers; all zero: everything. The agent writes it and then says so with a welcome of
 * status CONTROLS; the program clears it when the agent goes. */
struct sla_channel_control {
    uint32_t sequence; /* odd while the agent writes; a marker that runs into a change in progress keeps its event */
    uint16_t off;      /* 1: markers do nothing */
    uint16_t policy;   /* of rings claimed from now on: 0 the program's own, else 1 + enum sla_policy */
    uint32_t compare;  /* enum sla_compare, of the marker's value with: */
    uint32_t real;     /* 0: low and high are int64_t, 1: IEEE doubles */
    uint64_t low;
    uint64_t high;
    uint64_t every; /* of those that pass, keep every Nth of a thread; 0 and 1: all */
    /* written by the program: turned away where there was no ring to count it in */
    uint64_t filtered;
    uint64_t filtered_accounted; /* by the agent */
};

struct sla_channel_descriptor {
    uint32_t state;
    uint32_t policy;
    uint64_t lost_no_ring; /* events dropped because no ring could be had, or before the program had looked for an agent */
    uint64_t lost_first_tick; /* oldest of those that no agent has accounted for; the agent sets it to 0 */
    uint64_t lost_accounted;  /* of lost_no_ring, by an agent: a new agent goes on from here */
    char name[SLA_NAME_BYTES];
    char format[SLA_FORMAT_BYTES]; /* names the formatter of value and details; empty: none */
    struct sla_channel_control control;
    uint64_t lost_last_tick; /* newest of lost_no_ring; 0: none, or the program does not say */
};

struct sla_segment_header {
    uint64_t magic;
    uint32_t version;
    uint32_t pid;
    uint64_t segment_bytes;
    uint64_t start_time;      /* of the process, clock ticks since boot: with pid it names one process for ever */
    uint64_t arena_next;      /* first byte of the arena not handed out */
    uint32_t channel_count;   /* descriptors handed out, ever */
    uint32_t ring_count;      /* ring headers handed out, ever */
    uint32_t free_rings;      /* a hint: how many headers are FREE again */
    uint32_t source_kind;     /* enum sla_source_kind of marker.h */
    uint64_t lost_no_channel; /* events dropped because no descriptor was left */
    char program[256];        /* names the source for people */
    char command[1024];       /* its command line, words parted by spaces, cut to fit */
    uint32_t stamp_clock;     /* enum sla_stamp_clock: what every tick in here is of */
    uint32_t section_ticks;   /* width of an empty section, begin to end, as this program measured it; 0: not measured */
    /* The following are 0 in the segments of programs that do not know them. */
    uint64_t lost_without_ring; /* lost_no_channel, lost_unregistered and every channel's lost_no_ring together: says when to
                                   look at those */
    uint64_t no_channel_first_tick; /* as lost_first_tick of a channel, for lost_no_channel */
    uint64_t no_channel_last_tick;
    uint64_t attached_tick; /* when markers were last switched on because an agent was there; with SLA_ATTACHING: when the
                               agent was told, they come on now */
    uint64_t detached_tick; /* when they were switched off because it had gone; an agent that has put that on record sets it
                               to 0 */
    /* written by the agent only */
    uint64_t lost_no_channel_accounted; /* losses that an agent has put into its ledger: a new agent goes on from here */
    /* by the program again */
    uint64_t rings_opened; /* how often a ring has become LIVE: while it stands still there is none to be found */
    uint64_t
        stamping[SLA_MAX_CHANNELS / 32]; /* enum sla_stamping of every descriptor, 2 bits each, the first one's lowest */
    uint32_t ordered_section_ticks[2];   /* section_ticks of RDTSCP, of LFENCE;RDTSC; there before a channel says so above */
    uint64_t lost_unregistered;          /* events of channels without a descriptor, though one was left */
    uint64_t unregistered_first_tick;    /* as lost_first_tick of a channel, for lost_unregistered */
    uint64_t unregistered_last_tick;
    uint64_t lost_unregistered_accounted; /* as lost_no_channel_accounted; by the agent */
    char reserved[1624];
};

#define SLA_ATTACHING (UINT64_C(1) << 63)

#define SLA_CHANNEL_OFFSET UINT64_C(4096)
#define SLA_RING_OFFSET (SLA_CHANNEL_OFFSET + SLA_MAX_CHANNELS * sizeof(struct sla_channel_descriptor))
#define SLA_ARENA_OFFSET (SLA_RING_OFFSET + SLA_MAX_RINGS * sizeof(struct sla_ring_header))
#define SLA_ARENA_BYTES (UINT64_C(640) << 20) /* address space; memory is taken page by page as rings are claimed */
#define SLA_SEGMENT_BYTES (SLA_ARENA_OFFSET + SLA_ARENA_BYTES)

/* A program's only message to the agent, with the memfd attached (SCM_RIGHTS); the agent answers with one sla_welcome, and
 * sends another of status CONTROLS whenever it has changed channels' controls or asks for bigger rings. Either side closing
 * the socket ends the relation; the segment outlives it. */
#define SLA_HELLO_MAGIC 0x4f4c4c45484c53ull /* "SLHELLO" */
struct sla_hello {
    uint64_t magic;
    uint32_t version;
    uint32_t pid;
    uint64_t segment_bytes;
};

enum sla_welcome_status {
    SLA_WELCOME_OK = 0,
    SLA_WELCOME_VERSION = 1,
    SLA_WELCOME_REFUSED = 2,
    SLA_WELCOME_CONTROLS = 3 /* look again at the channels' controls and at what rings want */
};
struct sla_welcome {
    uint64_t magic;
    uint32_t version;
    uint32_t status; /* enum sla_welcome_status */
};

#ifdef __cplusplus
#define SLA_ABI_ASSERT(condition) static_assert(condition, #condition)
#else
#define SLA_ABI_ASSERT(condition) _Static_assert(condition, #condition)
#endif
SLA_ABI_ASSERT(sizeof(struct sla_slot_plain) == 16);
SLA_ABI_ASSERT(sizeof(struct sla_slot_wide) == 32);
SLA_ABI_ASSERT(sizeof(struct sla_slot_text) == 128);
SLA_ABI_ASSERT(sizeof(struct sla_ring_header) == 256);
SLA_ABI_ASSERT(sizeof(struct sla_channel_control) == 56);
SLA_ABI_ASSERT(sizeof(struct sla_channel_descriptor) == 384);
SLA_ABI_ASSERT(sizeof(struct sla_segment_header) == 4096);
SLA_ABI_ASSERT(SLA_ARENA_OFFSET % 4096 == 0);

#endif
