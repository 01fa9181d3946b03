#include "agent/member/shot_place.h"

#include "tests/unit/proto/time/simulated_host.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace sla::member {
namespace {

// Two hosts whose truth is known: the one that fires, and ours.
class ShotPlaceOf : public testing::Test {
protected:
    ShotPlaceOf() {
        theirs_.hz = 3.1e9;
        theirs_.first_tick = 5e13;
        theirs_.drift_ppb = 20'000;
        ours_.drift_ppb = -15'000;
        ours_.wall_offset_ns = 3e6;
        theirs_.wall_offset_ns = 2e6;
    }
    OwnClock::View view(const time::SimulatedHost& host, double until) {
        OwnClock clock(host.hz);
        for (const time::ClockSnapshot& one : host.snapshots(until, 10, random_)) clock.add(one);
        return *clock.view();
    }
    // As the firing host reports it.
    fleet::FleetShot shot(double at) {
        const OwnClock::View clock = view(theirs_, at);
        fleet::FleetShot shot;
        shot.set_tick(theirs_.tick(at));
        shot.set_ticks_per_second(clock.map.ticks_per_second());
        shot.set_has_utc(true);
        shot.set_utc_ns(clock.wall.utc_ns(shot.tick()));
        shot.set_utc_error_ns(clock.wall.error_ns(shot.tick()));
        shot.set_utc_bounded(clock.wall.is_bounded());
        shot.set_pre_ns(10'000'000);
        shot.set_post_ns(20'000'000);
        return shot;
    }
    // One exchange every ten seconds, whose way there takes longer than that back.
    std::vector<time::PeerReading> readings(double until) {
        std::vector<time::PeerReading> all;
        std::uniform_real_distribution<double> way(20e-6, 200e-6);
        for (double at = 1; at < until; at += 10) {
            const double there = 3 * way(random_);
            const double back = way(random_);
            const std::uint64_t sent = ours_.tick(at);
            const std::uint64_t returned = ours_.tick(at + there + back);
            const auto error = static_cast<std::int64_t>((there + back) / 2 * 1e9 * 1.001) + 1;
            all.push_back({sent + (returned - sent) / 2, theirs_.tick(at + there), error});
        }
        return all;
    }
    double off_ns(const ShotPlace& place, double at) const {
        return std::abs(static_cast<double>(static_cast<std::int64_t>(place.tick - ours_.tick(at)))) / ours_.hz * 1e9;
    }
    time::SimulatedHost ours_;
    time::SimulatedHost theirs_;
    std::mt19937_64 random_{7};
};

TEST_F(ShotPlaceOf, PingsPlaceItWithinTheirRoundTrips) {
    for (int i = 0; i < 200; ++i) {
        const double at = 40 + i * 0.37;
        const auto place = place_shot(shot(at), readings(at), view(ours_, at));
        ASSERT_TRUE(place);
        EXPECT_EQ(place->by, "pings between the agents");
        EXPECT_TRUE(place->is_bounded);
        EXPECT_LE(off_ns(*place, at), static_cast<double>(place->error_ns)) << at;
        EXPECT_LT(place->error_ns, 1'000'000);
    }
}

TEST_F(ShotPlaceOf, WithoutPingsTheWallClocksDoWithWhatTheirKernelsSay) {
    for (int i = 0; i < 200; ++i) {
        const double at = 40 + i * 0.37;
        const auto place = place_shot(shot(at), {}, view(ours_, at));
        ASSERT_TRUE(place);
        EXPECT_EQ(place->by, "both wall clocks");
        EXPECT_TRUE(place->is_bounded);
        EXPECT_LE(off_ns(*place, at), static_cast<double>(place->error_ns)) << at;
        EXPECT_GT(place->error_ns, 1'000'000);
    }
}

TEST_F(ShotPlaceOf, AClockThatNobodyKeepsIsNoBound) {
    theirs_.synchronised_from = time::SimulatedHost::kNever;
    const auto by_walls = place_shot(shot(40), {}, view(ours_, 40));
    ASSERT_TRUE(by_walls);
    EXPECT_FALSE(by_walls->is_bounded);
    const auto by_pings = place_shot(shot(40), readings(40), view(ours_, 40));
    ASSERT_TRUE(by_pings);
    EXPECT_TRUE(by_pings->is_bounded) << "pings ask no wall clock";
}

TEST_F(ShotPlaceOf, WithNeitherThereIsNoPlace) {
    fleet::FleetShot shot = this->shot(40);
    shot.set_has_utc(false);
    EXPECT_FALSE(place_shot(shot, {}, view(ours_, 40)));
    shot.set_has_utc(true);
    shot.set_utc_ns(INT64_MIN);
    EXPECT_FALSE(place_shot(shot, {}, view(ours_, 40))) << "centuries away";
    EXPECT_FALSE(place_shot(shot, {}, OwnClock(2.7e9).view() ? *OwnClock(2.7e9).view() : OwnClock::View()));
}

TEST_F(ShotPlaceOf, TheWindowIsWiderByTheErrorSoThatItHoldsTheOtherOne) {
    const fleet::FleetShot shot = this->shot(40);
    const OwnClock::View clock = view(ours_, 40);
    const std::uint64_t tick = ours_.tick(40);
    const auto ms = [&](double n) { return static_cast<std::uint64_t>(n * 1e-3 * ours_.hz); };
    const retain::Interval window = window_around({tick, 5'000'000, true, ""}, shot, clock.map);
    EXPECT_NEAR(static_cast<double>(tick - window.first), static_cast<double>(ms(15)), 1e5);
    EXPECT_NEAR(static_cast<double>(window.last - tick), static_cast<double>(ms(25)), 1e5);
    const retain::Interval at_most = window_around({tick, INT64_MAX, false, ""}, shot, clock.map);
    EXPECT_NEAR(static_cast<double>(tick - at_most.first), static_cast<double>(ms(1010)), 1e6);
    EXPECT_EQ(window_around({5, 1'000'000'000, true, ""}, shot, clock.map).first, 0u) << "nothing is before the beginning";
}

}  // namespace
}  // namespace sla::member
