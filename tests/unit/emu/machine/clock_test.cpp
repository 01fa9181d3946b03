#include "emu/machine/host_clock.h"
#include "emu/machine/paced_clock.h"
#include "emu/machine/stop_signal.h"
#include "emu/machine/tick_time.h"
#include "emu/machine/virtual_clock.h"
#include "proto/time/tick_clock.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <limits>

namespace sla::machine {
namespace {

constexpr bus::Nanoseconds kHour = 3'600'000'000'000;

TEST(VirtualClock, PassesWithCodeAndJumpsWhenWaiting) {
    VirtualClock clock;
    clock.executed(500);
    EXPECT_EQ(clock.now(), 1000);
    clock.wait_until(5000);
    EXPECT_EQ(clock.now(), 5000);
    clock.wait_until(10);
    EXPECT_EQ(clock.now(), 5000) << "never backwards";
}

TEST(VirtualClock, GivesTheCodeThatFitsBeforeADeadline) {
    VirtualClock clock;
    EXPECT_EQ(clock.code_bytes_until(1001), 501U);
    EXPECT_EQ(clock.code_bytes_until(0), 1U);
    EXPECT_EQ(clock.code_bytes_until(std::numeric_limits<bus::Nanoseconds>::max()), VirtualClock::kMaxBytes);
}

TEST(HostClock, IsWokenFromALongWaitByTheStopSignal) {
    StopSignal stop;
    HostClock clock(stop);
    stop.request();
    clock.wait_until(clock.now() + kHour);
    EXPECT_LT(clock.now(), kHour);
    EXPECT_TRUE(stop.requested());
}

TEST(HostClock, PassesAndReturnsAtOnceFromADeadlineInThePast) {
    StopSignal stop;
    HostClock clock(stop);
    const auto before = clock.now();
    clock.wait_until(before - 1);
    clock.wait_until(before + 100'000);
    EXPECT_GE(clock.now(), before);
    EXPECT_GE(clock.code_bytes_until(clock.now() + kHour), 1U);
    EXPECT_GE(clock.code_bytes_until(std::numeric_limits<bus::Nanoseconds>::max()), 1U);
}

TEST(HostClock, IsOneInstantWhileItIsHeldAndGoesOnBehindIt) {
    StopSignal stop;
    HostClock clock(stop);
    const auto before = clock.now();
    clock.hold_at(time::read_tsc());
    const auto held = clock.now();
    const auto again = clock.now();
    clock.let_go();
    EXPECT_GE(held, before);
    EXPECT_GE(again, held);
    EXPECT_GE(clock.now(), again);
    clock.hold_at(1);
    EXPECT_GE(clock.now(), again) << "never backwards, whatever tick it is";
}

// A TSC of two ticks a nanosecond, as far as a test says.
struct FakeTsc {
    TickTime::Reading read() {
        ++readings;
        return {tick, static_cast<bus::Nanoseconds>(static_cast<double>(tick - 1000) * length), width};
    }
    std::uint64_t tick = 1000;
    std::uint64_t width = 100;
    double length = 0.5;
    int readings = 0;
};

constexpr std::uint64_t kStretch = 100'000'000;

TEST(TickTime, NeedsOneReadingForAllTicksOfTheNextMillisecondOnceItKnowsHowLongTicksAre) {
    FakeTsc tsc;
    TickTime ticks([&tsc] { return tsc.read(); });
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(ticks.at(tsc.tick), static_cast<bus::Nanoseconds>(kStretch / 2) * i);
        tsc.tick += kStretch;
    }
    EXPECT_EQ(ticks.at(tsc.tick - 2000), static_cast<bus::Nanoseconds>(kStretch / 2) * 3 - 1000) << "before its reading";
    tsc.readings = 0;
    EXPECT_EQ(ticks.at(tsc.tick + 1'000'000), static_cast<bus::Nanoseconds>(kStretch / 2) * 3 + 500'000);
    EXPECT_EQ(tsc.readings, 0);
    EXPECT_EQ(ticks.at(5), static_cast<bus::Nanoseconds>(kStretch / 2) * 3) << "a tick of another clock: the present time";
    EXPECT_EQ(tsc.readings, 1);
}

TEST(TickTime, ReadsForEachTickWhereTicksAreNotOfOneLengthOrAReadingWasInterrupted) {
    FakeTsc tsc;
    TickTime ticks([&tsc] { return tsc.read(); });
    for (int i = 0; i < 3; ++i, tsc.tick += kStretch) (void)ticks.at(tsc.tick);
    const auto readings_for = [&](std::uint64_t tick) {
        tsc.readings = 0;
        (void)ticks.at(tick);
        return tsc.readings;
    };
    tsc.width = 100'000;
    EXPECT_EQ(readings_for(tsc.tick), 1);
    EXPECT_EQ(readings_for(tsc.tick + 10), 1);
    tsc.width = 100;
    EXPECT_EQ(readings_for(tsc.tick), 1);
    EXPECT_EQ(readings_for(tsc.tick + 10), 0);
    tsc.tick += kStretch;
    tsc.length = 0.6;
    EXPECT_EQ(readings_for(tsc.tick), 1);
    EXPECT_EQ(readings_for(tsc.tick + 10), 1);
}

std::int64_t milliseconds_of(const std::function<void()>& action) {
    const auto start = std::chrono::steady_clock::now();
    action();
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start).count();
}

TEST(PacedClock, TimeForWhichTheGuestStandsStillDoesNotCount) {
    constexpr std::uint64_t kFortyMilliseconds = 20'000'000;  // of code
    StopSignal stop;
    HostClock passes(stop);
    PacedClock clock(stop, 1);
    clock.stand_still(true);
    while (passes.now() < 60'000'000) passes.wait_until(60'000'000);
    clock.stand_still(false);
    EXPECT_GE(milliseconds_of([&] { clock.executed(kFortyMilliseconds); }), 30) << "it does not race to catch up";
}

TEST(PacedClock, WhoeverWantsSomethingDoesNotWaitForAHoldToEnd) {
    StopSignal stop;
    PacedClock clock(stop, 1);
    stop.call_attention();
    clock.wait_until(kHour);
    EXPECT_EQ(clock.now(), kHour);
    EXPECT_TRUE(stop.attention()) << "whoever attends takes it";
}

}  // namespace
}  // namespace sla::machine
