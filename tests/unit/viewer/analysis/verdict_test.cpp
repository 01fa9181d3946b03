#include "tests/unit/viewer/analysis/verdicts.h"

namespace sla::analysis {
namespace {

TEST_F(Verdicts, EveryPairMustHoldAndTheWorstIsNamed) {
    const auto a = capture_.channel("irq.0");
    const auto b = capture_.channel("isr");
    for (const std::uint64_t width : {100u, 900u, 300u}) {
        const std::uint64_t at = 10'000 + width * 10;
        capture_.tick(a, at);
        capture_.tick(b, at + width);
    }
    const Finding kept = check("irq.0->isr < 1us");
    EXPECT_EQ(kept.verdict, Verdict::kPass);
    EXPECT_EQ(kept.checked, 3u);
    const Finding broken = check("irq.0->isr < 200ns");
    EXPECT_EQ(broken.verdict, Verdict::kFail);
    EXPECT_EQ(broken.broken, 2u);
    EXPECT_EQ(broken.measured, 900'000);
    EXPECT_EQ(broken.at_tick, 19'000u);
    EXPECT_NEAR(broken.error, 22'000, 100);
    EXPECT_EQ(verdict("irq.0->isr > 50ns"), Verdict::kPass);
    EXPECT_EQ(check("irq.0->isr > 200ns").at_tick, 11'000u);
}

TEST_F(Verdicts, OfATimeOutsideOfTheCaptureNothingCanBeTold) {
    const auto a = capture_.channel("a");
    for (std::uint64_t at = 10'000; at < 20'000; at += 1000) capture_.tick(a, at);
    for (const char* limit : {"lost == 0", "count a == 0", "rate a > 1/s", "lost a == 0", "count a > 5 == 0"}) {
        const Finding behind = check(limit, {{}, 99'000, store::kNever, std::nullopt});
        EXPECT_EQ(behind.verdict, Verdict::kCannotTell) << limit;
        EXPECT_EQ(behind.why, "nothing of the capture is at that time") << limit;
        EXPECT_NE(check(limit, {{}, 15'000, store::kNever, std::nullopt}).why, behind.why) << limit;
    }
}

TEST_F(Verdicts, ABoundWithinTheErrorCannotBeDecided) {
    const auto a = capture_.channel("a");
    capture_.span(a, 1000, 2000);
    EXPECT_EQ(verdict("width a < 1030ns"), Verdict::kPass);
    EXPECT_EQ(verdict("width a < 1010ns"), Verdict::kCannotTell);
    EXPECT_EQ(verdict("width a < 990ns"), Verdict::kCannotTell);
    EXPECT_EQ(verdict("width a < 970ns"), Verdict::kFail);
    EXPECT_EQ(verdict("width a >= 970ns"), Verdict::kPass);
    EXPECT_EQ(verdict("width a >= 1030ns"), Verdict::kFail);
    EXPECT_EQ(verdict("width a == 1us"), Verdict::kCannotTell);
    EXPECT_EQ(verdict("width a != 2us"), Verdict::kPass);
    EXPECT_EQ(verdict("width a == 2us"), Verdict::kFail);
}

TEST_F(Verdicts, ALossInsideCannotBeDecidedButWhatIsBrokenElsewhereIs) {
    const auto a = capture_.channel("a");
    const auto b = capture_.channel("b");
    capture_.tick(a, 1000);
    capture_.tick(b, 1100);
    capture_.tick(a, 5000);
    capture_.gap(b, 5050, 3);
    capture_.tick(b, 5100);
    const Finding hidden = check("a->b < 1us");
    EXPECT_EQ(hidden.verdict, Verdict::kCannotTell);
    EXPECT_EQ(hidden.unknown, 1u);
    EXPECT_EQ(verdict("a->b < 50ns"), Verdict::kFail);
    EXPECT_EQ(verdict("a->b max < 1us"), Verdict::kCannotTell);
    EXPECT_EQ(verdict("a->b max < 50ns"), Verdict::kFail);  // whatever the hidden one was
    EXPECT_EQ(verdict("a->b max >= 200ns"), Verdict::kCannotTell) << "the hidden one may be as long";
    EXPECT_EQ(verdict("a->b min <= 50ns"), Verdict::kCannotTell) << "or as short";
    EXPECT_EQ(verdict("a->b min >= 200ns"), Verdict::kFail);
    EXPECT_EQ(verdict("a->b mean < 1us"), Verdict::kCannotTell);
}

TEST_F(Verdicts, AGapWithALossInsideWasAtMostAsWideAsItLooks) {
    const auto a = capture_.channel("a");
    capture_.tick(a, 1000);
    capture_.tick(a, 2000);
    capture_.gap(a, 2500, 5);
    capture_.tick(a, 3500);
    EXPECT_EQ(verdict("gap a < 2us"), Verdict::kPass);
    EXPECT_EQ(verdict("gap a < 1200ns"), Verdict::kCannotTell);
    EXPECT_EQ(verdict("gap a < 500ns"), Verdict::kFail);
}

TEST_F(Verdicts, SilenceAtTheEndIsAGapAndAnOpenSpanHasLastedThatLong) {
    const auto a = capture_.channel("a");
    const auto b = capture_.channel("b");
    const auto c = capture_.channel("c");
    capture_.tick(a, 1000);
    capture_.tick(a, 2000);
    capture_.begin(c, 1500);
    capture_.tick(c, 50'000);
    capture_.tick(b, 100'000);
    const Finding silent = check("gap a < 5us");
    EXPECT_EQ(silent.verdict, Verdict::kFail);
    EXPECT_EQ(silent.at_tick, 2000u);
    EXPECT_EQ(verdict("width c < 10us"), Verdict::kFail);
    EXPECT_EQ(verdict("width c < 1s"), Verdict::kCannotTell);
    EXPECT_NE(check("width c < 1s").why.find("1 without an end"), std::string::npos);
}

TEST_F(Verdicts, PercentilesAreNearestRanks) {
    const auto a = capture_.channel("a");
    for (std::uint64_t i = 1; i <= 100; ++i) capture_.span(a, i * 100'000, i * 100'000 + i * 100);
    EXPECT_EQ(check("width a p99 < 20us").measured, 9'900'000);
    EXPECT_EQ(check("width a min < 20us").measured, 100'000);
    EXPECT_EQ(check("width a max < 20us").measured, 10'000'000);
    EXPECT_EQ(check("width a p50 < 4us").verdict, Verdict::kFail);
    EXPECT_EQ(check("width a p50 < 6us").at_tick, 5'000'000u);
    EXPECT_EQ(check("width a mean < 6us").measured, 5'050'000);
}

TEST_F(Verdicts, CountsAndRatesCarryWhatWasLost) {
    const auto a = capture_.channel("a");
    for (std::uint64_t i = 0; i < 100; ++i) capture_.tick(a, 10'000'000 * (i + 1));
    capture_.gap(a, 1'000'000'000, 10);
    EXPECT_EQ(verdict("count a > 90"), Verdict::kPass);
    EXPECT_EQ(verdict("count a == 105"), Verdict::kCannotTell);
    EXPECT_EQ(verdict("count a == 120"), Verdict::kFail);
    EXPECT_EQ(verdict("lost a == 10"), Verdict::kPass);
    EXPECT_EQ(verdict("lost == 0"), Verdict::kFail);
    EXPECT_EQ(verdict("rate a > 90/s"), Verdict::kPass);
    EXPECT_EQ(verdict("rate a > 105/s"), Verdict::kCannotTell);
    EXPECT_EQ(verdict("rate a > 150/s"), Verdict::kFail);
}

TEST_F(Verdicts, ALossThatNobodyCountedIsNoKnownNumber) {
    const auto a = capture_.channel("a");
    for (std::uint64_t i = 0; i < 100; ++i) capture_.tick(a, 10'000'000 * (i + 1));
    capture_.gap(a, 1'000'000'000, 0, wire::LossCause::kNoAgent, 2'000'000'000);
    const Finding lost = check("lost == 0");
    EXPECT_EQ(lost.verdict, Verdict::kCannotTell);
    EXPECT_EQ(lost.why, "events were lost, and nobody knows how many");
    EXPECT_EQ(lost.at_tick, 1'000'000'000u);
    EXPECT_EQ(verdict("count a == 100"), Verdict::kCannotTell);
    EXPECT_EQ(verdict("count a >= 100"), Verdict::kPass);
    EXPECT_EQ(verdict("rate a < 1000/s"), Verdict::kCannotTell);
    Selection before;
    before.until = 900'000'000;
    EXPECT_EQ(check("lost == 0", before).verdict, Verdict::kPass);
}

TEST_F(Verdicts, WhatWasLeftOutOnPurposeIsNotLost) {
    const auto a = capture_.channel("a");
    capture_.tick(a, 10);
    capture_.gap(a, 20, 0, wire::LossCause::kLeftOut, 30);
    EXPECT_EQ(verdict("lost == 0"), Verdict::kPass);
    EXPECT_EQ(verdict("count a < 2"), Verdict::kCannotTell) << "there were more";
    EXPECT_EQ(verdict("count a == 1"), Verdict::kCannotTell);
    EXPECT_EQ(verdict("count a > 0"), Verdict::kPass);
    EXPECT_EQ(verdict("rate a < 1000/s"), Verdict::kFail) << "as many are here";
    EXPECT_EQ(check("count a == 1").why, "events were left out, and nobody knows how many");
}

TEST_F(Verdicts, ACaptureWithoutAnEndMayMissMore) {
    capture_.tick(capture_.channel("a"), 1000);
    capture_.leave_open(2000);
    EXPECT_EQ(verdict("lost == 0"), Verdict::kCannotTell);
    EXPECT_EQ(verdict("lost > 0"), Verdict::kCannotTell);
}

TEST_F(Verdicts, NothingToMeasureIsNotAPass) {
    capture_.tick(capture_.channel("a"), 1000);
    capture_.channel("b");
    EXPECT_EQ(verdict("a->b < 1s"), Verdict::kCannotTell);
    EXPECT_EQ(verdict("width a < 1s"), Verdict::kCannotTell);
}

TEST_F(Verdicts, PatternsGiveAFindingForEachChannel) {
    capture_.span(capture_.channel("net.rx"), 1000, 2000);
    capture_.span(capture_.channel("net.tx"), 1000, 9000);
    capture_.fill(session_);
    const auto findings = check_limit(session_, *parse_limit("width net.* < 2us"), {});
    ASSERT_EQ(findings.size(), 2u);
    EXPECT_EQ(findings[0].verdict, Verdict::kPass);
    EXPECT_EQ(findings[1].channel, "net.tx");
    EXPECT_EQ(findings[1].verdict, Verdict::kFail);
    const auto nothing = check_limit(session_, *parse_limit("width usb.* < 2us"), {});
    ASSERT_EQ(nothing.size(), 1u);
    EXPECT_EQ(nothing.front().verdict, Verdict::kCannotTell);
    EXPECT_NE(nothing.front().why.find("usb.*"), std::string::npos);
}

TEST_F(Verdicts, APatternOfWidthsMeansTheChannelsThatHaveSomeAndThoseOfWhichNothingCame) {
    capture_.span(capture_.channel("net.rx"), 1000, 2000);
    capture_.tick(capture_.channel("net.irq"), 1500);
    capture_.channel("net.tx");
    capture_.fill(session_);
    const auto findings = check_limit(session_, *parse_limit("width net.* < 2us"), {});
    ASSERT_EQ(findings.size(), 2u);
    EXPECT_EQ(findings[0].verdict, Verdict::kPass);
    EXPECT_EQ(findings[1].channel, "net.tx");
    EXPECT_EQ(findings[1].verdict, Verdict::kCannotTell);
    EXPECT_EQ(check_limit(session_, *parse_limit("width net.irq < 2us"), {}).front().verdict, Verdict::kCannotTell);
}

TEST_F(Verdicts, WhatLossesMayHaveSwallowedWholeCounts) {
    const auto a = capture_.channel("a");
    const auto b = capture_.channel("b");
    capture_.span(a, 1'000, 1'100);
    capture_.gap(a, 2'000, 100, wire::LossCause::kOverrun, 1'000'000);
    capture_.span(a, 1'100'000, 1'100'100);
    capture_.tick(b, 500);
    capture_.tick(b, 1'200'000);
    EXPECT_EQ(verdict("width a < 200ns"), Verdict::kCannotTell) << "one may have lasted as long as the loss";
    EXPECT_EQ(verdict("width a < 2ms"), Verdict::kPass) << "but no longer";
    EXPECT_EQ(verdict("width a max < 200ns"), Verdict::kCannotTell);
    EXPECT_EQ(verdict("width a max < 2ms"), Verdict::kPass);
    EXPECT_EQ(verdict("width a min < 200ns"), Verdict::kPass) << "more cannot make the shortest longer";
    EXPECT_EQ(verdict("width a min > 50ns"), Verdict::kCannotTell);
    EXPECT_EQ(verdict("width a max >= 200ns"), Verdict::kCannotTell) << "the one that was lost may be as long";
    EXPECT_EQ(verdict("width a max >= 2ms"), Verdict::kFail) << "but no longer than the loss";
    EXPECT_EQ(verdict("width a max >= 50ns"), Verdict::kPass);
    EXPECT_EQ(verdict("width a min <= 50ns"), Verdict::kCannotTell);
    EXPECT_EQ(verdict("width a min <= 200ns"), Verdict::kPass);
    EXPECT_EQ(verdict("width a > 50ns"), Verdict::kCannotTell);
    EXPECT_EQ(verdict("width a p99 < 200ns"), Verdict::kCannotTell);
    EXPECT_EQ(verdict("width a mean < 200ns"), Verdict::kCannotTell);
    EXPECT_EQ(verdict("width a < 50ns"), Verdict::kFail) << "whatever else there was";
    EXPECT_EQ(verdict("a->b < 1ms"), Verdict::kCannotTell) << "the loss lies inside";
    EXPECT_EQ(verdict("gap b < 2ms"), Verdict::kPass) << "nothing was lost there";
    Selection before;
    before.until = 1'900;
    EXPECT_EQ(check("width a < 200ns", before).verdict, Verdict::kPass);
}

TEST_F(Verdicts, TheLongestIsNoShorterThanWhatHasNoEnd) {
    const auto beat = capture_.channel("beat");
    const auto job = capture_.channel("job");
    for (std::uint64_t i = 1; i <= 10; ++i) capture_.tick(beat, i * 1'000);
    capture_.span(job, 2'000, 2'500);
    capture_.begin(job, 3'000);
    capture_.tick(job, 500'000);
    capture_.tick(capture_.channel("last"), 1'000'000);
    EXPECT_EQ(verdict("gap beat max < 10us"), Verdict::kFail) << "it fell silent long before the end";
    EXPECT_EQ(check("gap beat max < 10us").at_tick, 10'000u);
    EXPECT_EQ(verdict("gap beat max < 2ms"), Verdict::kPass);
    EXPECT_EQ(verdict("gap beat max > 500us"), Verdict::kPass);
    EXPECT_EQ(verdict("gap beat min >= 900ns"), Verdict::kPass);
    EXPECT_EQ(verdict("width job max < 10us"), Verdict::kFail) << "one lasts still";
    EXPECT_EQ(verdict("gap last max < 10us"), Verdict::kCannotTell) << "there is none";
}

// A program that hangs within a section marks nothing more: the other lanes say how long it has been there.
TEST_F(Verdicts, ASectionThatNeverEndsHasLastedUntilTheCaptureEnds) {
    const auto lock = capture_.channel("lock");
    capture_.span(lock, 1'000, 2'000);
    capture_.begin(lock, 5'000);
    capture_.tick(capture_.channel("beat"), 100'000);
    const Finding hang = check("width lock < 10us");
    EXPECT_EQ(hang.verdict, Verdict::kFail);
    EXPECT_EQ(hang.at_tick, 5'000u);
    EXPECT_EQ(hang.measured, 95'000'000);
    EXPECT_EQ(verdict("width lock max < 10us"), Verdict::kFail);
    EXPECT_EQ(check("width lock < 1ms").verdict, Verdict::kPass);
    EXPECT_EQ(check("width lock < 1ms").why, "1 more had no end of their own");
    Selection part;
    part.until = 8'000;
    EXPECT_EQ(check("width lock < 10us", part).verdict, Verdict::kPass) << "it lasted 3 us by then";
}

TEST_F(Verdicts, AnAnswerThatNeverComesIsWaitedForUntilTheCaptureEnds) {
    const auto question = capture_.channel("question");
    const auto answer = capture_.channel("answer");
    capture_.tick(question, 1'000);
    capture_.tick(answer, 1'500);
    capture_.tick(question, 5'000);
    capture_.tick(capture_.channel("beat"), 100'000);
    const Finding lost = check("question->answer < 10us");
    EXPECT_EQ(lost.verdict, Verdict::kFail);
    EXPECT_EQ(lost.at_tick, 5'000u);
    EXPECT_EQ(lost.measured, 95'000'000);
    Selection part;
    part.until = 8'000;
    EXPECT_EQ(check("question->answer < 10us", part).verdict, Verdict::kPass);
}

TEST_F(Verdicts, HistoryThatWasNotKeptIsNoLossButItsEventsAreMissing) {
    const auto a = capture_.channel("a");
    capture_.gap(a, 2'000, 100, wire::LossCause::kNotKept, 1'000'000);
    capture_.span(a, 1'100'000, 1'100'100);
    EXPECT_EQ(verdict("lost == 0"), Verdict::kPass);
    EXPECT_EQ(verdict("width a < 200ns"), Verdict::kCannotTell);
    EXPECT_EQ(verdict("count a <= 30"), Verdict::kCannotTell);
    EXPECT_EQ(check("count a <= 30").why, "the agent had not kept 100 events more");
    EXPECT_EQ(verdict("count a >= 2"), Verdict::kPass);
}

TEST_F(Verdicts, LossesBesideHistoryThatWasNotKeptAreCountedAlone) {
    const auto a = capture_.channel("a");
    capture_.gap(a, 2'000, 100, wire::LossCause::kNotKept, 1'000'000);
    capture_.gap(a, 1'200'000, 3, wire::LossCause::kOverrun, 1'300'000);
    capture_.gap(a, 1'400'000, 0, wire::LossCause::kNotKept, 1'500'000);
    EXPECT_EQ(check("lost == 0").verdict, Verdict::kFail);
    EXPECT_EQ(check("lost == 0").at_tick, 1'200'000u) << "where something was lost";
    EXPECT_EQ(verdict("lost == 3"), Verdict::kPass) << "what is not counted was not lost";
}

TEST_F(Verdicts, ALossThatDoesNotSayHowLongItLastedMayHaveLastedUntilTheNextRow) {
    const auto a = capture_.channel("a");
    capture_.span(a, 1'000, 1'100);
    capture_.gap(a, 2'000, 100);
    capture_.span(a, 1'000'000, 1'000'100);
    EXPECT_EQ(verdict("width a < 200ns"), Verdict::kCannotTell);
    EXPECT_EQ(verdict("width a < 2ms"), Verdict::kPass);
}

TEST_F(Verdicts, AStartThatWasLostMayHaveBegunALongerPair) {
    const auto a = capture_.channel("a");
    const auto b = capture_.channel("b");
    capture_.tick(a, 1'000);
    capture_.tick(b, 1'100);
    capture_.gap(a, 2'000, 3, wire::LossCause::kOverrun, 5'000);
    capture_.tick(b, 9'000);
    capture_.tick(a, 20'000);
    capture_.tick(b, 20'100);
    EXPECT_EQ(verdict("a->b < 1us"), Verdict::kCannotTell);
    EXPECT_EQ(verdict("a->b < 8us"), Verdict::kPass) << "from 2000 to 9000 at most";
    EXPECT_EQ(verdict("a->b p99 < 1us"), Verdict::kCannotTell);
}

}  // namespace
}  // namespace sla::analysis
