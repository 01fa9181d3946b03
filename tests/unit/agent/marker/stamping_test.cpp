// Channels that ask for ordered stamps: what they get, what the segment says of it, and that every way to mark follows it.
#include "proto/ring/segment_view.h"
#include "tests/unit/agent/marker/agent_stub.h"
#include "tests/unit/agent/marker/own_process.h"

#include <thread>

extern "C" {
#include "agent/marker/rings.h"
}

SLA_CHANNEL(usual, "stamping.usual");
SLA_CHANNEL_WITH(by_rdtscp, "stamping.rdtscp", "", SLA_DROP_NEWEST, 64, SLA_RDTSCP);
SLA_CHANNEL_WITH(by_fence, "stamping.fence", "", SLA_DROP_NEWEST, 0, SLA_LFENCE_RDTSC);

namespace sla {
namespace {

std::uint64_t tick_of(const sla_writer* writer, std::uint64_t position, std::size_t slot_bytes) {
    const unsigned char* slot = writer->slots + (position & writer->mask) * slot_bytes;
    return reinterpret_cast<const sla_slot_plain*>(slot)->stamp & SLA_TICK_MASK;
}

// As the agent gets it.
ring::SegmentView view_through(AgentStub& agent) {
    sla_hello hello{};
    auto view = ring::SegmentView::map(agent.accept(hello));
    EXPECT_TRUE(view.ok());
    agent.say(SLA_WELCOME_OK);
    return std::move(view).value();
}

TEST(StampingTest, WhatIsUnknownIsRdtscAndWhatTheProcessorLacksIsTheFence) {
    EXPECT_EQ(sla_stamping_for(SLA_RDTSC, true), unsigned{SLA_RDTSC});
    EXPECT_EQ(sla_stamping_for(SLA_RDTSCP, true), unsigned{SLA_RDTSCP});
    EXPECT_EQ(sla_stamping_for(SLA_RDTSCP, false), unsigned{SLA_LFENCE_RDTSC});
    EXPECT_EQ(sla_stamping_for(SLA_LFENCE_RDTSC, false), unsigned{SLA_LFENCE_RDTSC});
    EXPECT_EQ(sla_stamping_for(3, true), unsigned{SLA_RDTSC});
    EXPECT_EQ(sla_stamping_for(65535, true), unsigned{SLA_RDTSC});
}

TEST(StampingTest, TheMacroTakesACapacityWithAStampingAndWithout) {
    EXPECT_EQ(usual->stamping, SLA_RDTSC);
    EXPECT_EQ(by_rdtscp->stamping, SLA_RDTSCP);
    EXPECT_EQ(by_rdtscp->capacity, 64u);
    EXPECT_EQ(by_fence->stamping, SLA_LFENCE_RDTSC);
    EXPECT_EQ(by_fence->capacity, 0u);
}

TEST(StampingTest, TheSegmentSaysOfEachChannelHowItIsStampedAndWhatThatCosts) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        for (sla_channel* channel : {usual, by_rdtscp, by_fence}) EXPECT_EQ(sla_channel_prepare(channel), 1);
        for (int i = 0; i < 40; i++) sla_channel_prepare(sla_channel_open(("stamping." + std::to_string(i)).c_str()));
        sla_channel* late = sla_channel_open_stamped("stamping.late", "", SLA_DROP_NEWEST, 0, SLA_LFENCE_RDTSC);
        EXPECT_EQ(sla_channel_prepare(late), 1);
        const ring::SegmentView view = view_through(agent);
        EXPECT_EQ(view.channel(usual->index).stamping, SLA_RDTSC);
        EXPECT_EQ(view.channel(usual->index).section_ticks, 0u) << "the program's own holds";
        for (const sla_channel* ordered : {by_rdtscp, by_fence, late}) {
            EXPECT_EQ(view.channel(ordered->index).stamping, ordered->stamping);
            EXPECT_GT(view.channel(ordered->index).section_ticks, 0u);
            EXPECT_LT(view.channel(ordered->index).section_ticks, 1024u);
        }
        EXPECT_EQ(view.channel(late->index - 1).stamping, SLA_RDTSC) << "its neighbour";
    });
}

TEST(StampingTest, WhoRegistersANameFirstDecidesForAllOfThatName) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        sla_channel* first = sla_channel_open_stamped("stamping.usual", "", SLA_DROP_NEWEST, 0, SLA_LFENCE_RDTSC);
        EXPECT_EQ(sla_channel_prepare(first), 1);
        EXPECT_EQ(sla_channel_prepare(usual), 1);
        EXPECT_EQ(usual->index, first->index);
        EXPECT_EQ(usual->stamping, SLA_LFENCE_RDTSC);
        EXPECT_EQ(sla_channel_open("stamping.usual"), first);
    });
}

TEST(StampingTest, EveryWidthAndEveryThreadIsStampedByTheFunctionAndInOrder) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        const auto mark_all = [](sla_channel* channel) {
            std::uint64_t before = sla_now();
            for (int i = 0; i < 3; i++) {
                SLA_TICK(channel, i);
                sla_record_wide(channel, SLA_CODE_TICK_VALUE, 1, 2, 3);
                SLA_TEXT(channel, "word");
                const std::uint64_t after = sla_now();
                for (const auto width : {SLA_WIDTH_PLAIN, SLA_WIDTH_WIDE, SLA_WIDTH_TEXT}) {
                    const sla_writer* writer = sla_writer_of(channel, width, 0);
                    EXPECT_EQ(writer->ring->head, static_cast<std::uint64_t>(i + 1));
                    const std::uint64_t tick = tick_of(writer, static_cast<std::uint64_t>(i), sla_slot_bytes(width));
                    EXPECT_GE(tick, before);
                    EXPECT_LE(tick, after);
                    before = std::max(before, tick);
                }
            }
        };
        for (sla_channel* channel : {by_rdtscp, by_fence}) {
            mark_all(channel);
            EXPECT_EQ(channel->armed, std::uint32_t{SLA_ARMED_ORDERED});
            EXPECT_EQ(channel->direct, std::uintptr_t{SLA_DIRECT_NOBODY}) << "inline code stamps with RDTSC";
            EXPECT_EQ(channel->owner, sla_self());
            std::thread(mark_all, channel).join();
        }
    });
}

TEST(StampingTest, AFullRingAndAFilterCountAsOnAnyOtherChannel) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        for (int i = 0; i < 70; i++) SLA_TICK(by_rdtscp, i);
        EXPECT_EQ(by_rdtscp->own.ring->head, 64u);
        EXPECT_EQ(by_rdtscp->own.ring->lost, 6u);
        const ring::SegmentView view = view_through(agent);
        SLA_TICK(by_fence, 0);
        view.set_control(by_fence->index, {false, 0, SLA_COMPARE_GREATER, false, 5});
        agent.say(SLA_WELCOME_CONTROLS);
        ASSERT_TRUE(becomes_armed(by_fence, SLA_ARMED_FILTERED));
        for (int i = 0; i < 10; i++) SLA_TICK(by_fence, i);
        EXPECT_EQ(by_fence->own.ring->head, 5u) << "the first, and 6 to 9";
        EXPECT_EQ(by_fence->own.ring->filtered, 6u);
        view.set_control(by_fence->index, {});
        agent.say(SLA_WELCOME_CONTROLS);
        EXPECT_TRUE(becomes_armed(by_fence, SLA_ARMED_ORDERED));
    });
}

TEST(StampingTest, AChildAfterForkAsksAgain) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        SLA_TICK(by_fence);
        in_own_process([] {
            SLA_TICK(by_fence);
            EXPECT_EQ(by_fence->armed, std::uint32_t{SLA_ARMED_ORDERED});
            EXPECT_EQ(sla_registered_stamping(by_fence->index), unsigned{SLA_LFENCE_RDTSC});
        });
    });
}

TEST(StampingTest, AProgramWithAnotherClockThanTheTscSaysSoInsteadOfThat) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        sla_own_clock(1000);
        SLA_TICK(by_fence);
        sla_own_clock(1001);
        SLA_TICK(by_fence);
        EXPECT_EQ(by_fence->armed, std::uint32_t{SLA_ARMED_ORDERED});
        EXPECT_EQ(tick_of(&by_fence->own, 1, sizeof(sla_slot_plain)), 1001u);
        EXPECT_EQ(view_through(agent).channel(by_fence->index).stamping, SLA_RDTSC);
    });
}

TEST(StampingTest, TextsOfEveryLengthArriveWhole) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        const std::string all =
            "0123456789abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ .,;:- 0123456789 and once more to the end of "
            "it all";
        ASSERT_GE(all.size(), std::size_t{SLA_TEXT_BYTES});
        for (sla_channel* channel : {usual, by_fence}) {
            SLA_TEXT(channel, "first");
            const sla_writer* writer = sla_writer_of(channel, SLA_WIDTH_TEXT, 0);
            for (std::size_t bytes = 0; bytes <= SLA_TEXT_BYTES; bytes++) {
                const std::string text = all.substr(0, bytes);
                SLA_TEXT(channel, text.c_str());
                const auto* slot =
                    reinterpret_cast<const sla_slot_text*>(writer->slots) + ((writer->next - 1) & writer->mask);
                EXPECT_EQ(slot->bytes, bytes);
                EXPECT_EQ(std::string(slot->text, bytes), text);
            }
        }
    });
}

}  // namespace
}  // namespace sla
