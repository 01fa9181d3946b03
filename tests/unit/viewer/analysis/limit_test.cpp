#include "viewer/analysis/limits/limit.h"

#include <gtest/gtest.h>

namespace sla::analysis {
namespace {

Limit parsed(std::string_view text) {
    const auto limit = parse_limit(text);
    EXPECT_TRUE(limit.ok()) << (limit.ok() ? "" : limit.error().message);
    return limit.ok() ? *limit : Limit{};
}

TEST(Limit, TakesChannelsAsFiltersSayThem) {
    EXPECT_EQ(parsed("width channel ~ 'irq.*' p99 < 50us").channel, "irq.*");
    EXPECT_EQ(parsed("channel ~ 'a b*' -> channel ~ c < 1ms").channel, "a b*");
    EXPECT_EQ(parsed("channel ~ 'a b*' -> channel ~ c < 1ms").end, "c");
    EXPECT_EQ(parsed("count channel > 5").channel, "channel") << "a channel that is called so";
}

TEST(Limit, PairsWidthsAndGapsHaveTimes) {
    const Limit pair = parsed("irq.0->isr < 50us");
    EXPECT_EQ(pair.measure, Measure::kPair);
    EXPECT_EQ(pair.channel, "irq.0");
    EXPECT_EQ(pair.end, "isr");
    EXPECT_EQ(pair.share, Share::kEvery);
    EXPECT_EQ(pair.compare, Compare::kLess);
    EXPECT_EQ(pair.bound, 50e6);
    const Limit width = parsed("  width  net.rx p99<=2ms ");
    EXPECT_EQ(width.measure, Measure::kWidth);
    EXPECT_EQ(width.share, Share::kP99);
    EXPECT_EQ(width.compare, Compare::kLessEqual);
    EXPECT_EQ(width.bound, 2e9);
    EXPECT_EQ(parsed("width net.rx p95 < 2ms").share, Share::kP95);
    EXPECT_EQ(parsed("gap beat-1.x >= 1s").channel, "beat-1.x");
    EXPECT_EQ(parsed("a -> b mean != 1ns").share, Share::kMean);
    EXPECT_EQ(parsed("gap beat < 1.5 ms").bound, 1.5e9);
}

TEST(Limit, RatesCountsAndLossesHaveNumbers) {
    EXPECT_EQ(parsed("rate rx > 100/s").bound, 100);
    EXPECT_EQ(parsed("rate rx > 100 /s").bound, 100) << "as in triggers";
    EXPECT_EQ(parsed("count rx == 0x1f").bound, 31);
    EXPECT_EQ(parsed("rate rx > 2.5e3").bound, 2500);
    EXPECT_EQ(parsed("count rx == 100").compare, Compare::kEqual);
    EXPECT_EQ(parsed("lost == 0").channel, "");
    EXPECT_EQ(parsed("lost rx == 0").channel, "rx");
}

TEST(Limit, QuotedNamesAreChannelsWhateverTheySay) {
    EXPECT_EQ(parsed("\"my span\"->\"a<b\" < 1ms").end, "a<b");
    EXPECT_EQ(parsed("\"width\"->x < 1ms").channel, "width");
    EXPECT_EQ(parsed("gap \"a*\" < 1ms").channel, "a\\*") << "no pattern, as in triggers";
    EXPECT_EQ(parsed("gap a* < 1ms").channel, "a*");
    EXPECT_EQ(parsed("gap channel ~ \"a*\" < 1ms").channel, "a*") << "one that says so";
    EXPECT_EQ(parsed("width \"p99\" < 1ms").share, Share::kEvery);
}

struct Wrong {
    const char* text;
    std::size_t column;  // from 1
    const char* what;
};

TEST(Limit, ErrorsPointAtTheColumn) {
    for (const Wrong& wrong :
         {Wrong{"", 1, "channel's name"}, Wrong{"rx < 5us", 4, "'->'"}, Wrong{"a-> < 5us", 5, "name"},
          Wrong{"a->b 5us", 6, "comparison"}, Wrong{"a->b < 5", 8, "unit"}, Wrong{"a->b < 5us x", 12, "too much"},
          Wrong{"a->b < 1 5us", 10, "too much"}, Wrong{"a->b <", 7, "time with its unit"},
          Wrong{"count a p99 < 5", 9, "times only"}, Wrong{"count a == 1.5", 12, "whole number"},
          Wrong{"rate a > x/s", 10, "not a number"}, Wrong{"width \"a < 5us", 7, "no end"},
          Wrong{"count a == nan", 12, "not a number"}, Wrong{"lost rx ry == 0", 9, "comparison"}}) {
        const auto limit = parse_limit(wrong.text);
        ASSERT_FALSE(limit.ok()) << wrong.text;
        const std::string& message = limit.error().message;
        EXPECT_EQ(limit.error().code, ErrorCode::kInvalidInput);
        EXPECT_NE(message.find(wrong.what), std::string::npos) << message;
        EXPECT_NE(message.find("column " + std::to_string(wrong.column) + ":"), std::string::npos) << message;
        EXPECT_TRUE(message.ends_with("\n  " + std::string(wrong.column - 1, ' ') + "^")) << message;
    }
}

}  // namespace
}  // namespace sla::analysis
