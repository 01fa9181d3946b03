#include "proto/common/trigger/parser.h"

#include "proto/common/trigger/format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace sla::trigger {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string again(const std::string& text) {
    const Result<Expression> parsed = parse_expression(text);
    return parsed.ok() ? to_text(*parsed) : "error: " + parsed.error().message;
}

std::string error_of(const std::string& text) {
    const Result<Expression> parsed = parse_expression(text);
    return parsed.ok() ? "parsed as " + to_text(*parsed) : parsed.error().message;
}

std::string level_error(const std::string& text) {
    const Result<Sequencer> parsed = parse_sequencer(text);
    return parsed.ok() ? "parsed as " + to_text(*parsed) : parsed.error().message;
}

TEST(TriggerParser, ReadsEveryConditionOfTheGrammar) {
    EXPECT_EQ(again("net.rx"), "net.rx");
    EXPECT_EQ(again("a rises or b falls or c changes"), "a rises or b falls or c changes");
    EXPECT_EQ(again("a begins and b ends"), "a begins and b ends");
    EXPECT_EQ(again("a<-5 or b<=0x1f or c>2.5 or d>=1e3 or e==0 or f!=1"),
              "a < -5 or b <= 31 or c > 2.5 or d >= 1000 or e == 0 or f != 1");
    EXPECT_EQ(again("a in 1..9"), "a in 1 .. 9");
    EXPECT_EQ(again("delta rx->tx >= 1.5ms"), "delta rx -> tx >= 1500us");
    EXPECT_EQ(again("width irq.0 < 20 us"), "width irq.0 < 20us");
    EXPECT_EQ(again("gap heartbeat > 1s"), "gap heartbeat > 1s");
    EXPECT_EQ(again("rate rx > 1000 /s"), "rate rx > 1000/s over 1s");
    EXPECT_EQ(again("rate rx > 20000/s over 5ms"), "rate rx > 20000/s over 5ms");
}

TEST(TriggerParser, ReadsChannelsAndTheirEventsAsFiltersSayThem) {
    EXPECT_EQ(again("channel ~ 'net.*'"), "net.*");
    EXPECT_EQ(again("channel == net.rx"), "net.rx");
    EXPECT_EQ(again("channel = 'net.rx'"), "net.rx");
    EXPECT_EQ(again("channel == 'net.*'"), "\"net.*\"") << "a name, no pattern";
    EXPECT_EQ(again("channel ~ 'net.*' and value > 100"), "net.* > 100");
    EXPECT_EQ(again("channel ~ \"net.*\" and value in 1..9"), "net.* in 1 .. 9");
    EXPECT_EQ(again("channel ~ net.* and kind == begin"), "net.* begins");
    EXPECT_EQ(again("channel ~ net.* and kind == end or b"), "net.* ends or b");
    EXPECT_EQ(again("channel ~ 'net.*' rises"), "net.* rises");
    EXPECT_EQ(again("gap channel ~ 'net.*' > 5ms"), "gap net.* > 5ms");
    EXPECT_EQ(again("delta channel ~ 'a*' -> channel == b > 5ms"), "delta a* -> b > 5ms");
    EXPECT_EQ(again("2 x channel ~ 'net.*' and value > 1 within 1ms then b"), "2 x net.* > 1 within 1ms then b");
    EXPECT_EQ(again("channel ~ 'two words*' > 5"), "channel ~ \"two words*\" > 5");
    EXPECT_EQ(again("channel ~ 'two words*' and irq > 5"), "channel ~ \"two words*\" and irq > 5");
    // Channels that are called like fields.
    EXPECT_EQ(again("channel == 5 and value > 3"), "\"channel\" == 5 and \"value\" > 3");
    EXPECT_EQ(again("channel ~ 'a*' and value rises"), "a* and \"value\" rises");
    EXPECT_EQ(again(again("channel ~ 'a b*' and \"value\" > 3")), "channel ~ \"a b*\" and \"value\" > 3");
}

TEST(TriggerParser, SaysWhatOfAFilterATriggerDoesNotLookAt) {
    EXPECT_THAT(error_of("channel ~ 'net.*' and text ~ 'x*'"), HasSubstr("'text' is for searches and filters"));
    EXPECT_THAT(error_of("channel ~ 'net.*' and value > 1 and value < 9"), HasSubstr("'value in 1 .. 9'"));
    EXPECT_THAT(error_of("channel ~ 'net.*' and kind == level"), HasSubstr("'kind == begin' or 'kind == end'"));
    EXPECT_THAT(error_of("channel ~ 5"), HasSubstr("expected a pattern behind '~'"));
    EXPECT_THAT(error_of("channel ~ 'net.*"), HasSubstr("a quote that is never closed"));
}

TEST(TriggerParser, AndBindsCloserThanOrAndParenthesesStay) {
    const Result<Expression> parsed = parse_expression("a and b or c");
    ASSERT_TRUE(parsed.ok());
    EXPECT_EQ(parsed->stages[0].condition.kind, Condition::Kind::kOr);
    EXPECT_EQ(again("a and (b or c)"), "a and (b or c)");
    EXPECT_EQ(again("((a))"), "a");
}

TEST(TriggerParser, ReadsStagesCountsAndTimes) {
    EXPECT_EQ(again("3x retry within 1ms then reset then 2 x boot within 5s"),
              "3 x retry within 1ms then reset then 2 x boot within 5s");
    const Result<Expression> parsed = parse_expression("3 x a within 1ms then b");
    ASSERT_TRUE(parsed.ok());
    EXPECT_EQ(parsed->stages[0].count, 3u);
    EXPECT_EQ(parsed->stages[0].within_ps, 1'000'000'000);
    EXPECT_EQ(parsed->stages[1].count, 1u);
}

TEST(TriggerParser, NamesMayBePatternsOrQuoted) {
    const Result<Expression> pattern = parse_expression("irq.* or \"irq.*\" or cpu[!0].x");
    ASSERT_TRUE(pattern.ok());
    EXPECT_TRUE(pattern->stages[0].condition.parts[0].a.is_glob);
    EXPECT_FALSE(pattern->stages[0].condition.parts[1].a.is_glob);
    EXPECT_TRUE(pattern->stages[0].condition.parts[2].a.is_glob);
    EXPECT_EQ(again(R"("gap" or "a \"quoted\" \\ name" or "8042")"), R"("gap" or "a \"quoted\" \\ name" or "8042")");
    EXPECT_EQ(again("r\u00e9seau rises"), "r\u00e9seau rises");
    EXPECT_EQ(again("x"), "x");
    EXPECT_EQ(again("net-rx:0/queue rises"), "net-rx:0/queue rises");
}

// What a name may end with does not depend on what comes behind it.
TEST(TriggerParser, AClassThatHoldsNothingIsNoPartOfAName) {
    EXPECT_FALSE(parse_expression("a[^").ok());
    EXPECT_FALSE(parse_expression("a[^\n").ok());
    EXPECT_FALSE(parse_expression("a[! > 3").ok());
    EXPECT_TRUE(parse_expression("a[^b] > 3").ok());
}

TEST(TriggerParser, AnErrorPointsAtItsColumn) {
    EXPECT_EQ(error_of("net.rx then within foo"),
              "column 13: expected a channel, but 'within' is a word of the language: put a name like that in quotes\n"
              "  net.rx then within foo\n"
              "              ^");
    EXPECT_THAT(error_of("a then 5ms"), StartsWith("column 8: a number at the beginning is how often"));
    EXPECT_THAT(error_of("a and )"), StartsWith("column 7: expected a condition: a channel"));
    EXPECT_THAT(error_of("gap hb < 5ms"), StartsWith("column 8: expected '>' and a time"));
    EXPECT_THAT(error_of("a > "), StartsWith("column 5: expected a number behind the comparison, found the end"));
    EXPECT_THAT(error_of("a then b within 5"), HasSubstr("the unit is missing"));
    EXPECT_THAT(error_of("a b"), StartsWith("column 3: expected 'then', 'and', 'or', 'within' or the end, found 'b'"));
    EXPECT_THAT(error_of("(a or b"), StartsWith("column 8: expected ')', found the end"));
    EXPECT_THAT(error_of("a in 9 .. 1"), StartsWith("column 6: nothing is in this range"));
    EXPECT_THAT(error_of("\u00e9\u00e9 ?? ;"), StartsWith("column 4: ")) << "columns are characters, not bytes";
    EXPECT_THAT(error_of("delta gap -> b > 5us"), HasSubstr("put a name like that in quotes"));
    EXPECT_THAT(error_of("\"open"), HasSubstr("a quote that is never closed"));
    EXPECT_THAT(error_of(""), StartsWith("column 1: "));
}

TEST(TriggerParser, RefusesWhatNobodyCanRun) {
    EXPECT_THAT(error_of("0 x a"), HasSubstr("how often must be a whole number"));
    EXPECT_THAT(error_of("5 a"), HasSubstr("a number at the beginning is how often"));
    EXPECT_THAT(error_of("rate a > 50000000/s"), HasSubstr("over a shorter time"));
    EXPECT_THAT(error_of("rate a > 5/s over 0s"), HasSubstr("over no time"));
    EXPECT_THAT(error_of("rate a > -5/s"), HasSubstr("never negative"));
    EXPECT_THAT(error_of("2000000 x a within 1s"), HasSubstr("remembers at most"));
    EXPECT_THAT(error_of("counter n > 5"), HasSubstr("'counter' is a word of the language")) << "in levels only";
    std::string deep(40, '(');
    EXPECT_THAT(error_of(deep + "a" + std::string(40, ')')), HasSubstr("parentheses inside each other"));
    std::string many = "a";
    for (int i = 0; i < 70; ++i) many += " then a";
    EXPECT_THAT(error_of(many), HasSubstr("more than 64 stages"));
    EXPECT_THAT(error_of(std::string(40'000, 'a')), HasSubstr("longer than"));
}

TEST(TriggerParser, ReadsATriggerFile) {
    const std::string text =
        "# watches requests\n"
        "level idle\n"
        "  if request begins start t, clear n, goto busy\n"
        "level busy\n"
        "  if request ends goto idle\n"
        "  else if timer t > 5ms and counter n >= 3 trigger\n"
        "  else if 2 x retry within 1ms add n 2\n"
        "  else stay\n";
    const Result<Sequencer> parsed = parse_sequencer(text);
    ASSERT_TRUE(parsed.ok()) << parsed.error().message;
    ASSERT_EQ(parsed->levels.size(), 2u);
    EXPECT_EQ(parsed->levels[1].branches.size(), 4u);
    EXPECT_FALSE(parsed->levels[1].branches[3].test.has_value());
    const Result<Sequencer> twice = parse_sequencer(to_text(*parsed));
    ASSERT_TRUE(twice.ok());
    EXPECT_EQ(*twice, *parsed);
}

TEST(TriggerParser, ErrorsInAFileNameTheLine) {
    EXPECT_THAT(level_error("level a\n  if b goto c\n"),
                StartsWith("line 2, column 8: there is no level named 'c'\n    if b goto c\n"));
    EXPECT_THAT(level_error("level a\n  if b dance\n"), StartsWith("line 2, column 8: expected what to do"));
    EXPECT_THAT(level_error("level a\n if b stay\nlevel a\n if b stay\n"), HasSubstr("two levels named 'a'"));
    EXPECT_THAT(level_error(""), HasSubstr("there is no level"));
    EXPECT_THAT(level_error("level a\n if timer t == 5ms stay"), HasSubstr("a timer is compared with"));
    EXPECT_THAT(level_error("level a\n if b add n 1.5"), HasSubstr("whole numbers"));
}

}  // namespace
}  // namespace sla::trigger
