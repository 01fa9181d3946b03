#include "viewer/analysis/lane_rate.h"

#include "tests/support/capture_builder.h"

#include <gtest/gtest.h>

namespace sla::analysis {
namespace {

constexpr double kHertz = 1e9;

class LaneRate : public testing::Test {
protected:
    // Eleven events, from 1 ms on, one a microsecond; another channel is there before and behind them.
    LaneRate() {
        const auto other = capture_.channel("other");
        capture_.tick(other, 1'000);
        for (std::uint64_t i = 0; i <= 10; ++i) capture_.tick(channel_, 1'000'000 + i * 1'000);
        capture_.tick(other, 9'000'000);
    }
    std::optional<double> rate(const Selection& range, std::uint64_t events) {
        capture_.fill(session_);
        return rate_of(*session_.lanes().front(), range, events, kHertz);
    }
    static Selection between(std::uint64_t from, std::uint64_t until) {
        Selection range;
        range.from = from;
        range.until = until;
        return range;
    }

    support::CaptureBuilder capture_{0};
    std::uint32_t channel_ = capture_.channel("late");
    store::Session session_;
};

TEST_F(LaneRate, OfTheWholeIsThatOfTheTimesBetweenItsEvents) {
    EXPECT_DOUBLE_EQ(rate({}, 11).value(), 1e6);
}

TEST_F(LaneRate, ARangeCountsWhereTheLaneIsRecorded) {
    EXPECT_DOUBLE_EQ(rate(between(0, 1'005'001), 6).value(), 5 / 5.001e-6) << "before its first event it was not there";
    EXPECT_DOUBLE_EQ(rate_of(*session_.lanes().front(), between(1'005'500, 8'000'000), 5, kHertz).value(), 5 / 4.5e-6)
        << "nor behind its last";
    EXPECT_DOUBLE_EQ(rate_of(*session_.lanes().front(), between(1'000'001, 1'002'001), 2, kHertz).value(), 1e6);
}

TEST_F(LaneRate, WhatWasNotKeptIsNoTimeOfIts) {
    support::CaptureBuilder capture(0);
    const auto late = capture.channel("late");
    capture.gap(late, 1'000, 500, wire::LossCause::kNotKept, 1'000'000);
    for (std::uint64_t i = 0; i <= 10; ++i) capture.tick(late, 1'000'000 + i * 1'000);
    capture.gap(capture.channel("gone"), 1'000, 500, wire::LossCause::kNotKept, 1'000'000);
    capture.fill(session_);
    EXPECT_DOUBLE_EQ(rate_of(*session_.lanes()[0], {}, 11, kHertz).value(), 1e6);
    EXPECT_FALSE(recorded_part(*session_.lanes()[1])) << "nothing is left";
    EXPECT_FALSE(rate_of(*session_.lanes()[1], {}, 0, kHertz));
}

// Losses that do not say how long they lasted stand a second before and behind the events.
TEST_F(LaneRate, ALossAtEitherEndIsNoTimeOfItsHoweverLongItLasted) {
    support::CaptureBuilder capture(0);
    const auto late = capture.channel("late");
    capture.gap(late, 1'000, 5);
    for (std::uint64_t i = 0; i <= 10; ++i) capture.tick(late, 1'000'000'000 + i * 1'000);
    capture.gap(late, 2'000'000'000, 5);
    capture.gap(late, 2'000'000'001, 5);
    capture.fill(session_);
    EXPECT_DOUBLE_EQ(rate_of(*session_.lanes()[0], {}, 11, kHertz).value(), 1e6);
    EXPECT_EQ(recorded_part(*session_.lanes()[0])->from, 1'000'000'000u);
    EXPECT_EQ(recorded_part(*session_.lanes()[0])->until, 1'000'010'000u);
}

// As under an agent that came when the one before had gone: nobody counted what was marked in between.
TEST_F(LaneRate, ALossBeforeAllEventsIsNoTimeOfItsEither) {
    support::CaptureBuilder capture(0);
    const auto late = capture.channel("late");
    capture.gap(late, 1'000, 0, wire::LossCause::kNoAgent, 900'000);
    for (std::uint64_t i = 0; i <= 10; ++i) capture.tick(late, 1'000'000 + i * 1'000);
    capture.gap(late, 1'010'500, 3, wire::LossCause::kNoRing, 1'011'000);
    capture.fill(session_);
    EXPECT_EQ(recorded_part(*session_.lanes()[0])->from, 900'000U);
    EXPECT_NEAR(rate_of(*session_.lanes()[0], {}, 11, kHertz).value(), 10 / 110.5e-6, 1);
}

TEST_F(LaneRate, WhereNothingIsRecordedThereIsNone) {
    EXPECT_FALSE(rate(between(0, 900'000), 0));
    EXPECT_FALSE(rate_of(*session_.lanes().front(), between(2'000'000, 3'000'000), 0, kHertz));
    EXPECT_EQ(rate_of(*session_.lanes().front(), between(0, 1'000'001), 1, kHertz).value_or(0), 0) << "one event is no rate";
    store::Session empty;
    EXPECT_FALSE(rate_of(empty.add_channel({ChannelId{1}, {}, "none", "", false}), {}, 0, kHertz));
}

}  // namespace
}  // namespace sla::analysis
