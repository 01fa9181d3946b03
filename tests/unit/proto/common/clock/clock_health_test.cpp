#include "proto/common/clock/clock_health.h"

#include <gtest/gtest.h>

#include <string>

namespace sla::time {
namespace {

// A counter of so many ticks a nanosecond, read every second with an error of 60 ticks, that a test can bend.
class SimulatedClock {
public:
    explicit SimulatedClock(HealthWatch& watch) : watch_(watch) { read(); }
    void run(int seconds) {
        for (int i = 0; i < seconds; ++i) {
            ns_ += 1'000'000'000;
            tick_ += 1e9 * ticks_per_ns_;
            read();
        }
    }
    void jump(double ticks) { tick_ += ticks; }
    void change_rate(double factor) { ticks_per_ns_ *= factor; }

private:
    void read() {
        ClockSnapshot snapshot;
        snapshot.tick = static_cast<std::uint64_t>(tick_) + (noise_++ % 2 == 0 ? 30 : 0);
        snapshot.monotonic_raw_ns = ns_;
        snapshot.error_ticks = 60;
        snapshot.stamp_ticks = 34;
        watch_.on_snapshot(snapshot);
    }

    HealthWatch& watch_;
    double tick_ = 1e12;
    std::int64_t ns_ = 5'000'000'000;
    double ticks_per_ns_ = 2.7;
    int noise_ = 0;
};

class ClockHealthOf : public ::testing::Test {
protected:
    HealthWatch watch_{StampClock::kTsc, true};
    const ClockHealth& health() const { return watch_.health(); }
    bool complains_of(const std::string& what) const { return health().problem().find(what) != std::string::npos; }
};

TEST_F(ClockHealthOf, ASteadyCounterHasNoProblem) {
    SimulatedClock clock(watch_);
    clock.run(100);
    EXPECT_EQ(health().problem(), "");
    EXPECT_EQ(health().drift_ppb, 0);
    EXPECT_EQ(health().stamp_ticks, 34U);
    EXPECT_NE(health().text().find("no drift seen"), std::string::npos) << health().text();
}

TEST_F(ClockHealthOf, ACounterThatRunsALittleFasterShowsAsDriftAndIsNoProblem) {
    SimulatedClock clock(watch_);
    clock.run(50);
    clock.change_rate(1 + 5e-6);
    clock.run(1);
    EXPECT_NEAR(health().drift_ppb, 5000, 300);
    EXPECT_EQ(health().problem(), "");
}

TEST_F(ClockHealthOf, AJumpForthIsCountedOnceAndReported) {
    SimulatedClock clock(watch_);
    clock.run(20);
    clock.jump(2.7e9);
    clock.run(20);
    EXPECT_EQ(health().offset_changes, 1U);
    EXPECT_EQ(health().rate_changes, 0U);
    EXPECT_TRUE(complains_of("jumped against CLOCK_MONOTONIC_RAW once")) << health().problem();
}

TEST_F(ClockHealthOf, AJumpBackIsCountedEvenWhereTheCounterFallsBelowItsPast) {
    SimulatedClock clock(watch_);
    clock.run(20);
    clock.jump(-9e11);
    clock.run(20);
    clock.jump(-2.7e8);
    clock.run(20);
    EXPECT_EQ(health().offset_changes, 2U);
    EXPECT_TRUE(complains_of("2 times"));
}

TEST_F(ClockHealthOf, ACounterThatFollowsThePowerStateIsCalledNoClock) {
    SimulatedClock clock(watch_);
    clock.run(20);
    clock.change_rate(0.5);
    clock.run(3);
    EXPECT_EQ(health().rate_changes, 1U);
    EXPECT_EQ(health().offset_changes, 0U);
    EXPECT_TRUE(complains_of("the clock's rate changed once (by -500000 ppm")) << health().problem();
}

TEST_F(ClockHealthOf, AReadingThatGoesBackIsCounted) {
    watch_.on_reading(100);
    watch_.on_reading(100);
    watch_.on_reading(99);
    watch_.on_reading(98);
    watch_.on_reading(150);
    EXPECT_EQ(health().backward_steps, 2U);
    EXPECT_TRUE(complains_of("went backwards on one thread 2 times"));
}

TEST_F(ClockHealthOf, CoresApartAreReportedAndAFailedComparisonKeepsTheLastOne) {
    CoreSkew apart;
    apart.cores = 4;
    apart.bound = {7000, false};
    watch_.on_skew(apart);
    EXPECT_TRUE(complains_of("up to 7000 ticks apart"));
    watch_.on_skew(CoreSkew{});
    EXPECT_EQ(health().skew.cores, 4U);
    apart.bound = {150, true};
    watch_.on_skew(apart);
    EXPECT_EQ(health().problem(), "");
    EXPECT_NE(health().text().find("4 cores agree within 150 ticks"), std::string::npos);
}

TEST_F(ClockHealthOf, ACounterThatIsNotInvariantIsAProblemOnlyWhileItStamps) {
    EXPECT_NE(HealthWatch(StampClock::kTsc, false).health().problem(), "");
    EXPECT_EQ(HealthWatch(StampClock::kMonotonicRaw, false).health().problem(), "");
    EXPECT_NE(HealthWatch(StampClock::kMonotonicRaw, false).health().text().find("CLOCK_MONOTONIC_RAW"), std::string::npos);
}

}  // namespace
}  // namespace sla::time
