// Limits of a capture that is damaged or was cut off: what is missing may break what the rest keeps, and mend what it breaks.
#include "tests/unit/viewer/analysis/verdicts.h"

namespace sla::analysis {
namespace {

using DamagedVerdicts = Verdicts;

TEST_F(DamagedVerdicts, OfADamagedCaptureNothingIsKeptThatWhatIsMissingMayBreak) {
    const auto rx = capture_.channel("rx");
    for (std::uint64_t i = 0; i < 10; ++i) capture_.span(rx, 1000 + i * 1000, 1200 + i * 1000);
    capture_.fill(session_);
    filled_ = true;
    session_.add_note({6'000, "the recorder did not finish this file", true});
    for (const char* text : {"width rx < 2us", "width rx max < 2us", "width rx p99 < 2us", "count rx <= 30", "lost == 0"})
        EXPECT_EQ(verdict(text), Verdict::kCannotTell) << text;
    EXPECT_EQ(verdict("count rx >= 5"), Verdict::kPass) << "more cannot break it";
    EXPECT_EQ(verdict("width rx < 100ns"), Verdict::kFail) << "nor mend it";
    Selection part;
    part.until = 5'000;
    EXPECT_EQ(check("width rx < 2us", part).verdict, Verdict::kPass) << "what is missing lies behind";
    EXPECT_EQ(check("lost == 0", part).verdict, Verdict::kPass);
    part.until = 7'000;
    EXPECT_EQ(check("width rx < 2us", part).verdict, Verdict::kCannotTell) << "some may lie before the end";
    EXPECT_EQ(check("lost == 0", part).verdict, Verdict::kCannotTell);
}

TEST_F(DamagedVerdicts, OfADamagedCaptureNothingIsBrokenThatWhatIsMissingMayMend) {
    const auto rx = capture_.channel("rx");
    for (std::uint64_t i = 0; i < 10; ++i) capture_.span(rx, 1000 + i * 1000, 1200 + i * 1000);
    capture_.fill(session_);
    filled_ = true;
    EXPECT_EQ(verdict("count rx > 25"), Verdict::kFail);
    session_.add_note({6'000, "the recorder did not finish this file", true});
    for (const char* text :
         {"count rx > 25", "count rx >= 25", "count rx == 25", "count rx != 20", "count rx > 5 > 2900",
          "count value >= 0 == 25", "rate rx > 100000000/s", "rate rx > 5 > 400/s", "width rx max > 300ns",
          "width rx min < 100ns", "width rx p50 < 100ns", "width rx mean == 100ns"})
        EXPECT_EQ(verdict(text), Verdict::kCannotTell) << text;
    EXPECT_NE(check("count rx > 25").why.find("may mend it"), std::string::npos) << check("count rx > 25").why;
    for (const char* text : {"count rx < 15", "count rx <= 15", "count rx == 15", "width rx max < 100ns",
                             "width rx min > 300ns", "width rx > 300ns", "width rx == 1us", "gap rx < 500ns"})
        EXPECT_EQ(verdict(text), Verdict::kFail) << text;
    Selection part;
    part.until = 5'000;
    EXPECT_EQ(check("count rx > 25", part).verdict, Verdict::kFail) << "what is missing lies behind";
}

// In the middle of what is there a rate's time is known, and more events make it only higher.
TEST_F(DamagedVerdicts, ARateThatIsTooHighStaysSoWhereTheDamagedCapturesEndIsKnown) {
    const auto rx = capture_.channel("rx");
    for (std::uint64_t i = 0; i < 10; ++i) capture_.span(rx, 1000 + i * 1000, 1200 + i * 1000);
    capture_.fill(session_);
    filled_ = true;
    session_.add_note({6'000, "a chunk cannot be read", true});
    EXPECT_EQ(verdict("rate rx < 1/s"), Verdict::kFail);
    EXPECT_EQ(verdict("rate rx > 100000000/s"), Verdict::kCannotTell);
    session_.add_note({session_.watermark(), "the recorder did not finish this file", true});
    EXPECT_EQ(verdict("rate rx < 1/s"), Verdict::kCannotTell) << "it may have gone on for long, and been silent";
}

// Its end may be among what is missing; up to there it was open for sure.
TEST_F(DamagedVerdicts, WhatHasNoEndIsKnownToHaveLastedAsFarAsTheCaptureIsWhole) {
    const auto rx = capture_.channel("rx");
    const auto other = capture_.channel("other");
    capture_.begin(rx, 1'000);
    capture_.tick(other, 1'500);
    capture_.tick(other, 90'000);
    capture_.fill(session_);
    filled_ = true;
    EXPECT_EQ(verdict("width rx < 50us"), Verdict::kFail);
    session_.add_note({6'000, "a chunk cannot be read", true});
    EXPECT_EQ(verdict("width rx < 50us"), Verdict::kCannotTell);
    EXPECT_EQ(verdict("width rx max < 50us"), Verdict::kCannotTell);
    EXPECT_EQ(verdict("gap rx < 50us"), Verdict::kCannotTell);
    EXPECT_EQ(verdict("width rx < 4us"), Verdict::kFail);
    EXPECT_EQ(verdict("width rx max < 4us"), Verdict::kFail);
    EXPECT_EQ(verdict("gap rx < 4us"), Verdict::kFail);
}

TEST_F(DamagedVerdicts, ARateOfNoTimeSaysSo) {
    EXPECT_EQ(check("rate value >= 0 > 100/s").why, "nothing says over which time");
}

TEST_F(DamagedVerdicts, DamageWithoutAPlaceMayBeInAnyRange) {
    const auto rx = capture_.channel("rx");
    capture_.span(rx, 1000, 1200);
    capture_.fill(session_);
    filled_ = true;
    session_.add_note({0, "a chunk cannot be read", true});
    Selection part;
    part.until = 5'000;
    EXPECT_EQ(check("width rx < 2us", part).verdict, Verdict::kCannotTell);
}

}  // namespace
}  // namespace sla::analysis
