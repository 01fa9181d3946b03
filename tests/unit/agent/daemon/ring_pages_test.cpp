#include "agent/daemon/health/ring_pages.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sla::daemon {
namespace {

constexpr std::uint64_t kLimit = RingPages::limit(std::uint64_t{64} << 20);
static_assert(kLimit > RingPages::kFewBytes);

TEST(RingPages, GoNowAndThenWhenThereAreMany) {
    std::uint64_t mapped = RingPages::kFewBytes + 4096;
    int looks = 0;
    RingPages pages([&] {
        looks++;
        return mapped;
    });
    EXPECT_FALSE(pages.is_time(100, 0, kLimit));
    EXPECT_FALSE(pages.is_time(109.9, 0, kLimit));
    EXPECT_EQ(looks, 0) << "looking is not free";
    EXPECT_TRUE(pages.is_time(110, 0, kLimit));
    EXPECT_FALSE(pages.is_time(110.3, 0, kLimit));
    mapped = RingPages::kFewBytes;
    EXPECT_FALSE(pages.is_time(121, 0, kLimit)) << "few are worth more than the trouble";
    EXPECT_EQ(looks, 2);
}

TEST(RingPages, GoAtOnceWhenThereAreMoreThanTheLimitHoweverFastTheyCome) {
    std::uint64_t mapped = 0;
    std::uint64_t most = 0;
    RingPages pages([&] { return mapped; });
    for (int step = 0; step < 1000; step++) {
        mapped += 1 << 20;
        most = std::max(most, mapped);
        if (pages.is_time(100 + step * 1e-3, 1 << 20, kLimit)) mapped = 0;
    }
    EXPECT_LE(most, kLimit + kLimit / RingPages::kLooks + (1 << 20));
}

TEST(RingPages, AreScarceForAWhileOnceThereWereMoreThanTheLimit) {
    std::uint64_t mapped = kLimit;
    RingPages pages([&] { return mapped; });
    EXPECT_FALSE(pages.is_time(100, kLimit, kLimit));
    EXPECT_FALSE(pages.are_scarce(100));
    mapped = kLimit + 1;
    EXPECT_TRUE(pages.is_time(101, kLimit, kLimit));
    mapped = 0;
    EXPECT_FALSE(pages.is_time(130, kLimit, kLimit));
    EXPECT_TRUE(pages.are_scarce(101 + RingPages::kScarceSeconds - 1));
    EXPECT_FALSE(pages.are_scarce(101 + RingPages::kScarceSeconds));
}

TEST(RingPages, BeyondAFewTheyCountAsLongAsTheyStay) {
    std::uint64_t mapped = RingPages::kFewBytes + 5000;
    RingPages pages([&] { return mapped; });
    pages.is_time(100, 0, kLimit);
    EXPECT_EQ(pages.counted(), 0u);
    EXPECT_FALSE(pages.is_time(101, kLimit, kLimit));
    EXPECT_EQ(pages.counted(), 5000u);
    EXPECT_TRUE(pages.is_time(110, 0, kLimit));
    EXPECT_EQ(pages.counted(), 0u) << "they are gone now";
}

}  // namespace
}  // namespace sla::daemon
