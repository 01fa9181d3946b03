// A capture held against another one: both error bars count.
#include "viewer/analysis/limits/change.h"

#include "tests/support/capture_builder.h"
#include "tests/unit/viewer/analysis/random_sums.h"

#include <gtest/gtest.h>

namespace sla::analysis {
namespace {

// One tick a nanosecond; a stamp costs 20 ticks, so every time is ± 22 ns and a little.
class Changes : public ::testing::Test {
protected:
    // Spans of net.rx with these widths, and so many ticks of irq.0.
    static void fill(store::Session& session, const std::vector<std::uint64_t>& widths, int irqs) {
        support::CaptureBuilder capture{0, 1e9, 20};
        const auto rx = capture.channel("net.rx");
        const auto irq = capture.channel("irq.0");
        std::uint64_t at = 10'000;
        for (const std::uint64_t width : widths) {
            capture.span(rx, at, at + width);
            at += width + 1000;
        }
        for (int i = 0; i < irqs; ++i) capture.tick(irq, 20'000 + static_cast<std::uint64_t>(i) * 100);
        capture.fill(session);
    }
    Changed check(const std::string& text) {
        const auto change = parse_change(text);
        EXPECT_TRUE(change.ok()) << text;
        const Selection all;
        const auto found = check_changes({*change}, {before_, all}, {after_, all});
        EXPECT_EQ(found.size(), 1u) << text;
        return found.front();
    }
    Verdict verdict(const std::string& text) { return check(text).verdict; }

    store::Session before_;
    store::Session after_;
};

TEST_F(Changes, AFigureMayGrowBySoMuchAndNoMore) {
    fill(before_, {1000, 1000, 2000}, 10);
    fill(after_, {1100, 1100, 2500}, 12);
    EXPECT_EQ(verdict("width net.rx p50 < +20%"), Verdict::kPass);
    EXPECT_EQ(verdict("width net.rx p50 < 120%"), Verdict::kPass);
    EXPECT_EQ(verdict("width net.rx p50 < +1%"), Verdict::kFail);
    EXPECT_EQ(verdict("width net.rx p50 < +200ns"), Verdict::kPass);
    EXPECT_EQ(verdict("width net.rx max < +400ns"), Verdict::kFail);
    EXPECT_EQ(verdict("width net.rx max > +400ns"), Verdict::kPass);
    EXPECT_EQ(verdict("width net.rx max > -10%"), Verdict::kPass);
    EXPECT_EQ(verdict("count irq.0 <= +2"), Verdict::kPass);
    EXPECT_EQ(verdict("count irq.0 < +2"), Verdict::kFail);
    EXPECT_EQ(verdict("count irq.0 == 120%"), Verdict::kPass);
}

TEST_F(Changes, WhatBothErrorsLeaveOpenCannotBeDecided) {
    fill(before_, {1000}, 1);
    fill(after_, {1100}, 1);
    const Changed open = check("width net.rx max < +100ns");
    EXPECT_EQ(open.verdict, Verdict::kCannotTell);
    EXPECT_EQ(open.why, "the bound lies within the errors");
    EXPECT_EQ(verdict("width net.rx max < +140ns"), Verdict::kCannotTell) << "40 ns are within one error, not within two";
    EXPECT_EQ(verdict("width net.rx max < +150ns"), Verdict::kPass);
    EXPECT_EQ(verdict("width net.rx max < +50ns"), Verdict::kFail);
}

TEST_F(Changes, WhatIsMissingOnOneSideIsSaidAndOnBothToo) {
    fill(before_, {1000}, 1);
    fill(after_, {}, 5);
    const Changed gone = check("width net.rx p99 < +10%");
    EXPECT_EQ(gone.verdict, Verdict::kCannotTell);
    EXPECT_EQ(gone.why, "there is nothing to measure in the new capture");
    const Selection all;
    const auto none = check_changes({*parse_change("gap usb p99 < +10%")}, {before_, all}, {after_, all});
    ASSERT_EQ(none.size(), 1u);
    EXPECT_EQ(none[0].verdict, Verdict::kCannotTell);
    EXPECT_NE(none[0].why.find("neither capture"), std::string::npos);
}

TEST_F(Changes, OfADamagedCaptureNothingIsBrokenOrKeptThatWhatIsMissingMayChange) {
    fill(before_, {1000, 1000, 2000}, 10);
    fill(after_, {1100, 1100, 2500}, 5);
    after_.add_note({25'000, "the recorder did not finish this file", true});
    for (const char* text :
         {"count irq.0 >= +0", "count irq.0 == +0", "count irq.0 <= +0", "rate irq.0 > 90%", "rate irq.0 < 110%",
          "width net.rx p50 < +1%", "width net.rx p50 < +20%", "width net.rx max < +1ms", "width net.rx max > +1ms",
          "width net.rx min < -500ns", "width net.rx min > -500ns"})
        EXPECT_EQ(verdict(text), Verdict::kCannotTell) << text;
    EXPECT_NE(check("count irq.0 >= +0").why.find("may mend it"), std::string::npos) << check("count irq.0 >= +0").why;
    EXPECT_NE(check("count irq.0 <= +0").why.find("may break it"), std::string::npos) << check("count irq.0 <= +0").why;
    for (const char* text : {"count irq.0 >= 40%", "width net.rx max > +400ns", "width net.rx min < +500ns"})
        EXPECT_EQ(verdict(text), Verdict::kPass) << text << ": more cannot break it";
    for (const char* text : {"count irq.0 < 40%", "width net.rx max < +400ns", "width net.rx min > +500ns"})
        EXPECT_EQ(verdict(text), Verdict::kFail) << text << ": nor mend it";
}

// More events in the old one raise what is allowed.
TEST_F(Changes, ADamagedCaptureThatIsComparedWithLeavesItsFigureOpenToo) {
    fill(before_, {1000}, 5);
    fill(after_, {1500}, 10);
    before_.add_note({20'300, "a chunk cannot be read", true});
    EXPECT_EQ(verdict("count irq.0 <= +0"), Verdict::kCannotTell);
    EXPECT_EQ(verdict("count irq.0 >= +0"), Verdict::kCannotTell);
    EXPECT_EQ(verdict("count irq.0 <= 200%"), Verdict::kPass) << "it was no less";
    EXPECT_EQ(verdict("count irq.0 > 300%"), Verdict::kFail);
    EXPECT_EQ(verdict("width net.rx max < +100ns"), Verdict::kCannotTell);
    EXPECT_EQ(verdict("lost == +0"), Verdict::kCannotTell);
}

TEST_F(Changes, ChangesAreReadAsTheyAreTyped) {
    EXPECT_DOUBLE_EQ(parse_change("gap a p99 < +12.5%")->factor, 1.125);
    EXPECT_DOUBLE_EQ(parse_change("gap a p99 > -5%")->factor, 0.95);
    EXPECT_DOUBLE_EQ(parse_change("gap a p99 > 90%")->factor, 0.9);
    EXPECT_DOUBLE_EQ(parse_change("gap a p99 < -2us")->amount, -2e6);
    EXPECT_DOUBLE_EQ(parse_change("rate a > -10/s")->amount, -10);
    for (const char* wrong : {"gap a < +10%", "gap a p99 < 10us", "gap a p99 < +%", "gap a p99 < +1e3%", "gap a p99 > -101%",
                              "count a < 5", "count a < +1.5", "gap a p99 < +10% 3", "gap a p99 <", "gap a p99 < \"+10%\""})
        EXPECT_EQ(parse_change(wrong).error().code, ErrorCode::kInvalidInput) << wrong;
}

// Percentiles of rows in a file are taken from its sums where these suffice, and exactly where they do not.
class PagedChanges : public RandomSums {};

TEST_F(PagedChanges, AreReadExactlyWhereBinsDoNotSay) {
    write(5, 30);
    store::Session paged;
    store::Session whole;
    open(paged, whole);
    const Selection all;
    for (const char* text : {"gap c2 p50 <= +1%", "gap c3 p99 >= -1%", "gap c2 mean < +1000s", "gap * max <= +1s"}) {
        const Change change = *parse_change(text);
        const auto reported = check_changes({change}, {whole, all}, {paged, all});
        const auto is = check_changes({change}, {whole, all}, {whole, all});
        ASSERT_EQ(reported.size(), is.size());
        for (std::size_t i = 0; i < reported.size(); ++i)
            EXPECT_EQ(reported[i].verdict, is[i].verdict) << text << " of " << is[i].channel << ": " << reported[i].why;
    }
}

TEST_F(PagedChanges, SayTogetherWhatEachSaysAlone) {
    write(6, 30);
    store::Session paged;
    store::Session whole;
    open(paged, whole);
    const Selection all;
    const std::vector<Change> changes = {*parse_change("gap c2 p50 <= +1%"), *parse_change("gap c3 max >= -1%"),
                                         *parse_change("count * < +10%"), *parse_change("c1->c2 mean < +1s"),
                                         *parse_change("gap c2 mean < +1000s")};
    const auto together = check_changes(changes, {whole, all}, {paged, all});
    std::size_t place = 0;
    for (const Change& change : changes) {
        const auto alone = check_changes({change}, {whole, all}, {paged, all});
        for (const Changed& one : alone) {
            ASSERT_LT(place, together.size());
            const Changed& of_all = together[place++];
            EXPECT_EQ(of_all.limit, one.limit);
            EXPECT_EQ(of_all.channel, one.channel);
            EXPECT_EQ(of_all.verdict, one.verdict) << one.limit << " of " << one.channel;
            EXPECT_EQ(of_all.after.measured, one.after.measured) << one.limit << " of " << one.channel;
            EXPECT_EQ(of_all.why, one.why);
        }
    }
    EXPECT_EQ(place, together.size());
}

}  // namespace
}  // namespace sla::analysis
