// Writer and reader at the same time, each in its thread: for the thread sanitizer, and for exact counts under pressure.
#include "proto/ring/ring_reader.h"
#include "tests/support/test_segment.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace sla::ring {
namespace {

using support::TestSegment;
using support::TestWriter;

constexpr std::uint64_t kEvents = 100'000;

struct Seen {
    std::uint64_t tick = 0;
    std::uint64_t value = 0;
};

struct Totals {
    std::vector<Seen> events;
    std::uint64_t lost = 0;
    bool in_order = true;
    std::uint64_t torn = 0;  // slots put together from two events
};

// What every further word of an event with this tick says; so a slot with words of two events shows.
std::uint64_t word_of(std::uint64_t tick, std::size_t word) {
    return (tick + word) * 0x9e3779b97f4a7c15U;
}

bool is_whole(const std::uint64_t* slot, std::size_t words) {
    const std::uint64_t tick = slot[0] & SLA_TICK_MASK;
    for (std::size_t word = 1; word < words; word++) {
        if (slot[word] != word_of(tick, word)) return false;
    }
    return true;
}

// Reads until the writer is done and everything is out; ticks must never go back.
Totals read_all(const SegmentView& view, std::uint32_t number, const std::atomic<bool>& done) {
    RingReader reader(view, number);
    EXPECT_TRUE(reader.open().ok());
    Totals totals;
    RingChunk chunk;
    std::uint64_t newest = 0;
    for (;;) {
        bool last = done.load();
        EXPECT_TRUE(reader.read(1 << 20, chunk).ok());
        totals.lost += chunk.overwritten + chunk.torn;
        for (std::size_t i = 0; i < chunk.count; i++) {
            const std::uint64_t* slot = chunk.words.data() + i * chunk.words_per_slot;
            if (slot[0] >> SLA_TICK_BITS == SLA_CODE_GAP) {
                totals.lost += reader.account(slot[1]);
                continue;
            }
            const Seen seen{slot[0] & SLA_TICK_MASK, slot[1]};
            totals.in_order &= seen.tick >= newest;
            newest = seen.tick;
            if (!is_whole(slot, chunk.words_per_slot)) totals.torn++;
            totals.events.push_back(seen);
        }
        if (last && chunk.drained) break;
    }
    totals.lost += reader.account(reader.dropped().total);
    return totals;
}

struct Ring {
    Ring(std::uint32_t capacity, sla_width width, sla_policy policy)
        : number(segment.add_ring(segment.add_channel("test"), capacity, width, policy)), view(segment.view()) {}
    // `write` marks kEvents times, on this thread, while another reads.
    template <typename Write>
    Totals race(Write write) {
        std::atomic<bool> done{false};
        Totals totals;
        std::thread reader([&] { totals = read_all(view, number, done); });
        {
            TestWriter writer(segment, number);
            write(writer.channel());
        }
        done = true;
        reader.join();
        return totals;
    }
    TestSegment segment;
    std::uint32_t number;
    SegmentView view;
};

// Through the inline marker, which stamps by itself: the stamp is looked up in the slot right after.
void race_markers(sla_policy policy, std::uint32_t capacity) {
    Ring ring(capacity, SLA_WIDTH_PLAIN, policy);
    const sla_ring_header& header = ring.segment.ring(ring.number);
    const auto* slots = reinterpret_cast<const sla_slot_plain*>(ring.segment.at(header.offset));
    std::vector<std::uint64_t> ticks(kEvents, 0);  // 0: the event was dropped
    const Totals totals = ring.race([&](sla_channel* channel) {
        for (std::uint64_t i = 0; i < kEvents; i++) {
            const std::uint64_t before = header.head;
            SLA_TICK(channel, i);
            if (header.head != before) ticks[i] = slots[(header.head - 1) & (capacity - 1)].stamp & SLA_TICK_MASK;
        }
    });
    EXPECT_EQ(totals.events.size() + totals.lost, kEvents) << "capacity " << capacity;
    EXPECT_TRUE(totals.in_order);
    std::uint64_t wrong = 0;
    for (const Seen& seen : totals.events) wrong += seen.value >= kEvents || ticks[seen.value] != seen.tick ? 1 : 0;
    EXPECT_EQ(wrong, 0u) << "slots with the stamp of one event and the value of another; capacity " << capacity;
}

void race_records(sla_policy policy, std::uint32_t capacity, sla_width width) {
    Ring ring(capacity, width, policy);
    const Totals totals = ring.race([&](sla_channel* channel) {
        for (std::uint64_t tick = 1; tick <= kEvents; tick++) {
            const bool wide = width == SLA_WIDTH_WIDE;
            sla_record_at(channel, SLA_CODE_TICK_VALUE, tick, word_of(tick, 1), wide ? word_of(tick, 2) : 0,
                          wide ? word_of(tick, 3) : 0);
        }
    });
    EXPECT_EQ(totals.events.size() + totals.lost, kEvents) << "capacity " << capacity;
    EXPECT_TRUE(totals.in_order);
    EXPECT_EQ(totals.torn, 0u) << "capacity " << capacity << ", width " << width;
}

TEST(RingThreads, DropNewestAccountsForEveryEventAndGivesOutNoTornOne) {
    for (std::uint32_t capacity : {2u, 16u, 1024u, 65536u}) {
        race_markers(SLA_DROP_NEWEST, capacity);
        for (sla_width width : {SLA_WIDTH_PLAIN, SLA_WIDTH_WIDE}) race_records(SLA_DROP_NEWEST, capacity, width);
    }
}

TEST(RingThreads, OverwriteAccountsForEveryEventAndGivesOutNoTornOne) {
    for (std::uint32_t capacity : {2u, 16u, 1024u}) {
        race_markers(SLA_OVERWRITE, capacity);
        for (sla_width width : {SLA_WIDTH_PLAIN, SLA_WIDTH_WIDE}) race_records(SLA_OVERWRITE, capacity, width);
    }
}

TEST(RingThreads, AWriterThatDiesHalfWayLeavesWhatItPublished) {
    TestSegment segment;
    std::uint32_t number = segment.add_ring(segment.add_channel("test"), 64);
    SegmentView view = segment.view();
    {
        TestWriter writer(segment, number);
        for (std::uint64_t i = 0; i < 10; i++) SLA_TICK(writer.channel(), i);
    }
    segment.ring(number).reserve = 11;  // as after the reservation, with a slot half written
    reinterpret_cast<std::uint64_t*>(segment.at(segment.ring(number).offset))[10 * 2] = 0x1234;
    std::atomic<bool> done{true};
    Totals totals = read_all(view, number, done);
    EXPECT_EQ(totals.events.size(), 10u);
    EXPECT_EQ(totals.lost, 0u);
}

}  // namespace
}  // namespace sla::ring
