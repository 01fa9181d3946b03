// What a reader learns of events that it does not get: how many, from when until when, and whether they were there for it.
#include "tests/unit/agent/retain/filling.h"

#include <algorithm>
#include <random>

namespace sla::retain {
namespace {

using wire::LossCause;

class MissingHistory : public Filling {
protected:
    // Of channel 1, batches at 100, 200 ... the newest three are held.
    void fill(std::uint64_t from, std::uint64_t until) {
        for (std::uint64_t tick = from; tick <= until; tick += 100) append(retention_, 1, tick);
        retention_.limit_channel({1}, {kThreeBatches, 0});
    }
    static constexpr std::uint64_t kThreeBatches = 800;
    Retention retention_{{}};
};

TEST_F(MissingHistory, WhatWentBeforeAReaderJoinedWasNotKeptAndItsIntervalIsExact) {
    announce(retention_, 1);
    fill(100, 1000);
    Cursor late;
    const Got got = read(retention_, late);
    ASSERT_EQ(got.ticks.front(), 800u);
    EXPECT_EQ(got.gaps, (std::vector<GapRow>{{LossCause::kNotKept, 100, 709, 70}}));
    EXPECT_EQ(late.not_kept, 70u);
    EXPECT_EQ(late.lagged, 0u);
    const GivenUp gone = retention_.held({1}).given_up;
    EXPECT_EQ(gone.rows, 70u);
    EXPECT_EQ(gone.first_tick, 100u);
    EXPECT_EQ(gone.last_tick, 709u);
}

TEST_F(MissingHistory, WhatCameSinceAReaderJoinedAndWentIsLostToThatReaderAlone) {
    announce(retention_, 1);
    append(retention_, 1, 100);
    Cursor slow;
    EXPECT_TRUE(read(retention_, slow).gaps.empty());
    fill(200, 1000);
    EXPECT_EQ(read(retention_, slow).gaps, (std::vector<GapRow>{{LossCause::kLagged, 109, 709, 60}}))
        << "right behind what it had";
    Cursor late;
    EXPECT_EQ(read(retention_, late).gaps, (std::vector<GapRow>{{LossCause::kNotKept, 100, 709, 70}}));
}

TEST_F(MissingHistory, AGapOverTheMomentOfJoiningIsTwo) {
    announce(retention_, 1);
    fill(100, 500);  // 300 to 500 are held
    Cursor cursor;
    std::vector<Delivery> first;
    retention_.read(cursor, 1, first);  // as much as it takes at once: the announcement only
    ASSERT_EQ(first.size(), 1u);
    EXPECT_EQ(read(retention_, cursor, 1).gaps, (std::vector<GapRow>{{LossCause::kNotKept, 100, 209, 20}}));
    fill(600, 1000);
    const Got got = read(retention_, cursor);
    EXPECT_EQ(got.gaps, (std::vector<GapRow>{{LossCause::kNotKept, 209, 509, 30}, {LossCause::kLagged, 509, 709, 20}}));
    EXPECT_EQ(got.ticks.front(), 800u);
    EXPECT_EQ(cursor.not_kept, 50u);
    EXPECT_EQ(cursor.lagged, 20u);
}

TEST_F(MissingHistory, AChannelThatAppearedWhileAReaderWasThereHasNoHistoryToIt) {
    Cursor cursor;
    EXPECT_TRUE(read(retention_, cursor).row_ticks.empty());
    announce(retention_, 1);
    fill(100, 1000);
    EXPECT_EQ(read(retention_, cursor).gaps, (std::vector<GapRow>{{LossCause::kLagged, 100, 709, 70}}));
}

TEST_F(MissingHistory, OfTheTimeThatAReaderDidNotAskForNothingIsMissing) {
    announce(retention_, 1);
    fill(100, 1000);
    Cursor cursor;
    retention_.skip_before(cursor, 720);
    const Got got = read(retention_, cursor);
    EXPECT_TRUE(got.gaps.empty()) << "all that went is older";
    EXPECT_EQ(got.ticks.front(), 800u);
}

// Of one channel: the first thread's ring is full for long, the other's rows fill batches meanwhile.
TEST_F(MissingHistory, ALossThatLastsIsThereForWhoJoinsInItThoughRowsOfOtherThreadsFollowIt) {
    Retention retention({});
    announce(retention, 1);
    append(retention, 1, 50);
    lose(retention, 1, 100, 500, 7);
    for (const std::uint64_t tick : {110, 210, 310}) append(retention, 1, tick);
    for (const std::uint64_t from : {400, 500}) {
        Cursor cursor;
        retention.skip_before(cursor, from);
        const Got got = read(retention, cursor);
        EXPECT_EQ(got.gaps, (std::vector<GapRow>{{LossCause::kOverrun, 100, 500, 7}})) << from;
    }
    append(retention, 1, 600);
    Cursor behind;
    retention.skip_before(behind, 501);
    const Got got = read(retention, behind);
    EXPECT_TRUE(got.gaps.empty());
    EXPECT_EQ(got.ticks.front(), 600u);
}

TEST_F(MissingHistory, OfTheTimeThatAReaderAskedForWhatWentIsReported) {
    announce(retention_, 1);
    fill(100, 1000);
    Cursor all_of_it;
    retention_.skip_before(all_of_it, 50);
    EXPECT_EQ(read(retention_, all_of_it).gaps, (std::vector<GapRow>{{LossCause::kNotKept, 100, 709, 70}}));
    Cursor part_of_it;
    retention_.skip_before(part_of_it, 450);
    EXPECT_EQ(read(retention_, part_of_it).gaps, (std::vector<GapRow>{{LossCause::kNotKept, 450, 709, 0}}))
        << "how many of them lie in that part nobody knows";
    EXPECT_EQ(part_of_it.lagged, 0u);
    fill(1100, 1800);
    EXPECT_EQ(read(retention_, part_of_it).gaps, (std::vector<GapRow>{{LossCause::kLagged, 1009, 1509, 50}}));
}

// A gap begins where its events were, so it comes before what other channels have from then on.
TEST_F(MissingHistory, GapsComeInTheOrderOfTimeOfAllChannels) {
    announce(retention_, 1);
    announce(retention_, 2);
    append(retention_, 2, 50);
    append(retention_, 2, 150);
    append(retention_, 2, 850);
    fill(100, 1000);
    retention_.set_watermark(2000);
    for (const std::size_t bytes : {std::size_t{1} << 30, std::size_t{1}}) {
        Cursor cursor;
        std::vector<std::uint64_t> ticks;
        std::uint64_t watermark = 0;
        while (watermark < 2000) {
            const Got got = read(retention_, cursor, bytes);
            for (const std::uint64_t tick : got.row_ticks) EXPECT_GT(tick, watermark);
            ticks.insert(ticks.end(), got.row_ticks.begin(), got.row_ticks.end());
            watermark = std::max(watermark, got.watermark);
        }
        EXPECT_EQ(ticks.size(), 30u + 30u + 1u);
        EXPECT_EQ(ticks[10], 100u) << "behind the ten from 50 on, before those from 150 on";
    }
}

// A reader of little pieces, of which much goes while it waits for its turn: every event comes or is in a gap, and no row lies
// at or below what was promised to be complete.
TEST_F(MissingHistory, OfManyChannelsInLittlePiecesWhileMuchGoesEveryEventIsAccountedFor) {
    constexpr std::uint32_t kChannels = 50;
    std::mt19937_64 random(27);
    Retention retention({.channel_bytes = 3000, .total_bytes = 60'000});
    for (std::uint32_t channel = 1; channel <= kChannels; channel++) announce(retention, channel);
    Cursor cursor;
    std::uint64_t offered = 0;
    std::uint64_t given = 0;
    std::uint64_t missed = 0;
    std::uint64_t watermark = 0;
    std::uint64_t tick = 1000;
    const auto read_some = [&](std::size_t bytes) {
        const Got got = read(retention, cursor, bytes);
        for (const std::uint64_t row : got.row_ticks) EXPECT_GT(row, watermark);
        for (const GapRow& gap : got.gaps) missed += gap.events;
        given += got.ticks.size();
        watermark = std::max(watermark, got.watermark);
    };
    for (int round = 0; round < 4000; round++) {
        const auto rows = static_cast<std::uint32_t>(1 + random() % 20);
        append(retention, static_cast<std::uint32_t>(1 + random() % kChannels), tick, rows);
        offered += rows;
        tick += rows + random() % 10;
        if (random() % 4 == 0) retention.set_watermark(tick - 1);
        if (random() % 3 == 0) read_some(1 + random() % 600);
    }
    retention.set_watermark(tick);
    while (watermark < tick) read_some(500);
    EXPECT_EQ(given + missed, offered);
    EXPECT_GT(given, 10'000u);
    EXPECT_GT(missed, 1000u);
    EXPECT_EQ(cursor.lagged, missed);
}

TEST_F(MissingHistory, WhoSkipsMayHaveTheNewestBatchOfEveryChannelForTheStateItIsIn) {
    announce(retention_, 1);
    announce(retention_, 2);
    append(retention_, 2, 150);
    append(retention_, 2, 250);
    for (std::uint64_t tick = 100; tick <= 1000; tick += 100) append(retention_, 1, tick);
    EXPECT_EQ(retention_.oldest_tick(), 100u);
    Cursor without;
    retention_.skip_before(without, 850);
    EXPECT_EQ(read(retention_, without).ticks.size(), 20u);
    Cursor with;
    retention_.skip_before(with, 850, Retention::Keep::kNewest);
    const Got got = read(retention_, with);
    EXPECT_EQ(got.ticks.size(), 30u);
    EXPECT_EQ(got.ticks.front(), 250u);
    EXPECT_EQ(got.ticks[10], 900u);
    EXPECT_TRUE(got.gaps.empty());
    retention_.limit_channel({1}, {kThreeBatches, 0});
    retention_.limit_channel({2}, {0, 0});
    EXPECT_EQ(retention_.oldest_tick(), 250u);
    EXPECT_EQ(Retention({}).oldest_tick(), std::nullopt);
}

// A batch may hold nothing but "here was no agent": rows, and no events.
TEST_F(MissingHistory, RowsThatStandForNoEventAreNotCounted) {
    announce(retention_, 1);
    for (std::uint64_t i = 0; i < 2; i++) {
        wire::EventBatch batch;
        batch.channel = {1};
        batch.first_index = i;
        batch.add(10 + i, SLA_CODE_GAP, 0, 0);
        batch.extras.push_back({0, LossCause::kNoAgent, 15});
        append(retention_, batch, 0);
    }
    append(retention_, 1, 100);
    retention_.limit_channel({1}, {0, 0});
    Cursor late;
    const Got got = read(retention_, late);
    EXPECT_EQ(got.gaps, (std::vector<GapRow>{{LossCause::kNotKept, 10, 15, 0}}));
    EXPECT_EQ(got.ticks.size(), 10u);
}

}  // namespace
}  // namespace sla::retain
