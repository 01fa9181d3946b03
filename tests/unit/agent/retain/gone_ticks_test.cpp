#include "agent/retain/gone_ticks.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace sla::retain {
namespace {

TEST(GoneTicks, ReachWhatWasAddedInWhateverOrder) {
    std::mt19937 random(3);
    for (int round = 0; round < 100; round++) {
        GoneTicks gone;
        std::vector<bool> model(600);
        for (int i = 0; i < 30; i++) {
            const std::uint64_t first = random() % 500;
            const std::uint64_t last = first + random() % 40;
            gone.add(first, last);
            for (std::uint64_t tick = first; tick <= last; tick++) model[tick] = true;
            const std::uint64_t from = random() % 500;
            bool is_reached = false;
            for (std::uint64_t tick = from; tick <= from + 7; tick++) is_reached |= model[tick];
            ASSERT_EQ(gone.reach(from, from + 7), is_reached) << from;
            for (std::uint64_t tick = 0; tick < model.size(); tick++) ASSERT_EQ(gone.reach(tick, tick), model[tick]) << tick;
        }
    }
}

TEST(GoneTicks, OfVeryManyPlacesTheOldestBecomeOne) {
    GoneTicks gone;
    constexpr std::uint64_t kPlaces = GoneTicks::kMost + 10;
    for (std::uint64_t i = 1; i <= kPlaces; i++) gone.add(i * 100, i * 100 + 10);
    EXPECT_EQ(gone.size(), GoneTicks::kMost);
    EXPECT_FALSE(gone.reach(50, 99));
    EXPECT_TRUE(gone.reach(150, 160)) << "taken for granted";
    EXPECT_FALSE(gone.reach(kPlaces * 100 - 50, kPlaces * 100 - 1)) << "the newest are known";
    EXPECT_TRUE(gone.reach(kPlaces * 100 + 10, kPlaces * 100 + 90));
}

}  // namespace
}  // namespace sla::retain
