#include "agent/retain/retention.h"

#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sla::retain {
namespace {

wire::Frame parse(const Delivery& delivery) {
    wire::Frame frame;
    EXPECT_TRUE(frame.ParseFromString(delivery.frame->substr(wire::kFrameHeaderBytes)));
    return frame;
}

std::string notice(const std::string& text) {
    wire::Frame frame;
    frame.mutable_notice()->set_text(text);
    return wire::encode_frame(frame);
}

constexpr Limits kSmall{.channel_bytes = 2000};

class RetentionTest : public testing::Test {
protected:
    // One batch of `rows` events from `tick` on; its values count the channel's events.
    void append(Retention& retention, std::uint32_t channel, std::uint64_t tick, std::uint32_t rows) {
        wire::EventBatch batch;
        batch.channel = {channel};
        batch.first_index = next_[channel];
        for (std::uint32_t i = 0; i < rows; i++) batch.add(tick + i, SLA_CODE_TICK_VALUE, next_[channel] + i, 1);
        wire::Frame frame;
        wire::encode_batch(batch, *frame.mutable_batch());
        retention.append({{channel}, batch.first_index, tick, tick + rows - 1, rows, rows}, wire::encode_frame(frame));
        next_[channel] += rows;
    }
    static std::vector<Delivery> read(Retention& retention, Cursor& cursor, std::size_t bytes = 1 << 30) {
        std::vector<Delivery> out;
        more_ = retention.read(cursor, bytes, out);
        return out;
    }

    // What a reader gets that has ticks 0 to 9 of a channel, and the watermark if it is not 0, and then missed most of what
    // came from tick 100 on.
    std::vector<Delivery> read_too_late(Retention& retention, Cursor& cursor, std::uint64_t watermark) {
        retention.announce_channel({1}, "a", notice("a"));
        append(retention, 1, 0, 10);
        retention.set_watermark(watermark);
        EXPECT_EQ(read(retention, cursor).size(), watermark > 0 ? 3U : 2U);
        for (int i = 1; i <= 100; i++) append(retention, 1, 100 * i, 10);
        return read(retention, cursor);
    }

    std::map<std::uint32_t, std::uint64_t> next_;
    static inline bool more_ = true;
};

TEST_F(RetentionTest, AReaderSeesAnnouncementsThenBatchesInTimeOrderThenTheWatermark) {
    Retention retention({});
    retention.announce_channel({1}, "a", notice("a"));
    retention.announce_channel({2}, "b", notice("b"));
    append(retention, 2, 50, 3);
    append(retention, 1, 10, 3);
    append(retention, 1, 60, 3);
    retention.set_watermark(70);
    Cursor cursor;
    std::vector<Delivery> out = read(retention, cursor);
    ASSERT_EQ(out.size(), 6u);
    EXPECT_EQ(parse(out[0]).notice().text(), "a");
    EXPECT_EQ(out[2].facts.first_tick, 10u);
    EXPECT_EQ(out[3].facts.first_tick, 50u);
    EXPECT_EQ(out[4].facts.first_tick, 60u);
    EXPECT_EQ(parse(out[5]).watermark().tick(), 70u);
    EXPECT_TRUE(read(retention, cursor).empty()) << "nothing twice";
}

TEST_F(RetentionTest, AReaderThatWasTooSlowGetsAnExactGap) {
    Retention retention(kSmall);
    Cursor cursor;
    std::vector<Delivery> out = read_too_late(retention, cursor, 0);
    wire::Frame gap = parse(out[0]);
    wire::EventBatch batch;
    ASSERT_TRUE(wire::decode_batch(gap.batch(), batch).ok());
    ASSERT_EQ(batch.codes[0], SLA_CODE_GAP);
    EXPECT_EQ(batch.extras[0].cause, wire::LossCause::kLagged);
    EXPECT_EQ(batch.ticks[0], 9u) << "right behind the last event it saw";
    EXPECT_EQ(batch.extras[0].until_tick + 91, out[1].facts.first_tick) << "the last event of the batch before";
    std::uint64_t delivered = 0;
    for (std::size_t i = 1; i < out.size(); i++) delivered += out[i].facts.rows;
    EXPECT_EQ(batch.values[0] + delivered, 1000u);
    EXPECT_EQ(cursor.lagged, batch.values[0]);
    EXPECT_LE(retention.held_bytes(), 2000u + 400u);
}

TEST_F(RetentionTest, OneSlowReaderCostsTheOthersNothing) {
    Retention retention(kSmall);
    retention.announce_channel({1}, "a", notice("a"));
    Cursor slow;
    Cursor quick;
    std::uint64_t seen = 0;
    for (int i = 0; i < 50; i++) {
        append(retention, 1, 100 * i, 10);
        for (const Delivery& delivery : read(retention, quick)) seen += delivery.facts.rows;
    }
    EXPECT_EQ(seen, 500u);
    EXPECT_EQ(quick.lagged, 0u);
    read(retention, slow);
    EXPECT_GT(slow.not_kept, 0u);
    EXPECT_EQ(slow.lagged, 0u) << "it was not there when they came";
}

// A storm: what waits to be ordered takes more than all of the limit, for a moment.
TEST_F(RetentionTest, TheNewestStayWhateverCountsBeside) {
    Limits limits;
    limits.total_bytes = 40'000;
    Retention retention(limits);
    for (std::uint32_t channel = 1; channel <= 2; channel++) retention.announce_channel({channel}, "c", notice("c"));
    retention.count_beside({.open_batches = 1'000'000, .programs = 1'000'000});
    for (int i = 0; i < 200; i++) append(retention, 1 + i % 2, 100 + 100 * i, 50);
    EXPECT_LE(retention.held_bytes(), limits.total_bytes / 4 + 1000);
    EXPECT_GT(retention.held_bytes(), limits.total_bytes / 4 - 1000);
    Cursor cursor;
    std::uint64_t newest = 0;
    std::uint64_t rows = 0;
    for (const Delivery& delivery : read(retention, cursor)) {
        newest = std::max(newest, delivery.facts.last_tick);
        rows += delivery.facts.rows;
    }
    EXPECT_EQ(newest, 100 + 100 * 199 + 49u) << "the newest are what is kept";
    EXPECT_GT(rows, 100u);
    retention.count_beside({});
    for (int i = 200; i < 400; i++) append(retention, 1 + i % 2, 100 + 100 * i, 50);
    EXPECT_GT(retention.held_bytes(), limits.total_bytes / 2) << "and when it is over, all that fits";
}

TEST_F(RetentionTest, OverTheTotalTheBiggestChannelGives) {
    Limits limits;
    limits.total_bytes = 20'000;
    Retention retention(limits);
    retention.announce_channel({1}, "small", notice("a"));
    retention.announce_channel({2}, "big", notice("b"));
    append(retention, 1, 1, 10);
    for (int i = 0; i < 500; i++) append(retention, 2, 10 * i, 10);
    EXPECT_LE(retention.held_bytes(), 20'000u);
    EXPECT_EQ(retention.held({1}).rows, 10u);
    EXPECT_LT(retention.held({2}).rows, 5000u);
}

// As a reading of the clock that comes behind the last batch.
TEST_F(RetentionTest, ForWhatIsAnnouncedTheBiggestChannelGivesAtOnce) {
    Limits limits;
    limits.total_bytes = 20'000;
    Retention retention(limits);
    retention.announce_channel({1}, "big", notice("a"));
    for (int i = 0; i < 500; i++) append(retention, 1, 10 * i, 10);
    for (int i = 0; i < 20; i++) {
        retention.announce(notice("a reading of the clock"));
        EXPECT_LE(retention.counted_bytes(), 20'000u) << i;
    }
}

TEST_F(RetentionTest, ChannelsThatAreNotWantedAreNotDelivered) {
    Retention retention({});
    retention.announce_channel({1}, "wanted", notice("a"));
    retention.announce_channel({2}, "other", notice("b"));
    append(retention, 1, 1, 5);
    append(retention, 2, 1, 5);
    Cursor cursor;
    cursor.wants = [](const std::string& name) { return name == "wanted"; };
    std::uint64_t rows = 0;
    for (const Delivery& delivery : read(retention, cursor)) rows += delivery.facts.rows;
    EXPECT_EQ(rows, 5u);
}

TEST_F(RetentionTest, SkippingHistoryLeavesOnlyWhatComes) {
    Retention retention({});
    retention.announce_channel({1}, "a", notice("a"));
    append(retention, 1, 1, 5);
    Cursor cursor;
    retention.skip_before(cursor, Retention::kAllHistory);
    append(retention, 1, 10, 7);
    std::uint64_t rows = 0;
    for (const Delivery& delivery : read(retention, cursor)) rows += delivery.facts.rows;
    EXPECT_EQ(rows, 7u);
    EXPECT_EQ(cursor.lagged + cursor.not_kept, 0u);
}

// Beside the same, how far it has everything: a reader that never catches up could show nothing otherwise.
TEST_F(RetentionTest, ReadingInSmallPiecesGivesTheSameAsAllAtOnceAndSaysHowFarItIsComplete) {
    Retention retention({});
    retention.announce_channel({1}, "a", notice("a"));
    retention.announce_channel({2}, "b", notice("b"));
    for (int i = 0; i < 20; i++) {
        append(retention, 1, 10 * i, 3);
        append(retention, 2, 10 * i + 5, 3);
    }
    retention.set_watermark(1000);
    retention.set_status(notice("status"));
    retention.finish(notice("end"));
    Cursor whole;
    std::vector<Delivery> expected = read(retention, whole);
    EXPECT_FALSE(more_);
    Cursor cursor;
    std::vector<Delivery> pieces;
    do {
        for (Delivery& delivery : read(retention, cursor, 100)) pieces.push_back(std::move(delivery));
    } while (more_);
    const auto is_watermark = [](const Delivery& delivery) { return parse(delivery).has_watermark(); };
    std::uint64_t reported = 0;
    for (const Delivery& delivery : pieces) {
        EXPECT_TRUE(delivery.facts.rows == 0 || delivery.facts.first_tick > reported || reported == 0);
        if (!is_watermark(delivery)) continue;
        EXPECT_GT(parse(delivery).watermark().tick(), reported);
        reported = parse(delivery).watermark().tick();
    }
    EXPECT_EQ(reported, 1000U);
    EXPECT_GT(std::count_if(pieces.begin(), pieces.end(), is_watermark), 10);
    // The status comes as soon as there is one, not behind everything.
    const auto status =
        std::find_if(pieces.begin(), pieces.end(), [](const Delivery& one) { return *one.frame == notice("status"); });
    EXPECT_LE(status - pieces.begin(), 4);
    const auto sorted = [&](std::vector<Delivery> of) {
        std::vector<std::string> frames;
        for (const Delivery& delivery : of) {
            if (!is_watermark(delivery)) frames.push_back(*delivery.frame);
        }
        std::stable_partition(frames.begin(), frames.end(), [](const std::string& f) { return f != notice("status"); });
        return frames;
    };
    EXPECT_EQ(sorted(pieces), sorted(expected));
}

// What a reader was promised to have all of stays so: what it misses later lies behind that.
TEST_F(RetentionTest, AGapLiesBehindWhatTheReaderWasPromisedToHave) {
    Retention retention(kSmall);
    Cursor cursor;
    const std::vector<Delivery> out = read_too_late(retention, cursor, 50);
    ASSERT_FALSE(out.empty());
    EXPECT_GT(cursor.lagged, 0U);
    EXPECT_EQ(out[0].facts.first_tick, 51U);
}

TEST_F(RetentionTest, OnlyTheNewestStatusIsDelivered) {
    Retention retention({});
    retention.set_status(notice("old"));
    retention.set_status(notice("new"));
    Cursor cursor;
    cursor.batches = false;
    std::vector<Delivery> out = read(retention, cursor);
    ASSERT_EQ(out.size(), 1u);
    EXPECT_EQ(parse(out[0]).notice().text(), "new");
}

TEST_F(RetentionTest, WhatIsOlderThanItsChannelsTimeGoesAndStaysCounted) {
    Retention retention({});
    retention.announce_channel({1}, "timed", notice("a"));
    retention.announce_channel({2}, "untimed", notice("b"));
    retention.limit_channel({1}, {std::uint64_t{1} << 30, 1000});
    for (int i = 0; i < 100; i++) {
        append(retention, 1, 100 * i, 10);
        append(retention, 2, 100 * i, 10);
    }
    retention.expire(10'000);
    EXPECT_EQ(retention.held({2}).rows, 1000u);
    EXPECT_EQ(retention.held({1}).rows, 100u) << "batches that end at tick 9000 or later";
    EXPECT_EQ(retention.held({1}).first_tick, 9000u);
    EXPECT_EQ(retention.held({1}).cut_tick, 0u) << "time took them, not want of room";
    Cursor cursor;
    std::uint64_t lost = 0;
    for (const Delivery& delivery : read(retention, cursor)) {
        if (delivery.facts.channel.value == 1 && delivery.facts.rows == 1) lost += delivery.facts.offered;
    }
    EXPECT_EQ(lost, 900u);
}

TEST_F(RetentionTest, TheNewestBatchOfAQuietChannelStays) {
    Retention retention({});
    retention.announce_channel({1}, "quiet", notice("a"));
    retention.limit_channel({1}, {0, 10});
    append(retention, 1, 1, 5);
    append(retention, 1, 20, 5);
    retention.expire(1'000'000);
    EXPECT_EQ(retention.held({1}).rows, 5u);
    EXPECT_EQ(retention.held({1}).first_tick, 20u);
}

TEST_F(RetentionTest, WantOfSpaceIsReportedWithTheNewestTickItTook) {
    Retention retention({});
    retention.announce_channel({1}, "a", notice("a"));
    for (int i = 0; i < 100; i++) append(retention, 1, 100 * i, 10);
    std::uint64_t all = retention.held({1}).bytes;
    retention.limit_channel({1}, {all / 2, 0});
    EXPECT_LE(retention.held({1}).bytes, all / 2);
    EXPECT_EQ(retention.held({1}).cut_tick + 91, retention.held({1}).first_tick) << "the batch right before the oldest held";
    retention.limit_total(all / 4);
    EXPECT_LE(retention.held_bytes(), all / 4);
}

TEST_F(RetentionTest, SkippingToATickBeginsWithTheBatchThatReachesItAndLosesNothing) {
    Retention retention({});
    retention.announce_channel({1}, "a", notice("a"));
    retention.announce_channel({2}, "silent since", notice("b"));
    append(retention, 2, 1, 5);
    for (int i = 0; i < 10; i++) append(retention, 1, 100 * i, 10);
    Cursor cursor;
    retention.skip_before(cursor, 505);
    std::vector<Delivery> out = read(retention, cursor);
    std::uint64_t rows = 0;
    for (const Delivery& delivery : out) rows += delivery.facts.rows;
    EXPECT_EQ(rows, 50u) << "the batch 500..509 reaches tick 505";
    EXPECT_EQ(out[2].facts.first_tick, 500u);
    EXPECT_EQ(cursor.lagged, 0u);
}

// Dropping must not get slower with the number of channels: who holds most is found among 2000 as among two.
TEST_F(RetentionTest, AmongVeryManyChannelsThoseThatHoldMostGive) {
    Limits limits;
    limits.total_bytes = 2'000'000 + 2000 * (Retention::kChannelBytes + kFrameOverhead);
    Retention retention(limits);
    for (std::uint32_t id = 1; id <= 2000; id++) {
        retention.announce_channel({id}, std::to_string(id), notice("a"));
        append(retention, id, id, 2);
    }
    for (int i = 0; i < 20'000; i++) append(retention, 7, 10'000 + i, 10);
    EXPECT_LE(retention.held_bytes(), limits.total_bytes);
    for (std::uint32_t id : {1u, 6u, 8u, 2000u}) EXPECT_EQ(retention.held({id}).rows, 2u) << id;
    EXPECT_GT(retention.held({7}).rows, 10u);
}

}  // namespace
}  // namespace sla::retain
