// Rings that others take the place of, on a segment of the test's own and with no agent: the test asks, and reads, in its
// place.
#include <sla/marker.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

extern "C" {
#include "agent/marker/rings.h"
}

namespace sla {
namespace {

constexpr std::uint64_t kMax = std::uint64_t{64} << 20;

class RingTest : public testing::Test {
protected:
    RingTest() {
        EXPECT_TRUE(sla_segment_create());
        name_ = testing::UnitTest::GetInstance()->current_test_info()->name();
        channel_.name = name_.c_str();
        channel_.format = "";
        channel_.index = sla_register_channel(&channel_);
    }
    ~RingTest() override {
        if (writer_.ring) sla_close_ring(&writer_);
    }
    static void ask(sla_ring_header* ring, std::uint64_t bytes) { ring->wanted_bytes = bytes; }
    static std::uint32_t successor_of(const sla_ring_header* ring) { return static_cast<std::uint32_t>(ring->successor); }
    // As an agent that has read all that there is.
    static void read_all(sla_ring_header* ring) { ring->tail = ring->head; }
    void mark(int times) {
        channel_.own = writer_;
        channel_.armed = SLA_ARMED_ON;
        channel_.owner = channel_.direct = sla_self();
        sla_thread_table_make(0);
        for (int i = 0; i < times; i++) SLA_TICK(&channel_);
        writer_ = channel_.own;
        channel_.owner = 0;
        channel_.direct = SLA_DIRECT_NOBODY;
    }
    // The ring is full: its stamps are changed to that.
    void as_if_filled_within(std::uint64_t ticks) const {
        auto* slots = reinterpret_cast<sla_slot_plain*>(writer_.slots);
        slots[writer_.ring->head & writer_.mask].stamp = slots[(writer_.ring->head - 1) & writer_.mask].stamp - ticks;
    }
    static sla_ring_header* ring_numbered(std::uint32_t number) {
        return reinterpret_cast<sla_ring_header*>(reinterpret_cast<char*>(sla_segment()) + SLA_RING_OFFSET) + number;
    }

    std::string name_;
    sla_channel channel_{};
    sla_writer writer_{};
};

TEST_F(RingTest, NobodyAskedSoNothingChanges) {
    ASSERT_TRUE(sla_claim_ring(&channel_, SLA_WIDTH_PLAIN, &writer_));
    sla_ring_header* ring = writer_.ring;
    sla_grow_rings();
    sla_ring_follow(&writer_);
    EXPECT_EQ(writer_.ring, ring);
    EXPECT_EQ(successor_of(ring), 0u);
}

TEST_F(RingTest, TheWriterGoesOverToTheBiggerRingWhenItLooks) {
    ASSERT_TRUE(sla_claim_ring(&channel_, SLA_WIDTH_PLAIN, &writer_));
    sla_ring_header* old = writer_.ring;
    std::uint64_t bytes = old->arena_bytes;
    ask(old, bytes * 4);
    sla_grow_rings();
    EXPECT_EQ(writer_.ring, old) << "until it looks for room";
    sla_ring_follow(&writer_);
    ASSERT_NE(writer_.ring, old);
    EXPECT_EQ(old->state, static_cast<std::uint32_t>(SLA_RING_CLOSED));
    EXPECT_EQ(writer_.ring->state, static_cast<std::uint32_t>(SLA_RING_LIVE));
    EXPECT_EQ(writer_.ring->arena_bytes, bytes * 4);
    EXPECT_EQ(writer_.mask + 1, bytes * 4 / sizeof(sla_slot_plain));
    EXPECT_EQ(writer_.ring->channel, old->channel);
    EXPECT_EQ(writer_.ring->thread, old->thread);
    EXPECT_STREQ(writer_.ring->thread_name, old->thread_name);
    EXPECT_EQ(old->follows, 0u);
    EXPECT_EQ(writer_.ring->follows, 1u);
}

TEST_F(RingTest, GrowsByStepsUpToTheMostAndNotBeyond) {
    ASSERT_TRUE(sla_claim_ring(&channel_, SLA_WIDTH_WIDE, &writer_));
    for (int step = 0; step < 8; step++) {
        ask(writer_.ring, std::uint64_t{1} << 40);
        sla_grow_rings();
        sla_ring_follow(&writer_);
    }
    EXPECT_EQ(writer_.ring->arena_bytes, kMax);
    EXPECT_EQ(writer_.ring->width, static_cast<std::uint32_t>(SLA_WIDTH_WIDE));
}

TEST_F(RingTest, AChannelThatSaysItsSizeKeepsIt) {
    channel_.capacity = 64;
    ASSERT_TRUE(sla_claim_ring(&channel_, SLA_WIDTH_PLAIN, &writer_));
    ask(writer_.ring, kMax);
    sla_grow_rings();
    EXPECT_EQ(successor_of(writer_.ring), 0u);
}

TEST_F(RingTest, AFlightRecorderThatSaysItsSizeKeepsItAndNeverLooks) {
    channel_.policy = SLA_OVERWRITE;
    channel_.capacity = 64;
    ASSERT_TRUE(sla_claim_ring(&channel_, SLA_WIDTH_PLAIN, &writer_));
    sla_ring_header* ring = writer_.ring;
    ask(ring, kMax);
    sla_grow_rings();
    sla_stock_begin();
    mark(1000);
    EXPECT_EQ(successor_of(ring), 0u);
    EXPECT_EQ(writer_.ring, ring);
    EXPECT_EQ(ring->head, 1000u);
    EXPECT_EQ(writer_.limit, UINT64_MAX);
}

TEST_F(RingTest, AFlightRecorderThatNobodySizedGrowsToEightMebibytesAndOverwritesThere) {
    channel_.policy = SLA_OVERWRITE;
    ASSERT_TRUE(sla_claim_ring(&channel_, SLA_WIDTH_PLAIN, &writer_));
    for (int step = 0; step < 8; step++) {
        mark(1);
        ask(writer_.ring, kMax);
        sla_grow_rings();
        sla_ring_follow(&writer_);
    }
    EXPECT_EQ(writer_.ring->arena_bytes, std::uint64_t{8} << 20);
    sla_ring_header* ring = writer_.ring;
    mark(static_cast<int>(ring->capacity) * 2);
    EXPECT_EQ(writer_.ring, ring);
    EXPECT_EQ(writer_.limit, UINT64_MAX);
    EXPECT_EQ(ring->lost, 0u);
}

TEST_F(RingTest, AFirstRingIsSmallAndComesOutOfTheStock) {
    sla_stock_begin();
    const std::uint32_t rings = sla_segment()->ring_count;
    ASSERT_TRUE(sla_claim_ring(&channel_, SLA_WIDTH_TEXT, &writer_));
    EXPECT_EQ(sla_segment()->ring_count, rings) << "it was there already";
    EXPECT_EQ(writer_.ring->arena_bytes, SLA_FIRST_RING_BYTES);
    EXPECT_EQ(writer_.ring->capacity, SLA_FIRST_RING_BYTES / sizeof(sla_slot_text));
    EXPECT_EQ(writer_.ring->follows, 0u);
}

TEST_F(RingTest, AWriterWhoseRingIsFullGoesOnInTheNextOfTheStockAndLosesNothing) {
    sla_stock_begin();
    ASSERT_TRUE(sla_claim_ring(&channel_, SLA_WIDTH_PLAIN, &writer_));
    sla_ring_header* first = writer_.ring;
    const std::uint64_t opened = sla_segment()->rings_opened;
    mark(static_cast<int>(first->capacity));
    EXPECT_EQ(writer_.ring, first) << "the last slot is used";
    as_if_filled_within(100'000);
    mark(1);
    sla_ring_header* second = writer_.ring;
    ASSERT_NE(second, first);
    EXPECT_EQ(first->state, static_cast<std::uint32_t>(SLA_RING_CLOSED));
    EXPECT_EQ(second->state, static_cast<std::uint32_t>(SLA_RING_LIVE));
    EXPECT_EQ(second->follows, 1u);
    EXPECT_EQ(second->channel, first->channel);
    EXPECT_EQ(second->thread, first->thread);
    EXPECT_EQ(second->arena_bytes, SLA_BIG_SPARE_BYTES) << "it filled fast";
    EXPECT_EQ(sla_segment()->rings_opened, opened + 1);
    EXPECT_EQ(first->lost + second->lost, 0u);
}

TEST_F(RingTest, ARingThatFilledSlowlyIsFollowedByASmallOne) {
    sla_stock_begin();
    ASSERT_TRUE(sla_claim_ring(&channel_, SLA_WIDTH_PLAIN, &writer_));
    mark(static_cast<int>(writer_.ring->capacity));
    as_if_filled_within(10'000'000);
    mark(1);
    EXPECT_EQ(writer_.ring->follows, 1u);
    EXPECT_EQ(writer_.ring->arena_bytes, SLA_FIRST_RING_BYTES);
}

// A guest's time says nothing of how fast it is simulated.
TEST_F(RingTest, HowFastARingFilledIsMeasuredByTheMachinesTimeWhereStampsAreTheProgramsOwn) {
    sla_stock_begin();
    sla_own_clock(1);
    ASSERT_TRUE(sla_claim_ring(&channel_, SLA_WIDTH_PLAIN, &writer_));
    mark(static_cast<int>(writer_.ring->capacity));
    as_if_filled_within(100'000'000'000);
    mark(1);
    sla_own_clock(0);
    EXPECT_EQ(writer_.ring->follows, 1u);
    EXPECT_EQ(writer_.ring->arena_bytes, SLA_BIG_SPARE_BYTES);
}

TEST_F(RingTest, AWriterThatIsReadInTimeStaysWhereItIs) {
    sla_stock_begin();
    ASSERT_TRUE(sla_claim_ring(&channel_, SLA_WIDTH_PLAIN, &writer_));
    sla_ring_header* ring = writer_.ring;
    for (int round = 0; round < 10; round++) {
        mark(static_cast<int>(ring->capacity));
        read_all(ring);
    }
    EXPECT_EQ(writer_.ring, ring);
    EXPECT_EQ(ring->lost, 0u);
}

TEST_F(RingTest, WithAnEmptyStockAFullRingCountsWhatIsLostUntilTheStockIsFilled) {
    while (sla_stock_take_first() != nullptr) continue;
    ASSERT_TRUE(sla_claim_ring(&channel_, SLA_WIDTH_PLAIN, &writer_));
    sla_ring_header* first = writer_.ring;
    while (sla_stock_take(first, true) != nullptr) continue;
    mark(static_cast<int>(first->capacity) + 5);
    EXPECT_EQ(writer_.ring, first);
    EXPECT_EQ(first->lost, 5u);
    EXPECT_TRUE(sla_stock_fill());
    mark(1);
    EXPECT_NE(writer_.ring, first);
    EXPECT_EQ(first->lost, 5u);
    EXPECT_EQ(writer_.ring->lost, 0u);
}

TEST_F(RingTest, WhatAWriterLeftBehindIsUsedAgainAndTheArenaDoesNotGrow) {
    sla_stock_fill();
    ASSERT_TRUE(sla_claim_ring(&channel_, SLA_WIDTH_PLAIN, &writer_));
    std::uint64_t arena = 0;
    for (int round = 0; round < 200; round++) {
        sla_ring_header* old = writer_.ring;
        mark(static_cast<int>(old->capacity));
        as_if_filled_within(round % 3 == 0 ? 10'000 : 100'000'000'000);
        mark(1);
        ASSERT_NE(writer_.ring, old);
        read_all(old);
        sla_arena_give_back(old);  // as the agent does with an empty ring that is closed
        read_all(writer_.ring);
        sla_stock_fill();
        if (round == 10) arena = sla_segment()->arena_next;
    }
    EXPECT_EQ(sla_segment()->arena_next, arena);
}

TEST_F(RingTest, ASandboxedProgramsRingsGetTheSizeThatTheyMayNeed) {
    ASSERT_TRUE(sla_claim_ring(&channel_, SLA_WIDTH_PLAIN, &writer_));
    sla_rings_enter_sandbox();
    const std::uint32_t offered = successor_of(writer_.ring);
    ASSERT_NE(offered, 0u);
    EXPECT_GE(ring_numbered(offered - 1)->arena_bytes, std::uint64_t{1} << 20);
    mark(1);
    EXPECT_EQ(writer_.ring, ring_numbered(offered - 1));
}

TEST_F(RingTest, ARingOfferedToAWriterThatEndsIsFreeForOthers) {
    ASSERT_TRUE(sla_claim_ring(&channel_, SLA_WIDTH_PLAIN, &writer_));
    sla_ring_header* old = writer_.ring;
    ask(old, old->arena_bytes * 2);
    sla_grow_rings();
    ASSERT_NE(successor_of(old), 0u);
    sla_ring_header* offered = ring_numbered(successor_of(old) - 1);
    std::uint32_t free_before = sla_segment()->free_rings;
    sla_close_ring(&writer_);
    writer_ = {};
    EXPECT_EQ(old->state, static_cast<std::uint32_t>(SLA_RING_CLOSED));
    EXPECT_EQ(offered->state, static_cast<std::uint32_t>(SLA_RING_FREE));
    EXPECT_EQ(sla_segment()->free_rings, free_before + 1);
    sla_grow_rings();
    EXPECT_EQ(successor_of(old), SLA_NO_SUCCESSOR) << "a closed ring is not replaced again";
}

// The last: it leaves nothing of the budget to others in the same process.
TEST_F(RingTest, AllGrowthTogetherStaysWithinTheBudget) {
    const std::uint64_t budget = sla_growth_budget();
    ASSERT_GT(budget, 0u);
    ASSERT_LE(budget, std::uint64_t{384} << 20);
    std::uint64_t before = sla_segment()->arena_next;  // less than the budget is left, where tests ran before this one
    std::vector<sla_writer> writers(16);
    for (sla_writer& writer : writers) {
        ASSERT_TRUE(sla_claim_ring(&channel_, SLA_WIDTH_PLAIN, &writer));
        before += writer.ring->offset >= before ? writer.ring->arena_bytes : 0;
        for (int step = 0; step < 3; step++) {
            ask(writer.ring, kMax);
            sla_grow_rings();
            sla_ring_follow(&writer);
        }
    }
    EXPECT_LE(sla_segment()->arena_next - before, budget);
    EXPECT_LT(writers.back().ring->arena_bytes, kMax) << "the last of them find the budget spent";
    for (sla_writer& writer : writers) sla_close_ring(&writer);
}

}  // namespace
}  // namespace sla
