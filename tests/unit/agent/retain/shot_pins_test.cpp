#include "agent/retain/shot_pins.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <random>

namespace sla::retain {
namespace {

TEST(ShotPins, ABatchIsNeededWhenItsEventsOrTheStateBehindThemReachAWindow) {
    ShotPins pins;
    EXPECT_FALSE(pins.any());
    pins.add(1, {100, 200}, true);
    EXPECT_TRUE(pins.any());
    EXPECT_TRUE(pins.reach(150, 160));
    EXPECT_TRUE(pins.reach(50, 300));
    EXPECT_TRUE(pins.reach(200, 300));
    EXPECT_TRUE(pins.reach(10, 101)) << "what it tells holds until 101";
    EXPECT_FALSE(pins.reach(10, 100)) << "the next one begins with the window";
    EXPECT_FALSE(pins.reach(201, 300));
}

TEST(ShotPins, WindowsOfSeveralTriggersMayOverlapAndComeInAnyOrder) {
    ShotPins pins;
    pins.add(1, {100, 200}, true);
    pins.add(2, {400, 500}, true);
    pins.add(3, {150, 300}, true);
    for (const std::uint64_t tick : {100u, 199u, 250u, 300u, 400u, 500u}) EXPECT_TRUE(pins.reach(tick, tick + 1)) << tick;
    for (const std::uint64_t tick : {99u, 301u, 399u, 501u}) EXPECT_FALSE(pins.reach(tick, tick + 1)) << tick;
    const std::optional<Interval> gone = pins.shrink();
    ASSERT_TRUE(gone.has_value());
    EXPECT_EQ(gone->first, 100u);
    EXPECT_EQ(gone->last, 149u) << "the third shot needs the rest";
    EXPECT_FALSE(pins.reach(120, 130));
    EXPECT_TRUE(pins.reach(160, 170)) << "the third shot's";
}

TEST(ShotPins, OfAShotThatGoesNothingIsFreeWhereOthersNeedAllOfIt) {
    ShotPins pins;
    pins.add(1, {100, 200}, true);
    pins.add(2, {50, 150}, true);
    pins.add(3, {151, 300}, true);
    pins.add(4, {170, 180}, true);
    EXPECT_FALSE(pins.shrink().has_value());
    const std::optional<Interval> gone = pins.shrink();
    ASSERT_TRUE(gone.has_value());
    EXPECT_EQ(gone->first, 50u);
    EXPECT_EQ(gone->last, 150u);
    EXPECT_TRUE(pins.shrink().has_value()) << "the fourth needs its middle alone";
    EXPECT_TRUE(pins.reach(175, 176));
    EXPECT_FALSE(pins.reach(200, 201));
}

TEST(ShotPins, AWindowThatIsCutNeedsNothingBehindItsNewEnd) {
    ShotPins pins;
    pins.add(1, {100, 200}, true);
    pins.add(2, {150, 10'000}, true);
    pins.add(3, {5000, 5100}, true);
    EXPECT_FALSE(pins.cut(1, {150, 10'000}, 300).has_value()) << "it has no such shot";
    const std::optional<Interval> gone = pins.cut(2, {150, 10'000}, 300);
    ASSERT_TRUE(gone.has_value());
    EXPECT_EQ(gone->first, 301u);
    EXPECT_EQ(gone->last, 10'000u);
    for (const std::uint64_t tick : {100u, 250u, 300u, 5000u, 5100u}) EXPECT_TRUE(pins.reach(tick, tick + 1)) << tick;
    for (const std::uint64_t tick : {301u, 4999u, 5101u, 10'000u}) EXPECT_FALSE(pins.reach(tick, tick + 1)) << tick;
    for (int i = 0; i < 2; i++) EXPECT_TRUE(pins.shrink().has_value());
    EXPECT_FALSE(pins.reach(250, 251));
    EXPECT_TRUE(pins.reach(5000, 5001));
    EXPECT_EQ(pins.lacking(2), 0u);
    pins.give_up({301, 400});
    EXPECT_EQ(pins.lacking(2), 0u) << "not the window's any more";
    pins.give_up({290, 300});
    EXPECT_EQ(pins.lacking(2), 1u);
}

TEST(ShotPins, OfAWindowWhoseBeginningIsGoneTheRestIsCutToo) {
    ShotPins pins;
    pins.add(1, {0, 800}, true);
    for (int i = 0; i < 4; i++) EXPECT_TRUE(pins.shrink().has_value());
    EXPECT_TRUE(pins.cut(1, {0, 800}, 200).has_value());
    EXPECT_FALSE(pins.reach(500, 501));
    while (pins.any()) (void)pins.shrink();
    EXPECT_EQ(pins.size(), 0u);
}

TEST(ShotPins, TheLastShotGivesItsBeginningInEighths) {
    ShotPins pins;
    pins.add(4, {1000, 1800}, true);
    int steps = 0;
    std::uint64_t gone_until = 999;
    while (pins.any()) {
        const std::optional<Interval> gone = pins.shrink();
        ASSERT_TRUE(gone.has_value());
        EXPECT_EQ(gone->first, gone_until + 1);
        gone_until = gone->last;
        steps++;
        EXPECT_EQ(pins.reach(1800, 1801), pins.any());
        EXPECT_FALSE(pins.reach(0, gone_until + 1));
    }
    EXPECT_EQ(steps, 9);
    EXPECT_EQ(gone_until, 1800u);
    EXPECT_EQ(pins.lacking(4), 0u) << "nothing of it has gone yet";
    pins.give_up({100, 999});
    EXPECT_EQ(pins.lacking(4), 0u);
    pins.give_up({900, 1000});
    pins.give_up({1001, 1100});
    EXPECT_EQ(pins.lacking(4), 1u) << "counted once";
}

TEST(ShotPins, AShotThatCameTooLateForItsBeginningIsNotWhole) {
    ShotPins pins;
    pins.add(1, {100, 200}, false);
    pins.add(1, {300, 400}, true);
    EXPECT_EQ(pins.lacking(1), 1u);
    pins.shrink();
    EXPECT_FALSE(pins.any_loose()) << "it was not whole";
    pins.shrink();
    EXPECT_TRUE(pins.any_loose());
    EXPECT_EQ(pins.lacking(1), 1u);
    pins.give_up({250, 320});
    EXPECT_FALSE(pins.any_loose());
    EXPECT_EQ(pins.lacking(1), 2u);
    EXPECT_EQ(pins.lacking(9), 0u);
}

TEST(ShotPins, OfVeryManyShotsWithoutProtectionTheOldestCountAsNotWhole) {
    ShotPins pins;
    for (std::uint64_t i = 0; i < 100; i++) pins.add(2, {1000 * i, 1000 * i + 10}, true);
    for (int i = 0; i < 99; i++) pins.shrink();
    EXPECT_EQ(pins.lacking(2), 99u - 64u);
}

TEST(ShotPins, OfManyWindowsReachAfterEachThatGoesWhatIsLeftOfThem) {
    std::mt19937 random(7);
    for (int round = 0; round < 50; round++) {
        ShotPins pins;
        std::deque<Interval> windows;
        for (int i = 0; i < 20; i++) {
            const std::uint64_t first = 10 + random() % 400;
            windows.push_back({first, first + random() % 60});
            pins.add(1, windows.back(), true);
        }
        while (windows.size() > 1) {
            const Interval oldest = windows.front();
            const std::optional<Interval> gone = pins.shrink();
            windows.pop_front();
            for (std::uint64_t tick = 0; tick < 500; tick++) {
                const bool is_needed = std::any_of(windows.begin(), windows.end(), [tick](const Interval& window) {
                    return window.first <= tick && tick <= window.last;
                });
                ASSERT_EQ(pins.reach(tick, tick + 1), is_needed) << tick;
                if (is_needed || tick < oldest.first || tick > oldest.last) continue;
                ASSERT_TRUE(gone && gone->first <= tick && tick <= gone->last) << tick;
            }
        }
    }
}

}  // namespace
}  // namespace sla::retain
