// What is kept and given out of a source that makes up its time.
#include "tests/unit/agent/retain/filling.h"

namespace sla::retain {
namespace {

// A guest's time may be far from the machine's, on either side.
class OwnTimeRetention : public Filling {
protected:
    OwnTimeRetention() {
        wire::Frame frame;
        frame.mutable_notice()->set_text("a name");
        retention_.announce_channel({1}, "host", wire::encode_frame(frame), SourceId{1});
        retention_.set_own_time(SourceId{2});
        retention_.announce_channel({2}, "guest", wire::encode_frame(frame), SourceId{2});
    }
    static std::vector<Delivery> deliver(Retention& retention, Cursor& cursor, std::size_t bytes = 1 << 30) {
        std::vector<Delivery> out;
        retention.read(cursor, bytes, out);
        return out;
    }
    static std::vector<std::uint64_t> first_ticks(const std::vector<Delivery>& out, std::uint32_t channel) {
        std::vector<std::uint64_t> ticks;
        for (const Delivery& delivery : out) {
            if (delivery.facts.rows > 0 && delivery.facts.channel.value == channel)
                ticks.push_back(delivery.facts.first_tick);
        }
        return ticks;
    }
    Retention retention_{{}};
};

TEST_F(OwnTimeRetention, WhatIsOldGoesByTheNewestOfItsOwnTime) {
    retention_.limit_channel({1}, {.bytes = 1 << 20, .ticks = 100});
    retention_.limit_channel({2}, {.bytes = 1 << 20, .ticks = 100});
    for (const std::uint64_t tick : {1000, 1050, 1200}) append(retention_, 1, tick, 1);
    for (const std::uint64_t tick : {10, 50, 60, 150}) append(retention_, 2, tick, 1);
    retention_.expire(1300);
    Cursor cursor;
    const std::vector<Delivery> out = deliver(retention_, cursor);
    EXPECT_EQ(first_ticks(out, 1), (std::vector<std::uint64_t>{1000, 1200})) << "a gap and the newest";
    EXPECT_EQ(first_ticks(out, 2), (std::vector<std::uint64_t>{10, 50, 60, 150})) << "a gap, and 100 ticks of the guest";
}

TEST_F(OwnTimeRetention, OneAheadOfTheMachineKeepsNoMoreThanItShould) {
    retention_.limit_channel({2}, {.bytes = 1 << 20, .ticks = 100});
    for (const std::uint64_t tick : {5000, 5100, 5200, 5290}) append(retention_, 2, tick, 1);
    retention_.expire(1000);
    EXPECT_EQ(retention_.held({2}).rows, 2u);
    EXPECT_EQ(retention_.held({2}).own_now, 5290u);
}

TEST_F(OwnTimeRetention, TheNewestPartIsThatOfItsOwnTime) {
    for (const std::uint64_t tick : {1000, 1900, 1950}) append(retention_, 1, tick, 1);
    for (const std::uint64_t tick : {10, 50, 140}) append(retention_, 2, tick, 1);
    Cursor cursor;
    retention_.skip_older(cursor, 100, 2000);
    const std::vector<Delivery> out = deliver(retention_, cursor);
    EXPECT_EQ(first_ticks(out, 1), (std::vector<std::uint64_t>{1900, 1950}));
    EXPECT_EQ(first_ticks(out, 2), (std::vector<std::uint64_t>{50, 140}));
}

// Whoever wants all up to now must not take the watermark for the guest's word.
TEST_F(OwnTimeRetention, AWatermarkThatAReaderGetsStandsBehindAllThatCameBeforeIt) {
    retention_.set_watermark(100);
    append(retention_, 2, 9000, 2000);
    append(retention_, 1, 110, 2000);
    retention_.set_watermark(3000);
    append(retention_, 2, 12'000, 2000);
    retention_.set_watermark(4000);
    Cursor cursor;
    std::uint64_t guest_rows = 0;
    for (int round = 0; cursor.watermark < 4000; round++) {
        ASSERT_LT(round, 100);
        for (const Delivery& delivery : deliver(retention_, cursor, 100)) {
            if (delivery.facts.channel.value == 2) guest_rows += delivery.facts.rows;
        }
        EXPECT_TRUE(cursor.watermark < 3000 || guest_rows >= 2000u);
    }
    EXPECT_EQ(guest_rows, 4000u);
}

TEST_F(OwnTimeRetention, AGapIsWhereItsRowsWere) {
    retention_.limit_channel({2}, {.bytes = 2000, .ticks = 0});
    Cursor cursor;
    append(retention_, 2, 10, 10);
    retention_.set_watermark(1'000'000);
    deliver(retention_, cursor);
    for (std::uint64_t i = 1; i <= 100; i++) append(retention_, 2, 100 * i, 10);
    const std::vector<Delivery> out = deliver(retention_, cursor);
    wire::Frame frame;
    wire::EventBatch batch;
    ASSERT_TRUE(wire::parse_message(out[0].message(), frame));
    ASSERT_TRUE(wire::decode_batch(frame.batch(), batch).ok());
    ASSERT_EQ(batch.codes[0], SLA_CODE_GAP);
    EXPECT_EQ(batch.ticks[0], 19u) << "behind the last that it had: the machine's watermark says nothing about it";
    EXPECT_EQ(batch.extras[0].until_tick + 91, out[1].facts.first_tick);
}

// A program that is killed while its ring is full.
TEST_F(OwnTimeRetention, WhatEndsWithALossIsMissingAsLongAsThatLasts) {
    Cursor cursor;
    read(retention_, cursor);
    append(retention_, 2, 100);
    lose(retention_, 2, 200, 460, 7);
    append(retention_, 2, 300);
    retention_.end_source({2}, 1000);
    retention_.limit_total(1);
    ASSERT_EQ(retention_.take_retired().size(), 1u);
    EXPECT_FALSE(retention_.holds({450, 500, SourceId{2}}));
    EXPECT_TRUE(retention_.holds({461, 500, SourceId{2}}));
    EXPECT_EQ(read(retention_, cursor).gaps, (std::vector<GapRow>{{wire::LossCause::kLagged, 100, 460, 27}}));
}

TEST_F(OwnTimeRetention, AWindowIsNotWholeThoughTheLossInItIsFollowedByBatchesThatAnotherShotHolds) {
    retention_.limit_channel({2}, {.bytes = 1, .ticks = 0});
    lose(retention_, 2, 100, 900, 7);
    append(retention_, 2, 200);
    retention_.pin_shot(7, {200, 309, SourceId{2}});
    append(retention_, 2, 300);
    append(retention_, 2, 400);
    EXPECT_FALSE(retention_.holds({850, 860, SourceId{2}}));
    EXPECT_TRUE(retention_.holds({901, 960, SourceId{2}}));
}

}  // namespace
}  // namespace sla::retain
