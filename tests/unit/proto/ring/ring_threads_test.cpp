// Writer and reader at the same time, each in its thread: for the thread sanitizer, and for exact counts under pressure.
#include "proto/ring/ring_reader.h"
#include "tests/support/test_segment.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace sla::ring {
namespace {

using support::TestSegment;
using support::TestWriter;

constexpr std::uint64_t kEvents = 300'000;

struct Totals {
    std::uint64_t events = 0;
    std::uint64_t lost = 0;
    bool in_order = true;
};

// Reads until the writer is done and everything is out; values must only ever grow.
Totals read_all(const SegmentView& view, std::uint32_t number, const std::atomic<bool>& done) {
    RingReader reader(view, number);
    EXPECT_TRUE(reader.open().ok());
    Totals totals;
    RingChunk chunk;
    std::uint64_t next = 0;
    for (;;) {
        bool last = done.load();
        EXPECT_TRUE(reader.read(1 << 20, chunk).ok());
        totals.lost += chunk.overwritten + chunk.torn;
        for (std::size_t i = 0; i < chunk.count; i++) {
            std::uint64_t value = chunk.words[i * 2 + 1];
            if (chunk.words[i * 2] >> SLA_TICK_BITS == SLA_CODE_GAP) {
                totals.lost += reader.book(value);
                continue;
            }
            totals.in_order &= value >= next;
            next = value + 1;
            totals.events++;
        }
        if (last && chunk.drained) break;
    }
    totals.lost += reader.book(reader.dropped().total);
    return totals;
}

Totals race(sla_policy policy, std::uint32_t capacity) {
    TestSegment segment;
    std::uint32_t number = segment.add_ring(segment.add_channel("test"), capacity, SLA_WIDTH_PLAIN, policy);
    SegmentView view = segment.view();
    std::atomic<bool> done{false};
    Totals totals;
    std::thread reader([&] { totals = read_all(view, number, done); });
    {
        TestWriter writer(segment, number);
        for (std::uint64_t i = 0; i < kEvents; i++) SLA_TICK(writer.channel(), i);
    }
    done = true;
    reader.join();
    return totals;
}

TEST(RingThreads, DropNewestAccountsForEveryEvent) {
    for (std::uint32_t capacity : {2u, 16u, 1024u, 65536u}) {
        Totals totals = race(SLA_DROP_NEWEST, capacity);
        EXPECT_EQ(totals.events + totals.lost, kEvents) << "capacity " << capacity;
        EXPECT_TRUE(totals.in_order);
    }
}

TEST(RingThreads, OverwriteAccountsForEveryEventAndGivesOutNoTornOne) {
    for (std::uint32_t capacity : {2u, 16u, 1024u}) {
        Totals totals = race(SLA_OVERWRITE, capacity);
        EXPECT_EQ(totals.events + totals.lost, kEvents) << "capacity " << capacity;
        EXPECT_TRUE(totals.in_order) << "a torn slot would show an older or a much newer value";
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
    EXPECT_EQ(totals.events, 10u);
    EXPECT_EQ(totals.lost, 0u);
}

}  // namespace
}  // namespace sla::ring
