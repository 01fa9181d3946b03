#include "emu/cpu/stop_points.h"

#include <gtest/gtest.h>

#include <map>

namespace sla::cpu {
namespace {

using Why = StopPoints::Why;

std::optional<std::uint8_t> nothing(std::uint32_t) {
    return std::nullopt;
}

TEST(StopPoints, AnInstructionThatIsNamedStopsUntilItIsPassed) {
    StopPoints points;
    EXPECT_FALSE(points.any());
    points.add_code(0x1000);
    EXPECT_TRUE(points.any());
    EXPECT_FALSE(points.stops_at(0xFFF));
    ASSERT_TRUE(points.stops_at(0x1000));
    EXPECT_EQ(points.take()->why, Why::kCode);
    EXPECT_TRUE(points.stops_at(0x1000)) << "nobody let it go on";
    points.go_on(0x1000, nothing);
    EXPECT_FALSE(points.stops_at(0x1000));
    EXPECT_TRUE(points.stops_at(0x1000)) << "passed once, not for ever";
}

TEST(StopPoints, TwoWhoWantTheSamePlaceEachTakeTheirOwnBack) {
    StopPoints points;
    points.add_code(5);
    points.add_code(5);
    points.remove_code(5);
    EXPECT_TRUE(points.stops_at(5));
    EXPECT_TRUE(points.take());
    points.remove_code(5);
    EXPECT_FALSE(points.stops_at(5));
    points.remove_code(5);
    EXPECT_FALSE(points.any());
}

TEST(StopPoints, AStepIsSoManyInstructionsWhateverStandsThere) {
    StopPoints points;
    points.go_on(1, nothing);
    points.step(3);
    for (const std::uint32_t at : {1, 2, 2}) EXPECT_FALSE(points.stops_at(at));
    ASSERT_TRUE(points.stops_at(7));
    const auto found = points.take();
    EXPECT_EQ(found->why, Why::kStep);
    EXPECT_EQ(found->address, 7U);
    EXPECT_FALSE(points.stepping());
}

TEST(StopPoints, StepsOfSeveralCountBesideEachOther) {
    StopPoints points;
    points.go_on(1, nothing);
    const std::uint64_t longer = points.step(3);
    EXPECT_FALSE(points.stops_at(1));
    points.cancel_step(points.step(1));
    const std::uint64_t shorter = points.step(2);
    for (const std::uint32_t at : {2, 3}) EXPECT_FALSE(points.stops_at(at));
    ASSERT_TRUE(points.stops_at(4));
    EXPECT_EQ(points.take()->steps, (std::vector{longer, shorter}));
    EXPECT_FALSE(points.stepping());
    points.step(5);
    points.step(1);
    EXPECT_FALSE(points.stops_at(4));
    ASSERT_TRUE(points.stops_at(5));
    EXPECT_TRUE(points.take());
    EXPECT_FALSE(points.stepping()) << "whoever waits learns that the guest stopped before";
}

TEST(StopPoints, WhoLetsTheGuestGoOnMeanwhileAddsNoStep) {
    StopPoints points;
    points.go_on(1, nothing);
    points.step(3);
    EXPECT_FALSE(points.stops_at(1));
    points.go_on(2, nothing);
    for (const std::uint32_t at : {2, 3}) EXPECT_FALSE(points.stops_at(at));
    EXPECT_TRUE(points.stops_at(4));
}

TEST(StopPoints, ABreakpointOnTheWayEndsSteps) {
    StopPoints points;
    points.add_code(2);
    points.go_on(1, nothing);
    points.step(5);
    EXPECT_FALSE(points.stops_at(1));
    ASSERT_TRUE(points.stops_at(2));
    EXPECT_EQ(points.take()->why, Why::kCode);
    EXPECT_FALSE(points.stepping());
}

TEST(StopPoints, AccessesThatOverlapAWatchStopBeforeTheNextInstruction) {
    StopPoints points;
    points.add_watch({0x600, 2, false, true});
    points.accessed(0x5FE, 2, true);
    points.accessed(0x602, 4, true);
    points.accessed(0x600, 2, false);
    EXPECT_FALSE(points.stops_at(1));
    points.accessed(0x5FD, 4, true);
    ASSERT_TRUE(points.stops_at(1));
    const auto found = points.take();
    EXPECT_EQ(found->why, Why::kData);
    EXPECT_EQ(found->address, 0x600U);
    points.remove_watch({0x600, 2, false, true});
    EXPECT_FALSE(points.any());
}

TEST(StopPoints, AReadWatchIsDistinctFromAnAccessWatch) {
    StopPoints points;
    points.add_watch({0x600, 1, true, false});
    points.accessed(0x600, 1, true);
    EXPECT_FALSE(points.stops_at(1));
    points.accessed(0x600, 1, false);
    EXPECT_TRUE(points.take()->read_only);
    points.remove_watch({0x600, 1, true, false});
    points.add_watch({0x600, 1, true, true});
    points.accessed(0x600, 1, true);
    EXPECT_TRUE(points.take()->any_access);
}

TEST(StopPoints, WhereAccessesAreNotSeenAChangeOfTheContentsStops) {
    std::map<std::uint32_t, std::uint8_t> memory{{0x600, 1}, {0x601, 2}};
    const auto read = [&](std::uint32_t at) { return std::optional(memory[at]); };
    StopPoints points;
    points.add_watch({0x600, 2, false, true});
    points.go_on(0, read);
    points.look_for_changes(read);
    EXPECT_FALSE(points.stops_at(1));
    memory[0x601] = 3;
    points.look_for_changes(read);
    EXPECT_TRUE(points.stops_at(1));
    EXPECT_TRUE(points.take());
    points.look_for_changes(read);
    EXPECT_FALSE(points.stops_at(1));
}

TEST(StopPoints, ARunThatIsMadeAgainSaysWhichPointItNotedLast) {
    StopPoints points;
    Moment now = 0;
    points.know_time([&] { return now; });
    points.add_code(0x100);
    points.add_watch({0x600, 2, true, true});
    const auto run_again = [&](bool at_points) {
        Repeat again({.until = {10, false}, .at_points = at_points});
        points.repeat(&again);
        now = 1;
        EXPECT_FALSE(points.stops_at(0x100));
        now = 2;
        EXPECT_FALSE(points.stops_at(0x102));
        points.accessed(0x601, 1, true);
        now = 10;
        EXPECT_TRUE(points.stops_at(0x100));
        points.repeat(nullptr);
    };
    run_again(true);
    ASSERT_TRUE(points.met());
    EXPECT_EQ(points.met()->why, StopPoints::Why::kData);
    EXPECT_EQ(points.met()->address, 0x600U);
    EXPECT_TRUE(points.met()->any_access);
    run_again(false);
    EXPECT_TRUE(points.met()) << "the way to the place looks for none";
    points.remove_watch({0x600, 2, true, true});
    run_again(true);
    ASSERT_TRUE(points.met());
    EXPECT_EQ(points.met()->why, StopPoints::Why::kCode);
    points.remove_code(0x100);
    run_again(true);
    EXPECT_FALSE(points.met());
}

TEST(StopPoints, OnlyBlocksWithAPointNeedCare) {
    StopPoints points;
    points.add_code(0x105);
    EXPECT_TRUE(points.within(0x100, 6));
    EXPECT_FALSE(points.within(0x100, 5));
    EXPECT_FALSE(points.within(0x106, 5));
    points.step();
    EXPECT_TRUE(points.within(0x500, 1));
}

}  // namespace
}  // namespace sla::cpu
