#include "viewer/analysis/intervals/statistics.h"

#include "tests/support/capture_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace sla::analysis {
namespace {

class StatisticsTest : public ::testing::Test {
protected:
    StatisticsTest() {
        support::CaptureBuilder capture(0, 1e9, 25);
        capture.fill(session_);
    }
    Statistics of(std::vector<std::uint64_t> widths) {
        Intervals intervals;
        intervals.widths = std::move(widths);
        return statistics_of(intervals, session_);
    }
    store::Session session_;
};

TEST_F(StatisticsTest, AreThoseComputedByHand) {
    const Statistics numbers = of({4, 2, 8, 4, 7, 5, 4, 9, 1, 6});
    EXPECT_EQ(numbers.count, 10u);
    EXPECT_EQ(numbers.min_ps, 1000);
    EXPECT_EQ(numbers.max_ps, 9000);
    EXPECT_EQ(numbers.mode_ps, 4000);
    EXPECT_EQ(numbers.p50_ps, 4000);
    EXPECT_EQ(numbers.mean_ps, 5000);
    EXPECT_EQ(numbers.p90_ps, 8000);
    EXPECT_EQ(numbers.p99_ps, 9000);
    EXPECT_EQ(numbers.stddev_ps, 2408);  // sqrt(58 / 10) = 2.40832
    EXPECT_EQ(numbers.overhead_ps, 25'000);
}

TEST_F(StatisticsTest, PercentilesAreNearestRanks) {
    std::vector<std::uint64_t> widths(1000);
    std::iota(widths.rbegin(), widths.rend(), 1);
    const Statistics numbers = of(widths);
    EXPECT_EQ(numbers.p50_ps, 500'000);
    EXPECT_EQ(numbers.p90_ps, 900'000);
    EXPECT_EQ(numbers.p99_ps, 990'000);
    EXPECT_EQ(numbers.p999_ps, 999'000);
}

TEST_F(StatisticsTest, TheModeOfLongTimesIsTheFullestBinsMean) {
    // 10 000 ± a few fall into one bin of 1/64; two far ones do not.
    const Statistics numbers = of({10'000, 10'002, 10'004, 20'000, 30'000});
    EXPECT_EQ(numbers.mode_ps, 10'002'000);
}

TEST_F(StatisticsTest, OneIntervalIsAllOfThem) {
    const Statistics numbers = of({7});
    EXPECT_EQ(numbers.min_ps, 7000);
    EXPECT_EQ(numbers.p999_ps, 7000);
    EXPECT_EQ(numbers.stddev_ps, 0);
}

TEST_F(StatisticsTest, NothingCountsNothing) {
    EXPECT_EQ(of({}).count, 0u);
}

TEST_F(StatisticsTest, OutliersAreCulledByTheStatedRuleOnlyWhenAskedFor) {
    std::vector<std::uint64_t> widths;
    for (std::uint64_t i = 0; i < 100; ++i) widths.push_back(1000 + i);  // p25 1024, p75 1074: the fence is 1224
    widths.insert(widths.end(), {1224, 1225, 90'000});
    Intervals intervals;
    intervals.widths = widths;
    const Statistics all = statistics_of(intervals, session_);
    EXPECT_EQ(all.count, 103u);
    EXPECT_EQ(all.culled, 0u);
    EXPECT_EQ(all.max_ps, 90'000'000);
    const std::uint64_t low = 1025;   // rank 26 of 103
    const std::uint64_t high = 1077;  // rank 78
    const Statistics culled = statistics_of(intervals, session_, true);
    EXPECT_EQ(culled.culled, 1u);
    EXPECT_EQ(culled.max_ps, 1'225'000);
    EXPECT_LT(1225u, high + 3 * (high - low));
}

TEST_F(StatisticsTest, ANearConstantCostStillHasAFence) {
    Intervals intervals;
    std::vector<std::uint64_t> widths(1000, 100);
    widths.insert(widths.end(), {106, 107, 5000});
    intervals.widths = widths;
    const Statistics culled = statistics_of(intervals, session_, true);
    EXPECT_EQ(culled.culled, 2u);
    EXPECT_EQ(culled.max_ps, 106'000);
}

TEST(Overhead, IsSubtractedFromWidthsOfOneThreadOnlyWhenAskedFor) {
    support::CaptureBuilder capture(0, 1e9, 30);
    const auto a = capture.channel("a");
    capture.span(a, 100, 150);
    capture.span(a, 300, 310);
    const auto b = capture.channel("b");
    const auto other = capture.thread("other", 77);
    capture.tick(b, 170, 0, other);
    store::Session session;
    capture.fill(session);
    const Selection all = *select(session, {"a"});
    const auto plain = channel_statistics(session, all);
    EXPECT_EQ(plain[1].numbers.max_ps, 50'000);
    EXPECT_EQ(plain[1].numbers.overhead_ps, 30'000);
    EXPECT_EQ(plain[1].numbers.subtracted_ps, 0);
    const auto less = channel_statistics(session, all, {true, false});
    EXPECT_EQ(less[1].numbers.max_ps, 20'000);
    EXPECT_EQ(less[1].numbers.min_ps, 0);  // never below nothing
    EXPECT_EQ(less[1].numbers.subtracted_ps, 30'000);
    const auto pairs = pair_statistics(session, "a:b", {}, {true, false});
    ASSERT_TRUE(pairs.ok());
    EXPECT_EQ((*pairs)[0].numbers.max_ps, 70'000);  // two threads: neither waits for the other's marker
}

TEST(Overhead, IsWhatTheLanesOwnProgramMeasured) {
    support::CaptureBuilder capture(0, 1e9, 30);
    capture.span(capture.channel("a"), 100, 150);
    store::Session session;
    capture.fill(session);
    store::Source source = *session.source(SourceId{1});
    source.section_ticks = 42;
    session.add_source(source);
    EXPECT_EQ(channel_statistics(session, *select(session, {}))[1].numbers.overhead_ps, 42'000);
}

TEST(Overhead, OfAChannelThatIsStampedInOrderIsItsOwn) {
    support::CaptureBuilder capture(0, 1e9, 30);
    capture.span(capture.channel("ordered"), 100, 150);
    capture.span(capture.channel("usual"), 200, 250);
    store::Session session;
    capture.fill(session);
    store::Source source = *session.source(SourceId{1});
    source.section_ticks = 20;
    session.add_source(source);
    store::Channel ordered = session.lane_named("ordered")->channel();
    ordered.stamping = store::Stamping::kRdtscp;
    ordered.section_ticks = 46;
    session.add_channel(ordered);
    const auto rows = channel_statistics(session, *select(session, {}), {true, false});
    ASSERT_EQ(rows.size(), 4u);
    EXPECT_EQ(rows[1].numbers.subtracted_ps, 46'000);
    EXPECT_EQ(rows[1].numbers.max_ps, 4000);
    EXPECT_EQ(rows[3].numbers.subtracted_ps, 20'000);
    EXPECT_EQ(rows[3].numbers.max_ps, 30'000);
    const auto pairs = pair_statistics(session, "ordered:usual", {}, {true, false});
    ASSERT_TRUE(pairs.ok());
    EXPECT_EQ((*pairs)[0].numbers.subtracted_ps, 33'000) << "half of each";
    EXPECT_EQ((*pairs)[0].numbers.max_ps, 67'000);
}

TEST(ChannelStatistics, ALaneWithSpansHasALineForThemToo) {
    support::CaptureBuilder capture(0);
    const auto a = capture.channel("a");
    capture.span(a, 10, 14);
    capture.span(a, 20, 26);
    capture.gap(a, 30, 9);
    const auto b = capture.channel("b");
    capture.tick(b, 5);
    store::Session session;
    capture.fill(session);
    const auto rows = channel_statistics(session, *select(session, {}));
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0].pair, "");
    EXPECT_EQ(rows[0].numbers.count, 3u);
    EXPECT_EQ(rows[0].numbers.lost, 9u);
    EXPECT_EQ(rows[1].pair, "begin:end");
    EXPECT_EQ(rows[1].numbers.max_ps, 6000);
    EXPECT_EQ(rows[2].channel, "b");
    EXPECT_EQ(rows[2].numbers.count, 0u);
}

TEST(PairStatistics, NamesMayHoldColonsAndGlobs) {
    support::CaptureBuilder capture(0);
    capture.tick(capture.channel("a:x"), 10);
    capture.tick(capture.channel("b.1"), 15);
    capture.tick(capture.channel("b.2"), 17);
    store::Session session;
    capture.fill(session);
    const auto rows = pair_statistics(session, "a:x:b.*", {});
    ASSERT_TRUE(rows.ok());
    ASSERT_EQ(rows->size(), 2u);
    EXPECT_EQ((*rows)[0].pair, "a:x:b.1");
    EXPECT_EQ((*rows)[1].numbers.min_ps, 7000);
    EXPECT_EQ(pair_statistics(session, "no pair", {}).error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(pair_statistics(session, "a:zzz", {}).error().code, ErrorCode::kNotFound);
}

TEST(WidthCounts, AnswerLikeASortedListHoweverMany) {
    std::mt19937_64 random(4);
    for (const std::size_t many : {1u, 1000u, 65535u, 65536u, 200'000u}) {
        std::vector<std::uint64_t> list(many);
        for (std::uint64_t& width : list) width = random() % 3 == 0 ? random() >> (random() % 60) : random() % 3000;
        WidthCounts counts;
        for (const std::uint64_t width : list) counts.push_back(width);
        std::sort(list.begin(), list.end());
        ASSERT_EQ(counts.size(), many);
        for (int round = 0; round < 50; ++round) {
            const std::uint64_t rank = 1 + random() % many;
            ASSERT_EQ(counts.at_rank(rank), list[rank - 1]);
        }
        ASSERT_EQ(counts.front(), list.front());
        ASSERT_EQ(counts.back(), list.back());
        std::uint64_t seen = 0;
        counts.each([&](std::uint64_t width, std::uint64_t count) {
            ASSERT_EQ(list[seen], width);
            ASSERT_EQ(list[seen + count - 1], width);
            seen += count;
        });
        ASSERT_EQ(seen, many);
        const std::uint64_t fence = list[many / 2];
        const auto out = static_cast<std::uint64_t>(list.end() - std::upper_bound(list.begin(), list.end(), fence));
        ASSERT_EQ(counts.drop_above(fence), out);
        ASSERT_EQ(counts.back(), fence);
    }
}

Intervals of(const std::vector<std::uint64_t>& widths) {
    Intervals intervals;
    intervals.widths = widths;
    return intervals;
}

TEST(Histogram, HoldsEveryWidthOnce) {
    std::vector<std::uint64_t> widths;
    for (std::uint64_t width = 0; width < 5000; width += 7) widths.push_back(width);
    for (const std::size_t bins : {1u, 5u, 40u, 4000u}) {
        std::uint64_t count = 0;
        std::uint64_t from = 0;
        for (const HistogramBin& bin : histogram(of(widths), bins)) {
            EXPECT_EQ(bin.from_ticks, from);
            EXPECT_GT(bin.until_ticks, bin.from_ticks);
            from = bin.until_ticks;
            count += bin.count;
        }
        EXPECT_EQ(count, widths.size()) << bins;
    }
    for (const HistogramBin& bin : histogram(of(widths), 10, Bins::kEven)) {
        EXPECT_NEAR(static_cast<double>(bin.until_ticks - bin.from_ticks), 499.8, 1.5);
        EXPECT_NEAR(static_cast<double>(bin.count), 71.4, 1.0);
    }
    EXPECT_TRUE(histogram(of({}), 10).empty());
    EXPECT_EQ(histogram(of({5, 5, 5}), 10).at(0).count, 3u);
}

}  // namespace
}  // namespace sla::analysis
