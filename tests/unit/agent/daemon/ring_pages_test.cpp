#include "agent/daemon/health/ring_pages.h"

#include <gtest/gtest.h>

namespace sla::daemon {
namespace {

TEST(RingPages, GoNowAndThenWhenThereAreMany) {
    std::uint64_t mapped = RingPages::kFewBytes + 4096;
    int looks = 0;
    RingPages pages([&] {
        looks++;
        return mapped;
    });
    EXPECT_FALSE(pages.is_time(100));
    EXPECT_FALSE(pages.is_time(109.9));
    EXPECT_EQ(looks, 0) << "looking is not free";
    EXPECT_TRUE(pages.is_time(110));
    EXPECT_FALSE(pages.is_time(110.3));
    mapped = RingPages::kFewBytes;
    EXPECT_FALSE(pages.is_time(121)) << "few are worth more than the trouble";
    EXPECT_EQ(looks, 2);
}

}  // namespace
}  // namespace sla::daemon
