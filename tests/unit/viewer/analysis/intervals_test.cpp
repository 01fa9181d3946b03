#include "viewer/analysis/intervals/intervals.h"

#include "tests/support/capture_builder.h"
#include "tests/support/lane_intervals.h"

#include <gtest/gtest.h>

namespace sla::analysis {
namespace {

using Widths = std::vector<std::uint64_t>;

class IntervalsTest : public ::testing::Test {
protected:
    const store::Lane& lane(const char* name) {
        if (session_.lanes().empty()) capture_.fill(session_);
        return *session_.lane_named(name);
    }
    support::CaptureBuilder capture_{0};
    store::Session session_;
};

TEST_F(IntervalsTest, OfAChannelRunFromEventToEvent) {
    const auto a = capture_.channel("a");
    for (const std::uint64_t tick : {10, 30, 70}) capture_.tick(a, tick);
    EXPECT_EQ(support::channel_intervals(lane("a")).widths, (Widths{20, 40}));
}

TEST_F(IntervalsTest, AnIntervalWithALossInItIsNotCounted) {
    const auto a = capture_.channel("a");
    capture_.tick(a, 10);
    capture_.gap(a, 20, 7);
    capture_.tick(a, 30);
    capture_.tick(a, 35);
    const Intervals intervals = support::channel_intervals(lane("a"));
    EXPECT_EQ(intervals.widths, (Widths{5}));
    EXPECT_EQ(intervals.lost_intervals, 1u);
    EXPECT_EQ(intervals.lost_events, 7u);
}

TEST_F(IntervalsTest, OfSpansAreTheirWidthsAndTheUnendedAreCulled) {
    const auto a = capture_.channel("a");
    capture_.span(a, 10, 40);
    capture_.span(a, 20, 25);
    capture_.begin(a, 50);
    capture_.gap(a, 60, 1);
    capture_.begin(a, 70);
    const Intervals intervals = support::span_intervals(lane("a"));
    EXPECT_EQ(intervals.widths, (Widths{30, 5}));
    EXPECT_EQ(intervals.lost_intervals, 1u);
    EXPECT_EQ(intervals.unfinished, 1u);
}

TEST_F(IntervalsTest, OfAPairRunToTheFirstAnswer) {
    const auto a = capture_.channel("a");
    const auto b = capture_.channel("b");
    capture_.tick(b, 5);
    capture_.tick(a, 10);
    capture_.tick(b, 13);
    capture_.tick(b, 14);
    capture_.tick(a, 20);
    capture_.tick(a, 30);
    capture_.tick(b, 37);
    capture_.tick(a, 40);
    const Intervals intervals = pair_intervals(lane("a"), lane("b"));
    EXPECT_EQ(intervals.widths, (Widths{3, 7}));
    EXPECT_EQ(intervals.unfinished, 2u);
    EXPECT_EQ(intervals.lost_intervals, 0u);
}

TEST_F(IntervalsTest, AnswersAtTheSameTickCount) {
    const auto b = capture_.channel("b");
    const auto a = capture_.channel("a");
    capture_.tick(a, 10);
    capture_.tick(b, 10);
    EXPECT_EQ(pair_intervals(lane("a"), lane("b")).widths, (Widths{0}));
}

TEST_F(IntervalsTest, ALossOnEitherSideSpoilsTheIntervalItLiesIn) {
    const auto a = capture_.channel("a");
    const auto b = capture_.channel("b");
    capture_.tick(a, 10);
    capture_.gap(b, 12, 2);
    capture_.tick(b, 15);
    capture_.tick(a, 20);
    capture_.gap(a, 21, 1);
    capture_.tick(b, 25);
    capture_.tick(a, 30);
    capture_.tick(b, 35);
    const Intervals intervals = pair_intervals(lane("a"), lane("b"));
    EXPECT_EQ(intervals.widths, (Widths{5}));
    EXPECT_EQ(intervals.lost_intervals, 2u);
    EXPECT_EQ(intervals.lost_events, 3u);
}

TEST_F(IntervalsTest, FromALevelTheyRunFromItsRiseAndToASpanToItsBegin) {
    const auto irq = capture_.channel("irq.0");
    const auto isr = capture_.channel("irq.0.isr");
    capture_.level(irq, 10, true);
    capture_.level(irq, 11, true);
    capture_.level(irq, 12, false);
    capture_.span(isr, 16, 25);
    capture_.level(irq, 30, true);
    capture_.span(isr, 34, 50);
    const Intervals intervals = pair_intervals(lane("irq.0"), lane("irq.0.isr"));
    EXPECT_EQ(intervals.widths, (Widths{6, 4}));
    EXPECT_EQ(intervals.unfinished, 0u);
}

TEST_F(IntervalsTest, OfAChannelWithItselfRunFromStartToStart) {
    const auto a = capture_.channel("a");
    capture_.span(a, 10, 15);
    capture_.span(a, 30, 35);
    EXPECT_EQ(pair_intervals(lane("a"), lane("a")).widths, (Widths{20}));
}

TEST_F(IntervalsTest, ARangeHoldsBothEnds) {
    const auto a = capture_.channel("a");
    for (std::uint64_t tick = 0; tick < 100; tick += 10) capture_.tick(a, tick);
    Selection range;
    range.from = 15;
    range.until = 41;
    EXPECT_EQ(support::channel_intervals(lane("a"), range).widths, (Widths{10, 10}));
}

}  // namespace
}  // namespace sla::analysis
