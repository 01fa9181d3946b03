#include "emu/bus/crystal.h"
#include "emu/bus/event_queue.h"
#include "emu/machine/virtual_clock.h"

#include <gtest/gtest.h>

#include <array>

namespace sla::bus {
namespace {

TEST(Variation, DrawsTheSameFromTheSameSeedAndEveryValueBetweenItsBounds) {
    Variation first(42);
    Variation second(42);
    Variation other(43);
    std::array<int, 5> drawn{};
    bool differs = false;
    for (int i = 0; i < 1000; ++i) {
        const std::int64_t value = first.between(-2, 2);
        EXPECT_EQ(second.between(-2, 2), value);
        differs |= other.between(-2, 2) != value;
        ASSERT_GE(value, -2);
        ASSERT_LE(value, 2);
        ++drawn.at(static_cast<std::size_t>(value + 2));
    }
    EXPECT_TRUE(differs);
    for (const int count : drawn) EXPECT_GT(count, 150);
    EXPECT_EQ(first.between(9, 9), 9);
}

TEST(Variation, WithoutASeedThingsTakeTheirUsualTime) {
    machine::VirtualClock clock;
    EventQueue events(clock);
    EXPECT_EQ(events.lasting(5, 10, 20), 5);
    events.vary(0);
    EXPECT_FALSE(events.variation().on());
    events.vary(1);
    for (int i = 0; i < 100; ++i) {
        const Nanoseconds time = events.lasting(5, 10, 20);
        EXPECT_GE(time, 10);
        EXPECT_LE(time, 20);
    }
}

TEST(Crystal, TicksBeginWhereTheirTimesSayWhateverItsError) {
    for (const std::int64_t error : {-100, 0, 37, 100}) {
        Crystal crystal(105, 88'000);
        crystal.set_error(error, 499);
        for (const Crystal::Tick tick : {1LL, 2LL, 1'193'182LL, 119'318'200'000LL}) {
            EXPECT_EQ(crystal.ticks_at(crystal.time_of(tick)), tick) << error;
            EXPECT_EQ(crystal.ticks_at(crystal.time_of(tick) - 1), tick - 1) << error;
        }
        const double million = static_cast<double>(crystal.ticks_at(1'000'000'000'000)) / (1e12 * 105 / 88'000) * 1e6;
        EXPECT_NEAR(million - 1e6, static_cast<double>(error), 0.01);
    }
}

}  // namespace
}  // namespace sla::bus
