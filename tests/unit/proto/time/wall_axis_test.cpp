#include "proto/time/wall_axis.h"

#include "tests/unit/proto/time/simulated_host.h"

#include <gtest/gtest.h>

namespace sla::time {
namespace {

constexpr double kUntil = 200;

class WallAxisOf : public ::testing::Test {
protected:
    WallAxis axis() {
        const std::vector<ClockSnapshot> all = host_.snapshots(kUntil, 10, random_);
        return WallAxis::of(all, ClockMap::fit(all, all.front().tick));
    }
    // How far UTC by the axis is off the truth.
    double off_ns(const WallAxis& axis, double at) const {
        return std::abs(static_cast<double>(axis.utc_ns(host_.tick(at)) - host_.utc_ns(at)));
    }
    void expect_bound_everywhere(const WallAxis& axis) const {
        for (double at = 0.5; at < kUntil; at += 0.7) {
            EXPECT_LE(off_ns(axis, at), static_cast<double>(axis.error_ns(host_.tick(at)))) << "at " << at << " s";
        }
    }
    SimulatedHost host_;
    std::mt19937_64 random_{1};
};

TEST_F(WallAxisOf, ASteadyHostIsWithinWhatTheKernelSaysAndWhatItAddsEverySecond) {
    host_.drift_ppb = 30'000;
    host_.wall_offset_ns = 2e6;
    const WallAxis wall = axis();
    EXPECT_TRUE(wall.is_bounded());
    EXPECT_EQ(wall.problem(), "");
    EXPECT_TRUE(wall.jumps().empty());
    expect_bound_everywhere(wall);
    EXPECT_LT(wall.error_ns(host_.tick(100)), 8'000'000);
}

TEST_F(WallAxisOf, AStepOfTheWallClockIsAJumpAndBendsNothingBesideIt) {
    host_.set_at = 95;
    host_.set_by_ns = 4e8;
    const WallAxis wall = axis();
    ASSERT_EQ(wall.jumps().size(), 1U);
    const WallJump& jump = wall.jumps().front();
    EXPECT_EQ(jump.kind, WallJump::Kind::kSet);
    EXPECT_LE(jump.jump.from_tick, host_.tick(95));
    EXPECT_GE(jump.jump.until_tick, host_.tick(95));
    EXPECT_NEAR(static_cast<double>(jump.jump.size_ns), 4e8, static_cast<double>(jump.jump.error_ns));
    expect_bound_everywhere(wall);
    EXPECT_LT(off_ns(wall, 120), 2000) << "behind the step it is the wall clock's own reading";
    EXPECT_LT(wall.error_ns(host_.tick(150)), 3'000'000);
}

TEST_F(WallAxisOf, AKernelThatCalledAWrongClockGoodIsFoundOutAndBelievedLess) {
    host_.set_at = 95;
    host_.set_by_ns = 4e8;
    host_.kernel_knows = false;
    const WallAxis wall = axis();
    EXPECT_NEAR(static_cast<double>(wall.contradiction_ns()), 4e8, 2e7);
    EXPECT_NE(wall.problem().find("although the kernel called it good"), std::string::npos) << wall.problem();
    expect_bound_everywhere(wall);
}

TEST_F(WallAxisOf, ALeapSecondIsAJumpThatContradictsNobody) {
    host_.leap_at = 95;
    const WallAxis wall = axis();
    ASSERT_EQ(wall.jumps().size(), 1U);
    EXPECT_EQ(wall.jumps().front().kind, WallJump::Kind::kLeap);
    EXPECT_NEAR(static_cast<double>(wall.jumps().front().jump.size_ns), -1e9, 6e6);
    EXPECT_EQ(wall.contradiction_ns(), 0);
    expect_bound_everywhere(wall);
    EXPECT_LT(wall.error_ns(host_.tick(50)), 3'000'000) << "only the seconds around it are uncertain";
    EXPECT_GT(wall.error_ns(host_.tick(95)), 400'000'000);
}

TEST_F(WallAxisOf, AMovedVirtualMachineIsAJumpOfTheCounter) {
    host_.moved_at = 95;
    host_.moved_by_ns = 3e9;
    const WallAxis wall = axis();
    ASSERT_EQ(wall.jumps().size(), 1U);
    EXPECT_EQ(wall.jumps().front().kind, WallJump::Kind::kCounter);
    EXPECT_EQ(wall.contradiction_ns(), 0);
    expect_bound_everywhere(wall);
    EXPECT_LT(wall.error_ns(host_.tick(150)), 3'000'000);
}

TEST_F(WallAxisOf, AHostThatIsSynchronisedLaterIsBoundedBackwardsFromThere) {
    host_.synchronised_from = 100;
    const WallAxis wall = axis();
    EXPECT_TRUE(wall.is_bounded());
    expect_bound_everywhere(wall);
    EXPECT_GT(wall.error_ns(host_.tick(20)), wall.error_ns(host_.tick(150)));
}

// As imported captures may have it: a tick is 100 ns, and readings are so many ticks off.
TEST_F(WallAxisOf, ABoundThatIsCarriedGrowsByTheReadingsErrorsInNanoseconds) {
    host_.hz = 1e7;
    host_.synchronised_from = 100;
    const std::vector<ClockSnapshot> all = host_.snapshots(kUntil, 10, random_);
    const auto error_with = [&](std::uint32_t more_ticks) {
        std::vector<ClockSnapshot> worse = all;
        for (ClockSnapshot& snapshot : worse) snapshot.error_ticks += more_ticks;
        return WallAxis::of(worse, ClockMap::fit(all, all.front().tick)).error_ns(host_.tick(20));
    };
    // Of the bound's reading, and of both that it is carried by.
    EXPECT_NEAR(static_cast<double>(error_with(10'000) - error_with(0)), 3 * 10'000 * 100, 3e5);
}

TEST_F(WallAxisOf, ANeverSynchronisedHostHasNoBoundAndSaysSo) {
    host_.synchronised_from = SimulatedHost::kNever;
    const WallAxis wall = axis();
    EXPECT_FALSE(wall.empty());
    EXPECT_FALSE(wall.is_bounded());
    EXPECT_NE(wall.problem().find("not synchronised"), std::string::npos) << wall.problem();
}

TEST_F(WallAxisOf, ACaptureOfAnOlderAgentHasReadingsAndClaimsNothing) {
    std::vector<ClockSnapshot> all = host_.snapshots(kUntil, 10, random_);
    for (ClockSnapshot& snapshot : all) {
        snapshot.wall = {};
        snapshot.realtime_error_ticks = 0;
    }
    const WallAxis wall = WallAxis::of(all, ClockMap::fit(all, all.front().tick));
    EXPECT_FALSE(wall.is_bounded());
    EXPECT_EQ(wall.problem(), "") << "nothing was said, so nothing is";
    EXPECT_LT(off_ns(wall, 100), 3000);
    EXPECT_TRUE(WallAxis::of({}, ClockMap()).empty());
}

TEST_F(WallAxisOf, APtpClockThatSomebodyVouchesForIsTheTighterBound) {
    std::vector<ClockSnapshot> all = host_.snapshots(kUntil, 10, random_);
    for (ClockSnapshot& snapshot : all) {
        snapshot.realtime_ns += 900'000;  // the wall clock is wrong, within what the kernel says
        snapshot.wall.ptp_device = 0;
        snapshot.wall.ptp_offset_ns = 37'000'000'000 - 900'000;  // in TAI
        snapshot.wall.ptp_error_ns = 300;
        snapshot.wall.ptp_clock_error_ns = 500;
    }
    const WallAxis wall = WallAxis::of(all, ClockMap::fit(all, all.front().tick));
    expect_bound_everywhere(wall);
    EXPECT_LT(wall.error_ns(host_.tick(100)), 30'000) << "and the ten seconds between two readings";
    for (ClockSnapshot& snapshot : all) snapshot.wall.ptp_clock_error_ns = 0;
    const WallAxis unvouched = WallAxis::of(all, ClockMap::fit(all, all.front().tick));
    EXPECT_GT(unvouched.error_ns(host_.tick(100)), 1'000'000) << "a device alone is no bound";
}

TEST(WallAxis, HostileReadingsAreSurvived) {
    std::vector<ClockSnapshot> all;
    for (const std::int64_t ns : {INT64_MAX, std::int64_t{1}, INT64_MIN, INT64_MAX / 2}) {
        ClockSnapshot one;
        one.tick = static_cast<std::uint64_t>(ns);
        one.realtime_ns = ns;
        one.monotonic_raw_ns = ~ns;  // as -ns, which the least of them does not have
        one.error_ticks = one.realtime_error_ticks = UINT32_MAX;
        one.wall.state = WallState::kSynchronised;
        one.wall.max_error_ns = 1'000'000'000'000;
        all.push_back(one);
    }
    const WallAxis wall = WallAxis::of(all, ClockMap::fit(all, 5));
    for (const std::uint64_t tick : {std::uint64_t{0}, std::uint64_t{1} << 62, ~std::uint64_t{0}}) {
        EXPECT_GE(wall.error_ns(tick), 0);
        EXPECT_LE(wall.utc_ns(tick), INT64_MAX);
    }
}

}  // namespace
}  // namespace sla::time
