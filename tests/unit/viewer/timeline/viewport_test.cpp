#include "viewer/timeline/viewport.h"

#include <gtest/gtest.h>

#include <random>

namespace sla::timeline {
namespace {

constexpr std::uint64_t kFar = std::uint64_t{1} << 59;  // where doubles cannot tell single ticks apart

Viewport showing(TickRange range, double width = 1000) {
    Viewport view;
    view.set_width(width);
    view.show(range);
    return view;
}

TEST(Viewport, ShowsARangeFromEdgeToEdge) {
    const Viewport view = showing({1000, 3000});
    EXPECT_NEAR(view.x_of(1000), 0.0, 1e-9);
    EXPECT_NEAR(view.x_of(3000), 1000.0, 1e-9);
    EXPECT_EQ(view.tick_at(500), 2000u);
}

TEST(Viewport, LeavesTheMarginThatWasAskedFor) {
    Viewport view;
    view.set_width(1000);
    view.show({0, 900}, 0.05);
    EXPECT_NEAR(view.x_of(0), 50.0, 1e-6);
    EXPECT_NEAR(view.x_of(900), 950.0, 1e-6);
}

TEST(Viewport, KeepsTheTickUnderThePointerWhenZooming) {
    std::mt19937_64 random(1);
    for (const std::uint64_t base : {std::uint64_t{1'000'000}, kFar}) {
        Viewport view = showing({base, base + 1'000'000});
        const double x = 337;
        const std::uint64_t tick = view.tick_at(x);
        for (int i = 0; i < 60; ++i) view.zoom_at(x, 0.7);
        EXPECT_NEAR(view.x_of(tick), x, 0.6 / view.ticks_per_pixel());
        for (int i = 0; i < 60; ++i) view.zoom_at(x, 1.3);
        EXPECT_NEAR(view.x_of(tick), x, 2.0);
    }
}

TEST(Viewport, TellsSingleTicksApartAtTheFarEndOfTime) {
    Viewport view = showing({kFar, kFar + 10});
    for (std::uint64_t i = 0; i < 10; ++i) {
        EXPECT_NEAR(view.x_of(kFar + i + 1) - view.x_of(kFar + i), 1.0 / view.ticks_per_pixel(), 1e-6);
        EXPECT_EQ(view.tick_at(view.x_of(kFar + i)), kFar + i);
    }
}

TEST(Viewport, NeverZoomsBeyondItsLimits) {
    Viewport view = showing({0, 100});
    for (int i = 0; i < 500; ++i) view.zoom_at(10, 0.5);
    EXPECT_GE(view.ticks_per_pixel(), Viewport::kMinTicksPerPixel);
    for (int i = 0; i < 500; ++i) view.zoom_at(10, 2.0);
    EXPECT_LE(view.ticks_per_pixel(), Viewport::kMaxTicksPerPixel);
}

TEST(Viewport, PansBackToWhereItWas) {
    Viewport view = showing({kFar, kFar + 12345});
    const Viewport before = view;
    for (int i = 0; i < 1000; ++i) view.pan(0.37);
    for (int i = 0; i < 1000; ++i) view.pan(-0.37);
    EXPECT_NEAR(view.x_of(kFar), before.x_of(kFar), 1e-6);
}

TEST(Viewport, ColumnsCoverEveryTickOnce) {
    std::mt19937_64 random(2);
    for (int round = 0; round < 50; ++round) {
        const std::uint64_t base = random() % kFar;
        const Viewport view = showing({base, base + 1 + random() % 5000}, 100 + static_cast<double>(random() % 900));
        for (int x = 0; x < 100; ++x) {
            const std::uint64_t from = view.first_tick_from(x);
            const std::uint64_t until = view.first_tick_from(x + 1);
            EXPECT_LE(from, until);
            if (from < until && from > 0) {
                EXPECT_GE(view.x_of(from), x - 1e-6);
                EXPECT_LT(view.x_of(until - 1), x + 1 + 1e-6);
            }
        }
    }
}

TEST(Viewport, DoesNotStrayFromTheCapture) {
    Viewport view = showing({1000, 2000});
    view.pan(1e9);
    view.keep_near({1000, 2000});
    EXPECT_GE(view.x_of(2000), 0.0);
    view.pan(-1e9);
    view.keep_near({1000, 2000});
    EXPECT_LE(view.x_of(1000), view.width());
    view.zoom_at(500, 1e6);
    view.keep_near({1000, 2000});
    EXPECT_LE(view.ticks_per_pixel() * view.width(), 2001.0);
}

TEST(Viewport, SurvivesNonsenseDistances) {
    Viewport view = showing({0, 10});
    for (const double x : {1e300, -1e300, 1e18, -1e18}) {
        view.pan(x);
        EXPECT_GE(view.tick_at(0), 0u);
        const TickRange visible = view.visible();
        EXPECT_LE(visible.first, visible.last);
    }
}

TEST(Viewport, GlidesAroundTheTickThatBothViewsShare) {
    const Viewport from = showing({kFar, kFar + 1'000'000});
    Viewport to = from;
    to.zoom_at(250, 0.01);
    const std::uint64_t tick = from.tick_at(250);
    for (double t = 0; t <= 1.0; t += 0.1) {
        const Viewport now = Viewport::between(from, to, t);
        EXPECT_NEAR(now.x_of(tick), 250.0, 1.5 / now.ticks_per_pixel() + 0.01) << t;
    }
    EXPECT_EQ(Viewport::between(from, to, 1.0), to);
}

}  // namespace
}  // namespace sla::timeline
