#include "proto/wire/batch_cut.h"

#include <gtest/gtest.h>

namespace sla::wire {
namespace {

EventBatch five_rows() {
    EventBatch batch;
    batch.channel = ChannelId{3};
    batch.first_index = 100;
    for (const std::uint64_t tick : {10, 20, 20, 30, 40}) batch.add(tick, SLA_CODE_TICK_VALUE, tick * 2, 7);
    batch.texts.add(3, "thirty");
    batch.set_details(2, {11, 12});
    return batch;
}

TEST(BatchCut, KeepsRowsFromTheFirstTickToTheLastBothIncluded) {
    const EventBatch part = rows_between(five_rows(), 20, 30);
    EXPECT_EQ(part.ticks, (std::vector<std::uint64_t>{20, 20, 30}));
    EXPECT_EQ(part.values, (std::vector<std::uint64_t>{40, 40, 60}));
    EXPECT_EQ(part.codes.size(), 3u);
    EXPECT_EQ(part.threads.size(), 3u);
    EXPECT_EQ(part.channel, ChannelId{3});
    EXPECT_EQ(part.first_index, 101u);
    ASSERT_EQ(part.texts.size(), 1u);
    EXPECT_EQ(part.texts.position(0), 2u);
    EXPECT_EQ(part.texts[0], "thirty");
    EXPECT_EQ(part.details_of(1), (Details{11, 12}));
    EXPECT_EQ(part.details_of(0), Details{});
    EXPECT_EQ(rows_between(five_rows(), 30, 40).details[0].size(), 0u) << "of those behind none has any";
}

TEST(BatchCut, IsEmptyWhereNothingLies) {
    EXPECT_TRUE(rows_between(five_rows(), 21, 29).empty());
    EXPECT_TRUE(rows_between(five_rows(), 41, ~std::uint64_t{0}).empty());
    EXPECT_TRUE(rows_between(five_rows(), 30, 20).empty());
    EXPECT_TRUE(rows_between(EventBatch{}, 0, 50).empty());
    EXPECT_TRUE(rows_between(five_rows(), 21, 29).texts.empty());
}

TEST(BatchCut, LossesThatLastIntoAPartStandWhereItBeginsAndNobodyKnowsHowManyOfThemLieThere) {
    EventBatch batch = five_rows();
    const auto lose = [&batch](std::uint64_t tick, std::uint64_t until, LossCause cause) {
        batch.add(tick, SLA_CODE_GAP, 100, 8);
        batch.extras.push_back({static_cast<std::uint32_t>(batch.size() - 1), cause, until});
    };
    lose(41, 59, LossCause::kOverrun);  // over before
    lose(42, 60, LossCause::kTorn);
    lose(43, 0, LossCause::kDamaged);  // nobody knows until when
    lose(44, 90, LossCause::kOverrun);
    lose(60, 90, LossCause::kLate);  // in the part itself
    const EventBatch losses = losses_across(batch, 60);
    EXPECT_EQ(losses.channel, batch.channel);
    EXPECT_EQ(losses.ticks, (std::vector<std::uint64_t>{60, 60}));
    EXPECT_EQ(losses.codes, (std::vector<std::uint8_t>{SLA_CODE_GAP, SLA_CODE_GAP}));
    EXPECT_EQ(losses.values, (std::vector<std::uint64_t>{0, 0}));
    EXPECT_EQ(losses.threads, (std::vector<std::uint32_t>{8, 8}));
    ASSERT_EQ(losses.extras.size(), 2u);
    EXPECT_EQ(losses.extras[0].cause, LossCause::kTorn);
    EXPECT_EQ(losses.extras[0].until_tick, 60u);
    EXPECT_EQ(losses.extras[1].position, 1u);
    EXPECT_EQ(losses.extras[1].until_tick, 90u);
    EXPECT_TRUE(losses_across(batch, 91).empty());
}

}  // namespace
}  // namespace sla::wire
