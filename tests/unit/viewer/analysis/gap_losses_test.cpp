// Losses that limits did not see: before a channel's first event, behind its last one, reaching over rows of other threads or into
// the range, and of one end of a span or level alone.
#include "tests/unit/viewer/analysis/verdicts.h"
#include "viewer/analysis/intervals/statistics.h"

#include <initializer_list>

namespace sla::analysis {
namespace {

class GapLosses : public Verdicts {
protected:
    void ticks(std::uint32_t channel, std::initializer_list<std::uint64_t> all) {
        for (const std::uint64_t tick : all) capture_.tick(channel, tick);
    }
    // `until` 0: nobody knows until when.
    void lose(std::uint32_t channel, std::uint64_t tick, std::uint64_t lost, std::uint32_t thread, std::uint64_t until = 0) {
        capture_.gap(channel, tick, lost, wire::LossCause::kOverrun, until, thread);
    }
    void end_program(const char* lane) {
        capture_.fill(session_);
        filled_ = true;
        store::Source ended = *session_.source_of(*session_.lane_named(lane));
        ended.ended = true;
        session_.add_source(std::move(ended));
    }
    Intervals lane_intervals_of(const char* name) {
        if (!filled_) capture_.fill(session_);
        filled_ = true;
        return lane_intervals(session_, *select(session_, {name})).front().of_channel;
    }
};

TEST_F(GapLosses, OneBeforeTheFirstEventMayHaveHadEventsUpToThere) {
    const auto s = capture_.channel("s");
    lose(s, 9'000, 1, 1);
    ticks(s, {10'000, 120'000});
    capture_.tick(capture_.channel("b"), 200'000);
    for (const char* limit : {"gap s > 25us", "gap s min > 25us", "gap s mean > 25us", "gap s p50 > 25us"})
        EXPECT_EQ(verdict(limit), Verdict::kCannotTell) << limit;
    for (const char* limit : {"gap s < 200us", "gap s max < 200us", "gap s max > 100us"})
        EXPECT_EQ(verdict(limit), Verdict::kPass) << limit;
}

TEST_F(GapLosses, OfAnUnknownNumberNoPercentileIsKnown) {
    const auto s = capture_.channel("s");
    ticks(s, {10'000, 120'000, 200'000, 300'000});
    lose(s, 11'000, 0, 1);
    capture_.tick(capture_.channel("b"), 310'000);
    for (const char* limit : {"gap s p50 > 25us", "gap s > 25us", "gap s min > 25us"})
        EXPECT_EQ(verdict(limit), Verdict::kCannotTell) << limit;
    EXPECT_EQ(verdict("gap s < 120us"), Verdict::kPass) << "those that are there are no shorter than what was";
}

TEST_F(GapLosses, OneOfAnotherThreadMayHavePartedEveryTimeUntilThatIsHeardOf) {
    capture_.thread("t", 2);
    const auto a = capture_.channel("a");
    ticks(a, {1'000, 10'000, 11'000});
    lose(a, 11'000, 1, 2);
    ticks(a, {12'000, 112'000});
    capture_.tick(a, 113'000, 0, 2);
    capture_.tick(a, 213'000);
    Selection before;
    before.until = 114'000;
    for (const char* limit : {"gap a max > 90us", "gap a max < 90us", "gap a p99 > 90us", "gap a < 90us"})
        EXPECT_EQ(check(limit, before).verdict, Verdict::kCannotTell) << limit;
    EXPECT_EQ(check("gap a max < 101us", before).verdict, Verdict::kPass);
    EXPECT_EQ(verdict("gap a < 90us"), Verdict::kFail) << "nothing was lost behind that";
}

TEST_F(GapLosses, OneBehindTheLastEventIsInMeansAndPercentilesToo) {
    const auto a = capture_.channel("a");
    ticks(a, {1'000, 2'000, 3'000});
    lose(a, 70'000, 1, 1);
    capture_.tick(capture_.channel("v"), 90'000);
    for (const char* limit : {"gap a mean > 5us", "gap a mean < 5us", "gap a p90 < 5us", "gap a max < 5us", "gap a < 5us"})
        EXPECT_EQ(verdict(limit), Verdict::kCannotTell) << limit;
    EXPECT_EQ(verdict("gap a max < 100us"), Verdict::kPass);
}

TEST_F(GapLosses, ManyEventsInOneGapAreAsManyShorterOnes) {
    const auto a = capture_.channel("a");
    ticks(a, {10'000, 20'000, 30'000, 40'000, 50'000, 60'000});
    lose(a, 55'000, 50, 1);
    EXPECT_EQ(verdict("gap a p50 > 5us"), Verdict::kCannotTell);
    EXPECT_EQ(verdict("gap a max < 11us"), Verdict::kPass) << "none of them is longer";
}

// A mean or percentile is of what has ended, here and in statistics.
TEST_F(GapLosses, TheSilenceAtTheEndIsTheLongestButInNoPercentile) {
    const auto a = capture_.channel("a");
    ticks(a, {1'000, 11'000, 21'000});
    capture_.tick(capture_.channel("b"), 5'000'000);
    const Finding longest = check("gap a max < 1ms");
    EXPECT_EQ(longest.verdict, Verdict::kFail);
    EXPECT_EQ(longest.checked, 3u);
    for (const char* limit : {"gap a p99 < 1ms", "gap a mean < 1ms"}) {
        const Finding share = check(limit);
        EXPECT_EQ(share.verdict, Verdict::kPass) << limit;
        EXPECT_EQ(share.checked, 2u);
        EXPECT_EQ(share.why, "the silence at the end is not over and not among them");
    }
    EXPECT_EQ(check("gap a p99 < 10ms").why, "");
    EXPECT_EQ(lane_intervals_of("a").count(), 2u);
}

TEST_F(GapLosses, OneThatReachesIntoTheRangeMayHaveLostEventsThere) {
    const auto a = capture_.channel("a");
    capture_.tick(a, 1'000);
    lose(a, 10'000, 3, 1);
    ticks(a, {50'000, 60'000});
    capture_.tick(capture_.channel("b"), 90'000);
    Selection range;
    range.from = 30'000;
    for (const char* limit : {"count a == 2", "count a < 4", "rate a < 50000/s", "count channel ~ a == 2"})
        EXPECT_EQ(check(limit, range).verdict, Verdict::kCannotTell) << limit;
    EXPECT_EQ(check("count a < 6", range).verdict, Verdict::kPass);
    const Finding lost = check("lost a == 0", range);
    EXPECT_EQ(lost.verdict, Verdict::kCannotTell);
    EXPECT_EQ(lost.why, "3 events more were lost over a border of this time: how many in it is not known");
    EXPECT_EQ(lost.at_tick, 10'000u);
    EXPECT_EQ(check("lost a < 4", range).verdict, Verdict::kPass);
    range.from = 55'000;
    EXPECT_EQ(check("lost a == 0", range).verdict, Verdict::kPass);
    EXPECT_EQ(check("count a == 1", range).verdict, Verdict::kPass) << "its thread was heard of before";
}

TEST_F(GapLosses, OneThatLastsBehindTheRangeMayHaveLostAllItsEventsThere) {
    const auto a = capture_.channel("a");
    capture_.tick(a, 1'000);
    lose(a, 5'000, 2, 1, 6'000);
    lose(a, 10'000, 3, 1, 40'000);
    ticks(a, {50'000, 60'000});
    Selection range;
    range.until = 30'000;
    for (const char* limit : {"lost a == 5", "lost a < 5", "lost a > 2"})
        EXPECT_EQ(check(limit, range).verdict, Verdict::kCannotTell) << limit;
    EXPECT_EQ(check("lost a < 2", range).verdict, Verdict::kFail);
    EXPECT_EQ(check("lost a <= 5", range).verdict, Verdict::kPass);
    range.until = 40'000;
    EXPECT_EQ(check("lost a == 5", range).verdict, Verdict::kPass) << "it is over there";
    range.from = 20'000;
    range.until = 30'000;
    EXPECT_EQ(check("lost a <= 3", range).verdict, Verdict::kPass) << "one over both borders counts once";
    EXPECT_EQ(check("lost a < 3", range).verdict, Verdict::kCannotTell);
}

TEST_F(GapLosses, ASpanMayReachFromOneLossToAnotherOrBeOpen) {
    const auto w = capture_.channel("w");
    lose(w, 10'000, 1, 1, 11'000);
    for (const std::uint64_t tick : {20'000, 40'000, 60'000}) capture_.span(w, tick, tick + 1'000);
    lose(w, 90'000, 1, 1, 91'000);
    capture_.span(w, 95'000, 96'000);
    for (const char* limit : {"width w < 50us", "width w max < 50us", "width w > 500ns"})
        EXPECT_EQ(verdict(limit), Verdict::kCannotTell) << limit;
    EXPECT_EQ(verdict("width w < 87us"), Verdict::kPass) << "none is longer than what is known";
    EXPECT_EQ(verdict("width w p50 < 2us"), Verdict::kPass) << "one more";
}

// What one lost event may have begun has ended there.
TEST_F(GapLosses, ABeginWhoseEndIsThereIsNotOpen) {
    const auto w = capture_.channel("w");
    lose(w, 10'000, 1, 1, 11'000);
    capture_.end(w, 15'000);
    capture_.span(w, 95'000, 96'000);
    EXPECT_EQ(verdict("width w < 10us"), Verdict::kPass);
}

TEST_F(GapLosses, AProgramMayHaveBeenThereUntilItsLastLossWasOver) {
    const std::uint32_t gone = capture_.source("gone");
    const auto a = capture_.channel("a", gone);
    ticks(a, {1'000, 2'000});
    ticks(capture_.channel("b", gone), {1'000, 2'500});
    lose(a, 2'500, 4, 1, 80'000);
    capture_.tick(capture_.channel("other"), 100'000);
    end_program("a");
    for (const char* limit : {"gap a < 10us", "gap b < 10us", "gap b max < 10us"})
        EXPECT_EQ(verdict(limit), Verdict::kCannotTell) << limit;
    for (const char* limit : {"gap a < 90us", "gap b < 90us"}) EXPECT_EQ(verdict(limit), Verdict::kPass) << limit;
}

TEST_F(GapLosses, ANumberThatNobodyCanHaveCountedIsUnknown) {
    const auto a = capture_.channel("a");
    ticks(a, {1'000, 2'000});
    for (int i = 0; i < 4; ++i) lose(a, 3'000 + 10 * i, std::uint64_t{1} << 62, 1);
    ticks(a, {4'000});
    EXPECT_EQ(verdict("lost a == 0"), Verdict::kCannotTell);
    EXPECT_EQ(verdict("count a == 3"), Verdict::kCannotTell);
    EXPECT_EQ(session_.lane_named("a")->uncounted_losses(), 4u);
}

TEST_F(GapLosses, AnEndWhoseBeginWasLostIsASpanThatNobodySaw) {
    capture_.thread("t", 2);
    const auto w = capture_.channel("w");
    lose(w, 10'000, 1, 1);
    capture_.end(w, 100'000, 2);
    capture_.end(w, 150'000);
    capture_.span(w, 200'000, 210'000);
    for (const char* limit : {"width w < 50us", "width w max < 50us", "width w p99 < 50us", "width w max > 50us"})
        EXPECT_EQ(verdict(limit), Verdict::kCannotTell) << limit;
    EXPECT_EQ(verdict("width w < 150us"), Verdict::kPass) << "the one of thread 2 is not of the loss";
}

TEST_F(GapLosses, OneLevelThatWasLostMayBeAPulse) {
    const auto l = capture_.channel("l");
    capture_.level(l, 1'000, false);
    lose(l, 20'000, 1, 1);
    capture_.level(l, 50'000, false);
    capture_.level(l, 60'000, true);
    capture_.level(l, 61'000, false);
    for (const char* limit : {"width l < 10us", "width l max < 10us", "width l p99 < 10us"})
        EXPECT_EQ(verdict(limit), Verdict::kCannotTell) << limit;
    EXPECT_EQ(verdict("width l max < 40us"), Verdict::kPass);
}

}  // namespace
}  // namespace sla::analysis
