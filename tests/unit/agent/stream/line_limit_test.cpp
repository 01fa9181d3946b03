#include "agent/stream/line_limit.h"

#include <gtest/gtest.h>

namespace sla::stream {
namespace {

using namespace std::chrono_literals;

const LineLimit::Time kFirstLine{1h};

TEST(LineLimit, LetsSoManyThroughThenOneInTenSecondsThatCountsTheRest) {
    LineLimit limit(3);
    for (int i = 0; i < 3; i++) EXPECT_EQ(limit.admit("a", kFirstLine), "a");
    for (int i = 0; i < 1000; i++) EXPECT_EQ(limit.admit("a", kFirstLine + 9s), std::nullopt);
    EXPECT_EQ(limit.admit("b", kFirstLine + 10s), "b (left out before it: 1000 lines)");
    EXPECT_EQ(limit.admit("b", kFirstLine + 19s), std::nullopt);
    EXPECT_EQ(limit.admit("c", kFirstLine + 20s), "c (left out before it: 1 line)");
}

TEST(LineLimit, AfterAQuietTimeLetsAsManyThroughAsAtFirstAndNoMore) {
    LineLimit limit(2);
    for (int i = 0; i < 2; i++) EXPECT_TRUE(limit.admit("a", kFirstLine));
    EXPECT_FALSE(limit.admit("a", kFirstLine));
    const LineLimit::Time later = kFirstLine + 24h;
    EXPECT_EQ(limit.admit("a", later), "a (left out before it: 1 line)");
    EXPECT_EQ(limit.admit("a", later), "a");
    EXPECT_FALSE(limit.admit("a", later));
}

TEST(LineLimit, OfOneALineIsWhatLoginsHave) {
    LineLimit limit(1);
    EXPECT_TRUE(limit.admit("a", kFirstLine));
    EXPECT_FALSE(limit.admit("a", kFirstLine + 9999ms));
    EXPECT_TRUE(limit.admit("a", kFirstLine + 10s));
}

}  // namespace
}  // namespace sla::stream
