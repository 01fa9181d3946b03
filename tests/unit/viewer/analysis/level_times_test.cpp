// Levels: how long they are high and low, and from rise to rise.
#include "tests/support/capture_builder.h"
#include "viewer/analysis/intervals/statistics.h"
#include "viewer/analysis/limits/verdict.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace sla::analysis {
namespace {

// One tick a nanosecond.
class LevelTimes : public ::testing::Test {
protected:
    void level(std::uint64_t tick, std::uint64_t value) { capture_.event(line_, tick, SLA_CODE_LEVEL, value); }
    // Ten pulses of 100 ns, one a microsecond.
    void fill_pulses() {
        for (std::uint64_t i = 0; i < 10; ++i) {
            level(1000 + i * 1000, 1);
            level(1100 + i * 1000, 0);
        }
    }
    const store::Session& session() {
        if (!is_filled_) capture_.fill(session_);
        is_filled_ = true;
        return session_;
    }
    std::map<std::string, Statistics> numbers(const Selection& range = {}, bool from_sums = false) {
        Selection selection = *select(session(), {});
        selection.from = range.from;
        selection.until = range.until;
        StatisticsOptions options;
        options.from_sums = from_sums;
        std::map<std::string, Statistics> found;
        for (const StatisticsRow& row : channel_statistics(session_, selection, options)) found[row.pair] = row.numbers;
        return found;
    }
    Finding check(const std::string& limit) { return check_limit(session(), *parse_limit(limit), {}).front(); }

    support::CaptureBuilder capture_{0, 1e9};
    const std::uint32_t line_ = capture_.channel("line");
    store::Session session_;
    bool is_filled_ = false;
};

TEST_F(LevelTimes, AreOfPulsesPausesAndPeriods) {
    fill_pulses();
    auto found = numbers();
    EXPECT_EQ(found["high"].count, 10u);
    EXPECT_EQ(found["high"].max_ps, 100'000);
    EXPECT_EQ(found["low"].count, 9u) << "the last one is not over";
    EXPECT_EQ(found["low"].p50_ps, 900'000);
    EXPECT_EQ(found["period"].count, 9u);
    EXPECT_EQ(found["period"].mean_ps, 1'000'000);
    EXPECT_EQ(found[""].count, 19u) << "from event to event, as before";
    auto by_bins = numbers({}, true);
    EXPECT_EQ(by_bins["high"].mean_ps, 100'000);
}

TEST_F(LevelTimes, TheSameLevelAgainChangesNothing) {
    level(1000, 1);
    level(1500, 1);
    level(2000, 0);
    level(2500, 0);
    level(4000, 1);
    auto found = numbers();
    EXPECT_EQ(found["high"].count, 1u);
    EXPECT_EQ(found["high"].max_ps, 1'000'000);
    EXPECT_EQ(found["low"].max_ps, 2'000'000);
    EXPECT_EQ(found["period"].max_ps, 3'000'000);
}

TEST_F(LevelTimes, BeginAtNoLevelThatMayHaveHeldBefore) {
    level(1000, 1);
    level(2000, 0);
    level(3000, 1);
    level(4000, 0);
    capture_.fill(session_);
    is_filled_ = true;
    session_.lane(ChannelId{line_})->set_begins_late();
    auto found = numbers();
    EXPECT_EQ(found["high"].count, 1u) << "the first one may be longer";
    EXPECT_EQ(found["low"].count, 1u);
    EXPECT_EQ(found["period"].count, 0u);
    EXPECT_EQ(check("width line > 500ns").checked, 1u);
}

TEST_F(LevelTimes, WhereALossLiesNothingIsKnown) {
    level(1000, 1);
    capture_.gap(line_, 1200, 2, wire::LossCause::kOverrun, 1300);
    level(2000, 0);
    level(3000, 1);
    level(4000, 0);
    auto found = numbers();
    EXPECT_EQ(found["high"].count, 1u);
    EXPECT_EQ(found["high"].lost, 1u);
    EXPECT_EQ(found["period"].count, 0u);
    EXPECT_EQ(found["period"].lost, 1u);
}

TEST_F(LevelTimes, WhatBeganBeforeTheRangeDoesNotCount) {
    fill_pulses();
    Selection range;
    range.from = 2050;
    range.until = 4050;
    auto found = numbers(range);
    EXPECT_EQ(found["high"].count, 1u)
        << "the pulse at 3,000; of that at 2,000 the begin lies before, of that at 4,000 the end behind";
    EXPECT_EQ(found["low"].count, 2u) << "those from 2,100 and from 3,100 on";
}

TEST_F(LevelTimes, AreOfNoOtherChannel) {
    capture_.tick(line_, 1000);
    capture_.tick(line_, 2000);
    EXPECT_EQ(numbers().size(), 1u);
}

// What it was before the range is known: its first edge in the range is one.
TEST_F(LevelTimes, ARangeHasAllThatLieInIt) {
    fill_pulses();
    Selection low_first;
    low_first.from = 3500;
    auto found = numbers(low_first);
    EXPECT_EQ(found["high"].count, 7u);
    EXPECT_EQ(found["low"].count, 6u);
    EXPECT_EQ(found["period"].count, 6u);
    Selection high_first;
    high_first.from = 3050;
    found = numbers(high_first);
    EXPECT_EQ(found["high"].count, 7u) << "not the one that it begins in";
    EXPECT_EQ(found["low"].count, 7u);
    EXPECT_EQ(found["period"].count, 6u);
    Selection on_an_edge;
    on_an_edge.from = 3000;
    EXPECT_EQ(numbers(on_an_edge)["high"].count, 8u);
    EXPECT_EQ(check_limit(session(), *parse_limit("width line > 100ns"), low_first).front().checked, 7u);
}

TEST_F(LevelTimes, WhereWhatItWasIsLostTheFirstEdgeIsNone) {
    level(1000, 1);
    capture_.gap(line_, 1500, 3);
    level(2000, 0);
    level(3000, 1);
    level(4000, 0);
    Selection behind;
    behind.from = 1800;
    auto found = numbers(behind);
    EXPECT_EQ(found["high"].count, 1u);
    EXPECT_EQ(found["low"].count, 0u) << "it may have begun later than the row says";
}

// Its row came while a loss lasted, which reaches into the range: it may have changed meanwhile.
TEST_F(LevelTimes, ALevelThatALossMayHaveChangedSinceIsNotKnown) {
    capture_.gap(line_, 900, 3, wire::LossCause::kOverrun, 1500);
    level(1000, 1);
    level(2000, 0);
    level(3000, 1);
    level(4000, 0);
    level(5000, 1);
    Selection behind;
    behind.from = 1800;
    auto found = numbers(behind);
    EXPECT_EQ(found["low"].count, 1u) << "that from 2,000 on may have begun before";
    EXPECT_EQ(found["high"].count, 1u);
}

// Rows of other kinds say nothing of it: the first level in the range is the first there is, as in the whole.
TEST_F(LevelTimes, WhereNoneWasSaidBeforeARangeBeginsAsTheWhole) {
    capture_.tick(line_, 500);
    fill_pulses();
    Selection range;
    range.from = 700;
    EXPECT_EQ(numbers(range)["high"].count, 10u);
}

TEST_F(LevelTimes, AWidthIsTheTimeForWhichItIsHigh) {
    fill_pulses();
    level(12'000, 1);
    level(12'500, 0);
    EXPECT_EQ(check("width line < 600ns").verdict, Verdict::kPass);
    EXPECT_EQ(check("width line p50 < 150ns").verdict, Verdict::kPass);
    const Finding broken = check("width line < 400ns");
    EXPECT_EQ(broken.verdict, Verdict::kFail);
    EXPECT_EQ(broken.checked, 11u);
    EXPECT_EQ(broken.at_tick, 12'000u);
}

TEST_F(LevelTimes, OneThatStaysHighHasLastedTooLong) {
    level(1000, 1);
    capture_.tick(capture_.channel("other"), 50'000);
    EXPECT_EQ(check("width line < 10us").verdict, Verdict::kFail);
    EXPECT_NE(check("width line < 100us").verdict, Verdict::kFail);
}

}  // namespace
}  // namespace sla::analysis
