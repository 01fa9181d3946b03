// What the list of all lanes counts beside the frames is what is counted of each lane at once.
#include "viewer/workspace/jobs/lane_statistics.h"

#include "tests/support/capture_builder.h"
#include "tests/support/lane_intervals.h"

#include <gtest/gtest.h>

#include <thread>

namespace sla::workspace {
namespace {

class OfAllLanes : public ::testing::Test {
protected:
    OfAllLanes() {
        const auto busy = capture_.channel("busy");
        const auto spans = capture_.channel("spans");
        capture_.channel("silent");
        for (std::uint64_t i = 1; i <= 40'000; ++i) {
            capture_.tick(busy, 100 * i + i % 37);
            if (i % 100 == 0) capture_.span(spans, 100 * i, 100 * i + 10 + i % 77);
        }
        capture_.fill(session_);
        for (const store::Lane* lane : session_.lanes()) lanes_.push_back(lane);
        all_ = {0, session_.last_tick()};
    }
    LaneStatistics::Question over(timeline::TickRange range, StatisticsOptions options = {}) {
        return {&session_, &lanes_, &beside_, range, options};
    }
    void count(const LaneStatistics::Question& question) {
        do {  // ends: what is begun is counted
            numbers_.step(question);
            std::this_thread::yield();
        } while (numbers_.is_counting());
    }
    void expect_as_counted_at_once(timeline::TickRange range) {
        analysis::Selection where;
        where.from = range.first;
        where.until = range.last + 1;
        ASSERT_EQ(numbers_.rows().size(), lanes_.size());
        for (const LaneStatistics::Row& row : numbers_.rows()) {
            analysis::Intervals each = row.lane->spans().empty() ? support::channel_intervals(*row.lane, where)
                                                                 : support::span_intervals(*row.lane, where);
            const analysis::Statistics expected = analysis::statistics_of(each, session_);
            ASSERT_TRUE(row.counted) << row.lane->channel().name;
            EXPECT_EQ(row.range, range);
            EXPECT_EQ(row.counted->numbers.count, expected.count) << row.lane->channel().name;
            EXPECT_EQ(row.counted->numbers.p99_ps, expected.p99_ps) << row.lane->channel().name;
            EXPECT_EQ(row.counted->numbers.max_ps, expected.max_ps) << row.lane->channel().name;
        }
    }

    support::CaptureBuilder capture_{0};
    store::Session session_;
    std::vector<const store::Lane*> lanes_;
    std::vector<const store::Lane*> beside_;
    timeline::TickRange all_;
    LaneStatistics numbers_;
};

TEST_F(OfAllLanes, EachIsCountedAsByItself) {
    numbers_.step(over(all_));
    EXPECT_TRUE(numbers_.is_counting()) << "no frame counts all of it";
    count(over(all_));
    expect_as_counted_at_once(all_);
    const std::uint64_t revision = numbers_.revision();
    numbers_.step(over(all_));
    EXPECT_EQ(numbers_.revision(), revision) << "the same is not counted again";
}

TEST_F(OfAllLanes, ALaneOfAnotherSessionIsCountedBesideThem) {
    support::CaptureBuilder another(0);
    for (const char* name : {"like busy", "like spans", "like silent"}) another.channel(name);
    const auto answer = another.channel("answer");
    for (std::uint64_t i = 1; i <= 1000; ++i) another.tick(answer, 1000 * i + i % 13);
    store::Session other;
    another.fill(other);
    beside_.push_back(other.lane_named("answer"));
    lanes_.push_back(beside_.front());
    count(over(all_));
    EXPECT_EQ(numbers_.rows().back().counted.value_or(Counted()).numbers.count, 999u);
    expect_as_counted_at_once(all_);
}

TEST_F(OfAllLanes, AnotherRangeIsCountedWhenTheOneBeforeIsDone) {
    numbers_.step(over(all_));
    ASSERT_TRUE(numbers_.is_counting());
    const timeline::TickRange part{1'000'000, 2'000'000};
    count(over(part));
    EXPECT_EQ(numbers_.rows()[0].range, all_) << "what was begun goes to its end while the view moves on";
    count(over(part));
    expect_as_counted_at_once(part);
}

TEST_F(OfAllLanes, ALaneThatIsDrawnLaterIsCountedWhereItIsDrawn) {
    const timeline::TickRange shown{1'000'000, 2'000'000};
    LaneStatistics::Question question = over(shown);
    count(question);
    question.offsets = {400'000, 0, 0};  // of the first
    count(question);
    const timeline::TickRange own{600'000, 1'600'000};
    EXPECT_EQ(numbers_.rows()[0].range, own);
    EXPECT_EQ(numbers_.rows()[1].range, shown);
    analysis::Selection where;
    where.from = own.first;
    where.until = own.last + 1;
    analysis::Intervals each = support::channel_intervals(*lanes_[0], where);
    EXPECT_EQ(numbers_.rows()[0].counted->numbers.max_ps, analysis::statistics_of(each, session_).max_ps);
    EXPECT_EQ(numbers_.rows()[0].counted->numbers.count, analysis::statistics_of(each, session_).count);
}

TEST_F(OfAllLanes, ARangeElsewhereAndOtherOptionsBeginAtOnce) {
    const timeline::TickRange early{0, 1'000'000};
    const timeline::TickRange late{3'000'000, 3'500'000};
    count(over(early));
    numbers_.step(over(late));
    EXPECT_FALSE(numbers_.rows().back().counted) << "numbers of somewhere else say nothing here";
    count(over(late));
    expect_as_counted_at_once(late);
    StatisticsOptions culled;
    culled.cull = true;
    count(over(late, culled));
    EXPECT_FALSE(numbers_.is_counting());
    StatisticsOptions drawn_otherwise = culled;
    drawn_otherwise.even_bars = true;
    const std::uint64_t revision = numbers_.revision();
    numbers_.step(over(late, drawn_otherwise));
    EXPECT_EQ(numbers_.revision(), revision) << "how bars are drawn changes no number";
}

TEST_F(OfAllLanes, AnotherLaneIsThereWithItsNumbers) {
    count(over(all_));
    lanes_.pop_back();
    count(over(all_));
    expect_as_counted_at_once(all_);
}

TEST_F(OfAllLanes, RowsThatComeAreCountedAfterARest) {
    count(over(all_));
    const std::uint64_t before = numbers_.revision();
    session_.touch();
    for (int frame = 0; frame < 5; ++frame) numbers_.step(over(all_));
    EXPECT_EQ(numbers_.revision(), before);
    for (int frame = 0; frame < 60; ++frame) numbers_.step(over(all_));
    count(over(all_));
    EXPECT_GT(numbers_.revision(), before);
    expect_as_counted_at_once(all_);
}

}  // namespace
}  // namespace sla::workspace
