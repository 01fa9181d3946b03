#include "agent/drain/channel_merge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace sla::drain {
namespace {

std::shared_ptr<Run> add_run(DrainedChannel& channel, const std::vector<std::uint64_t>& ticks, std::uint32_t thread) {
    auto run = std::make_shared<Run>(thread);
    for (std::uint64_t tick : ticks) run->add(tick, SLA_CODE_TICK, 0);
    channel.runs.push_back(run);
    return run;
}

constexpr std::size_t kPlentyOfRows = 1 << 20;

TEST(ChannelMerge, TakesEventsUpToTheWatermarkOnly) {
    DrainedChannel channel;
    auto run = add_run(channel, {1, 5, 9}, 1);
    wire::EventBatch out;
    EXPECT_TRUE(merge_up_to(5, kPlentyOfRows, channel, out));
    EXPECT_EQ(out.ticks, (std::vector<std::uint64_t>{1, 5}));
    EXPECT_EQ(channel.closed, 5u);
    EXPECT_EQ(run->size(), 1u);
}

TEST(ChannelMerge, EqualTicksKeepTheOrderOfTheRuns) {
    DrainedChannel channel;
    auto first = add_run(channel, {10, 10, 20}, 1);
    auto second = add_run(channel, {5, 10, 20, 20}, 2);
    auto third = add_run(channel, {10}, 3);
    wire::EventBatch out;
    EXPECT_TRUE(merge_up_to(100, kPlentyOfRows, channel, out));
    EXPECT_EQ(out.ticks, (std::vector<std::uint64_t>{5, 10, 10, 10, 10, 20, 20, 20}));
    EXPECT_EQ(out.threads, (std::vector<std::uint32_t>{2, 1, 1, 2, 3, 1, 2, 2}));
}

TEST(ChannelMerge, StopsWhenTheBatchIsFullAndGoesOnLater) {
    DrainedChannel channel;
    auto first = add_run(channel, {1, 3, 5}, 1);
    auto second = add_run(channel, {2, 4, 6}, 2);
    wire::EventBatch out;
    EXPECT_FALSE(merge_up_to(6, 4, channel, out));
    EXPECT_EQ(channel.closed, 0u) << "not closed while events wait";
    EXPECT_TRUE(merge_up_to(6, 4, channel, out));
    EXPECT_EQ(out.ticks, (std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6}));
}

TEST(ChannelMerge, RunsThatNobodyFeedsGoOnceTheyAreEmpty) {
    DrainedChannel channel;
    add_run(channel, {1, 2}, 1);
    auto fed = add_run(channel, {}, 2);
    wire::EventBatch out;
    EXPECT_TRUE(merge_up_to(1, kPlentyOfRows, channel, out));
    EXPECT_EQ(channel.runs.size(), 2u);
    EXPECT_TRUE(merge_up_to(2, kPlentyOfRows, channel, out));
    ASSERT_EQ(channel.runs.size(), 1u);
    EXPECT_EQ(channel.runs[0], fed);
}

TEST(ChannelMerge, AgreesWithAStableSortOnRandomRuns) {
    for (unsigned seed = 0; seed < 200; seed++) {
        std::mt19937 random(seed);
        DrainedChannel channel;
        std::vector<std::pair<std::uint64_t, std::uint32_t>> expected;
        std::vector<std::shared_ptr<drain::Run>> runs;
        for (std::uint32_t thread = 0; thread < 1 + random() % 6; thread++) {
            std::vector<std::uint64_t> ticks(random() % 50);
            for (std::uint64_t& tick : ticks) tick = random() % 60;
            std::sort(ticks.begin(), ticks.end());
            for (std::uint64_t tick : ticks) expected.emplace_back(tick, thread);
            runs.push_back(add_run(channel, ticks, thread));
        }
        std::stable_sort(expected.begin(), expected.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        wire::EventBatch out;
        for (std::uint64_t watermark = 0; watermark <= 60; watermark += random() % 15) {
            while (!merge_up_to(watermark, 1 + random() % 7, channel, out)) {
            }
        }
        while (!merge_up_to(1000, 1 + random() % 7, channel, out)) {
        }
        ASSERT_EQ(out.size(), expected.size());
        for (std::size_t i = 0; i < out.size(); i++) {
            ASSERT_EQ(std::pair(out.ticks[i], out.threads[i]), expected[i]) << "seed " << seed << " row " << i;
        }
    }
}

}  // namespace
}  // namespace sla::drain
