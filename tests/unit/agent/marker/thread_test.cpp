// A thread's tables of writers, and what its end does with its rings.
#include <sla/marker.h>

#include <gtest/gtest.h>

#include <thread>

extern "C" {
#include "agent/marker/rings.h"
}

namespace sla {
namespace {

class ThreadTest : public testing::Test {
protected:
    ThreadTest() {
        EXPECT_TRUE(sla_segment_create());
        channel_.name = "thread.test";
        channel_.format = "";
        channel_.index = sla_register_channel(&channel_);
    }
    sla_channel channel_{};
};

TEST_F(ThreadTest, BeforeItsFirstMarkerAThreadFindsAWriterWithoutARing) {
    std::thread([&] {
        ASSERT_NE(sla_thread_table(0), nullptr);
        EXPECT_EQ(sla_writer_of(&channel_, SLA_WIDTH_PLAIN, 0)->ring, nullptr);
        EXPECT_EQ(sla_writer_of(&channel_, SLA_WIDTH_PLAIN, 0)->limit, 0u);
        EXPECT_EQ(sla_thread_filter_states(), nullptr);
        EXPECT_EQ(sla_thread_table(1), nullptr) << "deeper tables are made by handlers only";
    }).join();
}

TEST_F(ThreadTest, ATableIsMadeOnceAndOneForEachDepth) {
    std::thread([] {
        const sla_writer* table = sla_thread_table_make(0);
        ASSERT_NE(table, nullptr);
        EXPECT_EQ(sla_thread_table_make(0), table);
        EXPECT_EQ(sla_thread_table(0), table);
        EXPECT_NE(sla_thread_table_make(1), table);
        EXPECT_NE(sla_thread_filter_states(), nullptr);
    }).join();
}

TEST_F(ThreadTest, TheEndOfAThreadClosesTheRingsOfAllItsDepths) {
    sla_ring_header* rings[2] = {};
    std::thread([&] {
        for (int depth = 0; depth < 2; depth++) {
            ASSERT_NE(sla_thread_table_make(depth), nullptr);
            sla_writer* writer = sla_writer_of(&channel_, SLA_WIDTH_WIDE, depth);
            ASSERT_TRUE(sla_claim_ring(&channel_, SLA_WIDTH_WIDE, writer));
            rings[depth] = writer->ring;
            EXPECT_EQ(rings[depth]->state, static_cast<std::uint32_t>(SLA_RING_LIVE));
        }
    }).join();
    for (const sla_ring_header* ring : rings) EXPECT_EQ(ring->state, static_cast<std::uint32_t>(SLA_RING_CLOSED));
}

TEST_F(ThreadTest, TheOwnerIsFoundByItsOwnNameOnly) {
    sla_thread_table_make(0);
    channel_.owner = sla_self();
    EXPECT_EQ(sla_writer_of(&channel_, SLA_WIDTH_PLAIN, 0), &channel_.own);
    EXPECT_NE(sla_writer_of(&channel_, SLA_WIDTH_WIDE, 0), &channel_.own) << "wide events have rings of their own";
    std::thread([&] { EXPECT_NE(sla_writer_of(&channel_, SLA_WIDTH_PLAIN, 0), &channel_.own); }).join();
}

// A marker that a handler's siglongjmp left: its writer says so by the stack pointer that it was taken with.
class LeftBehindTest : public ThreadTest {
protected:
    LeftBehindTest() {
        sla_thread_table_make(0);
        channel_.capacity = 16;
        EXPECT_TRUE(sla_claim_ring(&channel_, SLA_WIDTH_PLAIN, &channel_.own));
        channel_.armed = SLA_ARMED_ON;
        channel_.owner = channel_.direct = sla_self();
        SLA_TICK(&channel_);
        EXPECT_EQ(channel_.own.ring->head, 1u);
    }
    // As it is between taking a writer and publishing.
    void leave(std::uintptr_t stack) {
        channel_.own.taken = stack;
        channel_.own.next = 2;
        channel_.own.ring->reserve = 2;
    }
};

TEST_F(LeftBehindTest, AMarkerInTheSameFrameTakesTheWriterBackAndCountsTheLoss) {
    sla_ring_header* ring = channel_.own.ring;
    leave(sla_stack());
    SLA_TICK(&channel_);
    EXPECT_EQ(channel_.own.taken, 0u);
    EXPECT_EQ(ring->lost, 1u);
    EXPECT_EQ(ring->lost_reported, 1u);
    EXPECT_EQ(ring->head, 3u) << "the event before, the gap, the event after";
    EXPECT_EQ(ring->reserve, ring->head);
    SLA_TICK(&channel_);
    EXPECT_EQ(ring->head, 4u);
    EXPECT_EQ(ring->lost, 1u);
}

TEST_F(LeftBehindTest, WhatWasPublishedBeforeTheJumpIsNoLoss) {
    sla_ring_header* ring = channel_.own.ring;
    leave(sla_stack());
    ring->head = 2;
    SLA_TICK(&channel_);
    EXPECT_EQ(ring->lost, 0u);
    EXPECT_EQ(ring->head, 3u);
}

TEST_F(LeftBehindTest, ItIsCountedWhereTheThreadEndsThen) {
    sla_ring_header* ring = channel_.own.ring;
    leave(sla_stack());
    sla_close_ring(&channel_.own);
    EXPECT_EQ(ring->lost, 1u);
    EXPECT_EQ(ring->head, 1u);
    EXPECT_EQ(ring->reserve, ring->head);
}

TEST_F(LeftBehindTest, AMarkerFarFromThereKeepsOff) {
    for (const std::intptr_t away : {-100'000, -4'000, 1'500, 100'000}) {
        leave(sla_stack() + static_cast<std::uintptr_t>(away));
        const std::uintptr_t taken = channel_.own.taken;
        sla_thread_table_make(1);
        sla_writer* deeper = sla_writer_of(&channel_, SLA_WIDTH_PLAIN, 1);
        if (deeper->ring == nullptr) {
            ASSERT_TRUE(sla_claim_ring(&channel_, SLA_WIDTH_PLAIN, deeper));
        }
        const std::uint64_t before = deeper->ring->head;
        SLA_TICK(&channel_);
        EXPECT_EQ(channel_.own.taken, taken) << away;
        EXPECT_EQ(channel_.own.ring->head, 1u) << away;
        EXPECT_EQ(deeper->ring->head, before + 1) << away;
    }
}

}  // namespace
}  // namespace sla
