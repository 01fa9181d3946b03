#include "emu/machine/host_clock.h"
#include "emu/machine/paced_clock.h"
#include "emu/machine/stop_signal.h"
#include "emu/machine/virtual_clock.h"

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
