// What is counted before the first look for an agent, and where it goes when that ends.
#include "tests/unit/agent/marker/agent_stub.h"
#include "tests/unit/agent/marker/own_process.h"

#include <fstream>
#include <memory>
#include <thread>
#include <vector>

extern "C" {
#include "agent/marker/internal.h"
}

SLA_CHANNEL(early_one, "early.first");
SLA_CHANNEL(early_other, "early.second");

namespace sla {
namespace {

void count_early(sla_channel* channel, int times) {
    for (int i = 0; i < times; i++) sla_early_count(channel);
}

// By name; null: no such channel is registered.
const sla_channel_descriptor* descriptor_named(const std::string& name) {
    for (std::uint32_t index = 1; index <= sla_segment()->channel_count; index++) {
        if (name == sla_descriptor(index)->name) return sla_descriptor(index);
    }
    return nullptr;
}

std::uint64_t lost_of(const std::string& name) {
    const sla_channel_descriptor* descriptor = descriptor_named(name);
    return descriptor == nullptr ? 0 : __atomic_load_n(&descriptor->lost_no_ring, __ATOMIC_ACQUIRE);  // as an agent does
}

TEST(EarlyTest, WhenAnAgentIsFoundItsChannelHasLostItWithinThatTime) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        const std::uint64_t before = sla_now();
        count_early(early_one, 3);
        count_early(early_other, 2);
        EXPECT_TRUE(sla_early_any());
        const std::uint64_t after = sla_now();
        ASSERT_EQ(sla_attach(), 1);
        EXPECT_FALSE(sla_early_any());
        EXPECT_EQ(lost_of("early.first"), 3u);
        EXPECT_EQ(lost_of("early.second"), 2u);
        EXPECT_EQ(sla_segment()->lost_without_ring, 5u);
        EXPECT_GE(descriptor_named("early.first")->lost_first_tick, before);
        EXPECT_LT(descriptor_named("early.first")->lost_first_tick, descriptor_named("early.first")->lost_last_tick);
        EXPECT_LE(descriptor_named("early.second")->lost_last_tick, after);
        SLA_TICK(early_one);
        EXPECT_EQ(early_one->own.next, 1u) << "recorded from here on";
    });
}

TEST(EarlyTest, WithoutAnAgentItIsForgottenAndTheOneThatComesLaterHearsOfNothing) {
    in_own_process([] {
        AgentStub agent;
        count_early(early_one, 3);
        ASSERT_EQ(sla_attach(), 0);
        EXPECT_FALSE(sla_early_any());
        SLA_TICK(early_one);
        agent.listen();
        ASSERT_TRUE(becomes_armed(early_one, SLA_ARMED_ON));
        SLA_TICK(early_one);
        EXPECT_EQ(lost_of("early.first"), 0u);
    });
}

TEST(EarlyTest, AMarkerThatCountsItselfAsTheLookEndsIsCountedOnce) {
    in_own_process([] {
        constexpr int kThreads = 4;
        constexpr int kTimes = 100'000;
        AgentStub agent;
        agent.listen();
        std::vector<std::thread> threads;
        for (int i = 0; i < kThreads; i++)
            threads.emplace_back([i] { count_early(i % 2 == 0 ? early_one : early_other, kTimes); });
        ASSERT_EQ(sla_attach(), 1);
        for (std::thread& thread : threads) thread.join();
        EXPECT_EQ(lost_of("early.first"), std::uint64_t{kThreads} / 2 * kTimes);
        EXPECT_EQ(lost_of("early.second"), std::uint64_t{kThreads} / 2 * kTimes);
        EXPECT_EQ(sla_segment()->lost_without_ring, std::uint64_t{kThreads} * kTimes);
    });
}

TEST(EarlyTest, AChannelThatIsUnloadedMeanwhileIsToldOfByItsName) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        auto channel = std::make_unique<sla_channel>();
        *channel = sla_channel{};
        channel->name = "early.unloaded";
        channel->format = "";
        count_early(channel.get(), 5);
        sla_channel_forget(channel.get());
        channel->name = "early.another";
        count_early(channel.get(), 2);
        ASSERT_EQ(sla_attach(), 1);
        EXPECT_EQ(lost_of("early.unloaded"), 5u);
        EXPECT_EQ(lost_of("early.another"), 2u) << "in its place in memory";
    });
}

TEST(EarlyTest, WhatIsOfTooManyChannelsIsCountedTogether) {
    in_own_process([] {
        constexpr std::size_t kMore = 3;
        AgentStub agent;
        agent.listen();
        std::vector<std::string> names(SLA_MAX_CHANNELS + kMore);
        std::vector<sla_channel> channels(names.size());
        for (std::size_t i = 0; i < names.size(); i++) {
            names[i] = "early." + std::to_string(i);
            channels[i].name = names[i].c_str();
            channels[i].format = "";
            count_early(&channels[i], 2);
        }
        ASSERT_EQ(sla_attach(), 1);
        EXPECT_EQ(sla_segment()->lost_no_channel, 2 * kMore);
        EXPECT_EQ(sla_segment()->lost_without_ring, 2 * names.size());
    });
}

TEST(EarlyTest, WhereTheTscIsNoClockItsTicksAreNotTold) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        std::ofstream(agent.directory() + "/agent.clock") << "raw\n";
        count_early(early_one, 3);
        ASSERT_EQ(sla_attach(), 1);
        EXPECT_EQ(lost_of("early.first"), 3u);
        EXPECT_EQ(descriptor_named("early.first")->lost_first_tick, 0u);
        EXPECT_EQ(descriptor_named("early.first")->lost_last_tick, 0u);
    });
}

TEST(EarlyTest, AChildDoesNotTellWhatItsParentMarked) {
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "the thread sanitizer's run-time does not survive a fork of a program with threads";
#endif
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        count_early(early_one, 3);
        in_own_process([] {
            ASSERT_EQ(sla_attach(), 1);
            EXPECT_EQ(lost_of("early.first"), 0u);
        });
        ASSERT_EQ(sla_attach(), 1);
        EXPECT_EQ(lost_of("early.first"), 3u);
    });
}

}  // namespace
}  // namespace sla
