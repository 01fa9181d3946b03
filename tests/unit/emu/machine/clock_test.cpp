#include "emu/machine/host_clock.h"
#include "emu/machine/stop_signal.h"
#include "emu/machine/virtual_clock.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace sla::machine
