#include "agent/retain/by_size.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace sla::retain {
namespace {

TEST(BySize, NobodyIsTheBiggestOfNone) {
    BySize by_size;
    EXPECT_FALSE(by_size.biggest().has_value());
    by_size.put(5, 100);
    EXPECT_EQ(by_size.biggest(), 5u);
    by_size.put(5, 0);
    EXPECT_FALSE(by_size.biggest().has_value());
}

TEST(BySize, TheSmallestAndTheLargestNumbersHaveAClass) {
    BySize by_size;
    by_size.put(1, 1);
    by_size.put(2, 3);
    by_size.put(3, ~std::uint64_t{0});
    EXPECT_EQ(by_size.biggest(), 3u);
    by_size.put(3, 2);
    EXPECT_EQ(by_size.biggest(), 2u);
}

TEST(BySize, WhoIsNamedHoldsAtLeastFourFifthsOfTheMost) {
    BySize by_size;
    std::map<std::uint32_t, std::uint64_t> held;
    std::mt19937_64 random(11);
    for (int i = 0; i < 20'000; i++) {
        auto channel = static_cast<std::uint32_t>(random() % 300);
        std::uint64_t bytes = random() % 5 == 0 ? 0 : random() >> random() % 63;
        by_size.put(channel, bytes);
        held[channel] = bytes;
        std::uint64_t most = 0;
        for (const auto& [id, has] : held) most = std::max(most, has);
        auto named = by_size.biggest();
        ASSERT_EQ(named.has_value(), most > 0);
        if (!named) continue;
        ASSERT_GE(static_cast<double>(held[*named]), 0.79 * static_cast<double>(most));
    }
}

}  // namespace
}  // namespace sla::retain
