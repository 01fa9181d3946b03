// Rings that are replaced by bigger ones, on a segment of the test's own and with no agent: the test asks in its place.
#include <sla/marker.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

extern "C" {
#include "agent/marker/internal.h"
}

namespace sla {
namespace {

constexpr std::uint64_t kMost = std::uint64_t{64} << 20;

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
}

TEST_F(RingTest, GrowsByStepsUpToTheMostAndNotBeyond) {
    ASSERT_TRUE(sla_claim_ring(&channel_, SLA_WIDTH_WIDE, &writer_));
    for (int step = 0; step < 8; step++) {
        ask(writer_.ring, std::uint64_t{1} << 40);
        sla_grow_rings();
        sla_ring_follow(&writer_);
    }
    EXPECT_EQ(writer_.ring->arena_bytes, kMost);
    EXPECT_EQ(writer_.ring->width, static_cast<std::uint32_t>(SLA_WIDTH_WIDE));
}

TEST_F(RingTest, AChannelThatSaysItsSizeKeepsIt) {
    channel_.capacity = 64;
    ASSERT_TRUE(sla_claim_ring(&channel_, SLA_WIDTH_PLAIN, &writer_));
    ask(writer_.ring, kMost);
    sla_grow_rings();
    EXPECT_EQ(successor_of(writer_.ring), 0u);
}

TEST_F(RingTest, AFlightRecorderKeepsItsSize) {
    channel_.policy = SLA_OVERWRITE;
    ASSERT_TRUE(sla_claim_ring(&channel_, SLA_WIDTH_PLAIN, &writer_));
    ask(writer_.ring, kMost);
    sla_grow_rings();
    EXPECT_EQ(successor_of(writer_.ring), 0u);
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
    std::uint64_t before = sla_segment()->arena_next;
    std::vector<sla_writer> writers(16);
    for (sla_writer& writer : writers) {
        ASSERT_TRUE(sla_claim_ring(&channel_, SLA_WIDTH_PLAIN, &writer));
        before += writer.ring->offset >= before ? writer.ring->arena_bytes : 0;
        for (int step = 0; step < 3; step++) {
            ask(writer.ring, kMost);
            sla_grow_rings();
            sla_ring_follow(&writer);
        }
    }
    EXPECT_LE(sla_segment()->arena_next - before, budget);
    EXPECT_LT(writers.back().ring->arena_bytes, kMost) << "the last of them find the budget spent";
    for (sla_writer& writer : writers) sla_close_ring(&writer);
}

}  // namespace
}  // namespace sla
