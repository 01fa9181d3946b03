#include "tests/unit/viewer/store/random_lane.h"

#include <gtest/gtest.h>

namespace sla::store {
namespace {

LevelInterval slow_level(const Lane& lane, std::uint64_t from, std::uint64_t until) {
    LevelInterval interval;
    Level level = Level::kUnknown;
    std::uint64_t at = 0;
    const auto count = [&](std::uint64_t end) {
        const std::uint64_t begin = std::max(at, from);
        end = std::min(end, until);
        if (level == Level::kHigh && end > begin) interval.high_ticks += end - begin;
    };
    for (std::uint64_t i = 0; i < lane.size(); ++i) {
        const Event event = lane[i];
        count(event.tick);
        at = event.tick;
        if (event.code == SLA_CODE_LEVEL) level = event.value != 0 ? Level::kHigh : Level::kLow;
        if (event.code == SLA_CODE_GAP) level = Level::kUnknown;
        if (event.tick <= from) interval.at_start = level;
    }
    count(until);
    return interval;
}

TEST(LaneLevel, TimeSpentHighIsThatOfACountByHand) {
    Lane lane({});
    fill_random(lane, 21, 9000);
    std::mt19937_64 random(21);
    for (int round = 0; round < 300; ++round) {
        const std::uint64_t from = random() % (lane.last_tick() + 100);
        const std::uint64_t until = from + random() % (round % 2 == 0 ? 300 : lane.last_tick());
        const LevelInterval fast = lane.level_over(from, until);
        const LevelInterval slow = slow_level(lane, from, until);
        ASSERT_EQ(fast.high_ticks, slow.high_ticks) << from << ".." << until;
        ASSERT_EQ(fast.at_start, slow.at_start) << from;
    }
}

TEST(LaneLevel, IsUnknownBeforeTheFirstEventAndAfterALoss) {
    Lane lane({});
    wire::EventBatch batch;
    batch.add(10, SLA_CODE_LEVEL, 1, 1);
    batch.add(30, SLA_CODE_GAP, 5, 1);
    batch.add(50, SLA_CODE_LEVEL, 0, 1);
    lane.append(batch);
    EXPECT_EQ(lane.level_at(9), Level::kUnknown);
    EXPECT_EQ(lane.level_at(10), Level::kHigh);
    EXPECT_EQ(lane.level_at(30), Level::kUnknown);
    EXPECT_EQ(lane.level_at(50), Level::kLow);
    EXPECT_EQ(lane.level_over(0, 1000).high_ticks, 20u);
}

TEST(LaneLevel, StaysHighBehindTheLastEvent) {
    Lane lane({});
    wire::EventBatch batch;
    batch.add(10, SLA_CODE_LEVEL, 1, 1);
    lane.append(batch);
    EXPECT_EQ(lane.level_over(5, 110).high_ticks, 100u);
    EXPECT_EQ(lane.level_over(50, 50).high_ticks, 0u);
}

TEST(LaneLevel, ALaneWithoutLevelsHasNone) {
    Lane lane({});
    wire::EventBatch batch;
    batch.add(10, SLA_CODE_TICK, 0, 1);
    lane.append(batch);
    EXPECT_FALSE(lane.has_levels());
    EXPECT_EQ(lane.level_at(20), Level::kUnknown);
}

}  // namespace
}  // namespace sla::store
