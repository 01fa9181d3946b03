// Shots and joining readers beside sources that have ended and are forgotten.
#include "tests/unit/agent/retain/filling.h"

#include <set>
#include <string>

namespace sla::retain {
namespace {

class RetiredShots : public Filling {
protected:
    static constexpr std::uint64_t kLongAfter = Retention::kLingerTicks + 1'000'000;

    // A source with one channel of its own number and ten events from this tick on.
    void add_program(Retention& retention, std::uint32_t number, std::uint64_t tick) {
        wire::Frame source;
        source.mutable_source()->set_id(number);
        source.mutable_source()->set_name(std::string(200, 'n'));
        retention.announce_of({number}, wire::encode_frame(source));
        wire::Frame channel;
        channel.mutable_channel()->set_id(number);
        channel.mutable_channel()->set_source(number);
        retention.announce_channel({number}, "c" + std::to_string(number), wire::encode_frame(channel), {number});
        append(retention, number, tick);
    }
    // The same, over and forgotten.
    void forget_program(Retention& retention, std::uint32_t number, std::uint64_t tick) {
        add_program(retention, number, tick);
        retention.limit_channel({number}, {1 << 20, 1});
        retention.end_source({number}, tick + 10);
        retention.expire(tick + 20);
        retention.expire(tick + 10 + kLongAfter);
        ASSERT_EQ(retention.take_retired(), (std::vector<SourceId>{{number}}));
    }
    static std::set<std::uint32_t> sources_reported(Retention& retention) {
        Cursor late;
        std::vector<Delivery> out;
        retention.read(late, 1 << 30, out);
        std::set<std::uint32_t> reported;
        for (const Delivery& delivery : out) {
            wire::Frame frame;
            EXPECT_TRUE(frame.ParseFromString(delivery.frame->substr(wire::kFrameHeaderBytes)));
            if (frame.has_source()) reported.insert(frame.source().id());
        }
        return reported;
    }
    static std::string notices(Retention& retention, Cursor& cursor) {
        std::vector<Delivery> out;
        retention.read(cursor, 1 << 30, out);
        std::string text;
        for (const Delivery& delivery : out) {
            wire::Frame frame;
            EXPECT_TRUE(frame.ParseFromString(delivery.frame->substr(wire::kFrameHeaderBytes)));
            if (frame.has_notice()) text += frame.notice().text();
        }
        return text;
    }
};

TEST_F(RetiredShots, AWindowInWhichARetiredChannelHadEventsIsNotWhole) {
    Retention retention({});
    forget_program(retention, 1, 1000);
    retention.pin_shot(7, {1005, 2000});
    EXPECT_EQ(retention.shots_lacking(7), 1u) << "1005 to 1009 are gone";
    retention.pin_shot(7, {500, 999});
    retention.pin_shot(7, {1010, 2000});
    EXPECT_EQ(retention.shots_lacking(7), 1u) << "there were none before and behind";
}

TEST_F(RetiredShots, AWindowOverChannelsThatAreNotEvenRememberedIsNotWhole) {
    Retention retention({.channel_bytes = 1 << 20, .total_bytes = 20'000});
    constexpr std::uint32_t kMany = 17'000;
    for (std::uint32_t i = 1; i <= kMany; i++) {
        add_program(retention, i, std::uint64_t{i} * 100);
        retention.end_source({i}, std::uint64_t{i} * 100 + 10);
    }
    retention.pin_shot(7, {105, 115});
    EXPECT_EQ(retention.shots_lacking(7), 1u);
    retention.pin_shot(7, {50, 99});
    retention.pin_shot(7, {std::uint64_t{kMany} * 100 + 10, std::uint64_t{kMany} * 100 + 50});
    EXPECT_EQ(retention.shots_lacking(7), 1u);
}

TEST_F(RetiredShots, AChannelThatNeverHadAnEventTakesNothingFromAWindow) {
    Retention retention({});
    retention.announce_channel({1}, "silent", "frame", {1});
    retention.end_source({1}, 10);
    retention.expire(10 + kLongAfter);
    ASSERT_EQ(retention.take_retired().size(), 1u);
    retention.pin_shot(7, {0, 2000});
    EXPECT_EQ(retention.shots_lacking(7), 0u);
}

TEST_F(RetiredShots, NamesOfEndedProgramsOfWhichOnlyShotsHoldABatchCountWithTheShots) {
    constexpr std::uint64_t kShotBytes = 40'000;
    Retention retention({.channel_bytes = 1 << 20, .total_bytes = 100'000, .shot_bytes = kShotBytes});
    add_program(retention, 1, 5);
    for (std::uint64_t tick = 100; tick < 2000; tick += 100) append(retention, 1, tick);
    const std::uint64_t history = retention.held({1}).bytes;
    constexpr std::uint32_t kLast = 1000;
    for (std::uint32_t number = 2; number <= kLast; number++) {
        const std::uint64_t tick = std::uint64_t{number} * 10'000;
        add_program(retention, number, tick);
        retention.pin_shot(7, {tick, tick + 9});
        retention.end_source({number}, tick + 10);
        ASSERT_LE(retention.counted_bytes(), 100'000u) << number;
        ASSERT_LE(retention.shot_bytes(), kShotBytes) << number;
    }
    EXPECT_EQ(retention.held({1}).bytes, history) << "no history of the living had to go for the names of the dead";
    EXPECT_GT(retention.take_retired().size(), 800u);
    EXPECT_GT(retention.shots_lacking(7), 800u);
    Cursor late;
    const Got got = read(retention, late);
    ASSERT_FALSE(got.ticks.empty());
    EXPECT_EQ(got.ticks.back(), std::uint64_t{kLast} * 10'000 + 9) << "the newest shots are whole";
    EXPECT_TRUE(sources_reported(retention).contains(kLast)) << "with their names";
}

TEST_F(RetiredShots, AProgramThatComesAgainWhileShotsHoldItsPastCountsWithTheLivingAgain) {
    Retention retention({.channel_bytes = 1 << 20, .total_bytes = 1 << 20, .shot_bytes = 1 << 20});
    add_program(retention, 1, 1000);
    retention.pin_shot(7, {1000, 1009});
    const std::uint64_t all = retention.counted_bytes();
    const std::uint64_t batch = retention.held_bytes();
    retention.end_source({1}, 1010);
    retention.limit_total(0);
    EXPECT_EQ(retention.counted_bytes(), 0u);
    EXPECT_EQ(retention.shot_bytes(), all);
    const Retention::Usage usage = retention.usage();
    EXPECT_EQ(usage.history + usage.names, 0u);
    EXPECT_EQ(usage.shots, all);
    EXPECT_EQ(usage.limits.total_bytes, 0u);
    retention.limit_total(1 << 20);
    ASSERT_TRUE(retention.begin_source({1}));
    EXPECT_EQ(retention.counted_bytes(), all - batch);
    EXPECT_EQ(retention.shot_bytes(), batch);
    append(retention, 1, 5000);
    EXPECT_EQ(retention.held({1}).rows, 10u);
}

TEST_F(RetiredShots, WhatAReaderNeverSawWasNotKeptAsFarAsItWasThereBeforeTheReaderJoined) {
    Retention retention({});
    add_program(retention, 1, 1000);
    add_program(retention, 2, 1000);
    Cursor cursor;
    std::vector<Delivery> first;
    retention.read(cursor, 1, first);  // one announcement: it has not seen program 2
    ASSERT_EQ(first.size(), 1u);
    append(retention, 2, 2000);
    retention.limit_channel({2}, {1 << 20, 1});
    retention.end_source({2}, 3000);
    retention.expire(10'000);
    retention.expire(3000 + kLongAfter);
    ASSERT_EQ(retention.take_retired().size(), 1u);
    EXPECT_EQ(
        notices(retention, cursor),
        "20 events of 1 channels of ended programs were forgotten before this reader took them, 10 of them from before "
        "it joined");
    EXPECT_EQ(cursor.not_kept, 10u);
    EXPECT_EQ(cursor.lagged, 10u);
}

TEST_F(RetiredShots, WhatAReaderNeverSawOfChannelsThatAreForgottenWasNotKept) {
    Retention retention({.channel_bytes = 1 << 20, .total_bytes = 20'000});
    add_program(retention, 1, 1000);
    add_program(retention, 2, 1000);
    Cursor cursor;
    std::vector<Delivery> first;
    retention.read(cursor, 1, first);
    append(retention, 2, 2000);
    retention.end_source({2}, 3000);
    constexpr std::uint32_t kMany = 17'000;
    for (std::uint32_t i = 3; i < kMany; i++) {
        add_program(retention, i, std::uint64_t{i} * 10'000);
        retention.end_source({i}, std::uint64_t{i} * 10'000 + 10);
    }
    const Got got = read(retention, cursor);
    EXPECT_EQ(cursor.not_kept, 10u) << "of program 2";
    EXPECT_EQ(cursor.not_kept + cursor.lagged + got.ticks.size(), 10u * (kMany - 1) + 10u);
}

}  // namespace
}  // namespace sla::retain
