#include "agent/linux/tracefs/raw_clock.h"

#include "proto/time/tick_clock.h"

#include <gtest/gtest.h>

#include <ctime>

namespace sla::linux {
namespace {

std::uint64_t raw_now() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

// How many of `count` readings of the kernel's clock become a tick between the two stamps around them, give or take the
// clock's own error.
int count_bracketed(const RawClock& clock, int count) {
    int bracketed = 0;
    for (int i = 0; i < count; i++) {
        const std::uint64_t before = time::read_stamp();
        const std::uint64_t ns = raw_now();
        const std::uint64_t after = time::read_stamp();
        const std::uint64_t tick = clock.tick_of(ns);
        bracketed += tick + clock.error_ticks() >= before && tick <= after + clock.error_ticks();
    }
    return bracketed;
}

TEST(RawClock, AReadingOfTheKernelsClockBecomesATickBetweenTheStampsAroundItWithinItsError) {
    const RawClock clock;
    EXPECT_EQ(count_bracketed(clock, 1000), 1000);
    EXPECT_GT(clock.ticks_per_second(), 1e8);
}

TEST(RawClock, LaterReadingsKeepItRight) {
    RawClock clock;
    const auto second = static_cast<std::uint64_t>(clock.ticks_per_second());
    const std::uint64_t error = clock.error_ticks();
    for (std::uint64_t i = 1; i <= 40; i++) clock.refresh(time::read_stamp() + i * 2 * second);  // more than it keeps
    EXPECT_EQ(count_bracketed(clock, 1000), 1000);
    EXPECT_LE(clock.error_ticks(), error + second / 1'000'000) << "readings make it no worse than a microsecond";
}

TEST(RawClock, OrderIsKept) {
    const RawClock clock;
    const std::uint64_t now = raw_now();
    std::uint64_t before = 0;
    for (std::uint64_t ns = now - 1'000'000; ns < now + 1'000'000; ns += 10'000) {
        const std::uint64_t tick = clock.tick_of(ns);
        EXPECT_GT(tick, before);
        before = tick;
    }
}

}  // namespace
}  // namespace sla::linux
