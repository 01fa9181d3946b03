#include "agent/daemon/drain_pace.h"

#include <gtest/gtest.h>

namespace sla::daemon {
namespace {

using std::chrono::microseconds;

Pipeline::Step step(std::size_t rings, std::size_t busy_rings, std::size_t taken, double fullness = 0.01) {
    Pipeline::Step step;
    step.rings = rings;
    step.busy_rings = busy_rings;
    step.taken = taken;
    step.fullness = taken == 0 ? 0 : fullness;
    return step;
}

microseconds sleep_after(DrainPace& pace, const Pipeline::Step& step) {
    pace.note(step);
    return pace.next_sleep();
}

TEST(DrainPace, ABusyRingIsLookedAtEveryMillisecond) {
    DrainPace pace;
    for (int i = 0; i < 10; ++i) EXPECT_EQ(sleep_after(pace, step(4, 1, 30'000)), microseconds(1000));
}

TEST(DrainPace, WhereNothingComesItSleepsLongerAndLonger) {
    DrainPace pace;
    EXPECT_EQ(sleep_after(pace, step(4, 0, 0)), microseconds(2000));
    EXPECT_EQ(sleep_after(pace, step(4, 0, 0)), microseconds(4000));
    for (int i = 0; i < 5; ++i) sleep_after(pace, step(4, 0, 0));
    EXPECT_EQ(sleep_after(pace, step(4, 0, 0)), microseconds(10'000));
    EXPECT_EQ(sleep_after(pace, step(4, 1, 10)), microseconds(1000)) << "something comes again";
}

TEST(DrainPace, ASourceAloneIsWaitedForALittleLonger) {
    DrainPace pace;
    Pipeline::Step of_source = step(0, 0, 0);
    of_source.taken_from_source = 100;
    for (int i = 0; i < 5; ++i) sleep_after(pace, of_source);
    EXPECT_EQ(sleep_after(pace, of_source), microseconds(4000));
}

TEST(DrainPace, RingsThatFillFastAreLookedAtSoon) {
    DrainPace pace;
    EXPECT_EQ(sleep_after(pace, step(1000, 1000, 30'000, 0.2)), microseconds(200));
}

TEST(DrainPace, OfManyRingsWithLittleInEachMoreIsWaitedFor) {
    DrainPace pace;
    EXPECT_EQ(sleep_after(pace, step(1000, 1000, 30'000)), microseconds(5000));
    EXPECT_EQ(sleep_after(pace, step(400, 400, 120'000)), microseconds(1000)) << "there is enough in each";
    EXPECT_EQ(sleep_after(pace, step(50, 50, 100)), microseconds(1000)) << "few rings cost little";
}

TEST(DrainPace, ARingIsNotHalfFullForIt) {
    DrainPace pace;
    EXPECT_EQ(sleep_after(pace, step(400, 400, 12'000, 0.025)), microseconds(2000));
    EXPECT_EQ(sleep_after(pace, step(400, 400, 24'000, 0.05)), microseconds(2000));
}

TEST(DrainPace, VeryManyRingsAreLookedAtLessOften) {
    DrainPace pace;
    EXPECT_EQ(sleep_after(pace, step(20'000, 50, 1000, 0.001)), microseconds(10'000));
    EXPECT_EQ(sleep_after(pace, step(1500, 50, 1000, 0.001)), microseconds(4000));
}

TEST(DrainPace, ALittleThatIsLeftInRingsIsNotNothing) {
    DrainPace pace;
    Pipeline::Step left = step(400, 400, 0);
    left.left_rings = 400;
    left.fullness = 0.01;
    for (int i = 0; i < 5; ++i) EXPECT_EQ(sleep_after(pace, left), microseconds(5000));
    left.fullness = 0.1;
    EXPECT_EQ(sleep_after(pace, left), microseconds(2500)) << "but they fill";
}

TEST(DrainPace, StepsWithoutASleepBetweenThemCountTogether) {
    DrainPace pace;
    pace.note(step(4, 1, 4096, 0.5));
    EXPECT_EQ(sleep_after(pace, step(4, 0, 0)), microseconds(200));
}

}  // namespace
}  // namespace sla::daemon
