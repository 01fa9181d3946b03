#include "proto/wire/filter_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace sla::wire {
namespace {

Filter read(const std::string& text) {
    Result<Filter> filter = parse_filter(text);
    EXPECT_TRUE(filter.ok()) << text << ": " << (filter ? "" : filter.error().message);
    return filter ? *filter : Filter();
}

TEST(FilterText, EveryFormIsReadAndWrittenAgain) {
    for (const char* text : {"value > 100", "value >= -7", "value < 0", "value <= 3", "value == 5", "value != 5",
                             "value in -3..9", "value in 0.5..1.0", "value > 1e-10", "every 10", "value > 100, every 10"}) {
        EXPECT_EQ(filter_text(read(text)), filter_text(read(filter_text(read(text))))) << text;
    }
    EXPECT_EQ(filter_text(read("value>100 ,every 10")), "value > 100, every 10");
    EXPECT_EQ(filter_text(read("value in 3 .. 9")), "value in 3..9");
    EXPECT_EQ(filter_text(read("value < 2.0")), "value < 2.0");
    EXPECT_EQ(filter_text(read("none")), "");
    EXPECT_EQ(filter_text(read("every 1")), "");
}

TEST(FilterText, WholeNumbersStayWholeAndOthersAreReal) {
    Filter whole = read("value >= -9223372036854775808");
    EXPECT_FALSE(whole.real());
    EXPECT_EQ(whole.low(), std::numeric_limits<std::int64_t>::min());
    Filter range = read("value in 3..9");
    EXPECT_FALSE(range.real()) << "the dots are the range's";
    EXPECT_EQ(range.high(), 9);
    Filter real = read("value in 3..9.5");
    EXPECT_TRUE(real.real());
    EXPECT_EQ(real.real_low(), 3.0);
    EXPECT_EQ(real.real_high(), 9.5);
    EXPECT_TRUE(read("value > 10000000000000000000").real()) << "above what 64 bits with a sign hold";
}

TEST(FilterText, TheEndsOfARangeAreHeldAgainstEachOtherExactly) {
    EXPECT_FALSE(parse_filter("value in 9007199254740993..9007199254740992").ok()) << "as doubles they are the same";
    EXPECT_FALSE(parse_filter("value in 9223372036854775807..9223372036854775806").ok());
    EXPECT_EQ(read("value in 9007199254740992..9007199254740993").high(), 9007199254740993);
    EXPECT_EQ(read("value in -9223372036854775808..-9223372036854775807").low(), std::numeric_limits<std::int64_t>::min());
}

TEST(FilterText, WhatIsNoFilterIsRefusedWithItsColumn) {
    for (const char* text : {"", "value", "value >", "value ~ 3", "value > x", "value in 3", "value in 9..3", "every",
                             "every 0", "every -1", "value > 1, value < 3", "every 2, every 3", "value > 1 every 2",
                             "none of it", "value > nan", "value > inf", "value > 1,", "3 < value"}) {
        Result<Filter> filter = parse_filter(text);
        ASSERT_FALSE(filter.ok()) << text;
        EXPECT_NE(filter.error().message.find("at column"), std::string::npos) << filter.error().message;
    }
    EXPECT_NE(parse_filter("value ~ 3").error().message.find("column 7"), std::string::npos);
}

TEST(FilterText, FiltersThatNoParserMadeAreJudged) {
    Filter filter;
    EXPECT_EQ(filter_problem(filter), "");
    filter.set_real(true);
    filter.set_real_low(std::numeric_limits<double>::quiet_NaN());
    EXPECT_NE(filter_problem(filter), "");
    filter.set_real_low(0);
    filter.set_compare(static_cast<Filter::Compare>(50));
    EXPECT_NE(filter_problem(filter), "");
    EXPECT_EQ(filter_text(filter), "");
}

}  // namespace
}  // namespace sla::wire
