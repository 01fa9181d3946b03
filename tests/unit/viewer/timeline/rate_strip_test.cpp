#include "viewer/timeline/pictures/rate_strip.h"

#include "tests/support/capture_builder.h"
#include "viewer/store/session.h"

#include <gtest/gtest.h>

namespace sla::timeline {
namespace {

TEST(RateStrip, CountsEachEventOnceWhereverTheViewStands) {
    support::CaptureBuilder capture;
    const auto channel = capture.channel("t");
    for (std::uint64_t i = 0; i < 5000; ++i) capture.tick(channel, 2000 + i * i % 70'001);
    store::Session session;
    capture.fill(session);
    const store::Lane& lane = *session.lane_named("t");
    for (const double step : {1.0, 3.0, 7.5}) {
        for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{1500}, std::uint64_t{30'003}}) {
            Viewport view;
            view.set_width(800);
            view.show({first, first + 100'000});
            RateStrip strip;
            rate_strip(lane, view, 1'000'000, 1e9, step, strip);
            double events = 0;
            std::uint64_t from = view.first_tick_from(0);
            for (std::size_t i = 0; i < strip.rates.size(); ++i) {
                const std::uint64_t until = view.first_tick_from(static_cast<double>(i + 1) * strip.step);
                events += strip.rates[i] * static_cast<double>(until - from) * 1e-9;
                from = until;
            }
            const std::uint64_t counted = lane.lower_bound(from) - lane.lower_bound(view.first_tick_from(0));
            EXPECT_NEAR(events, static_cast<double>(counted), 1e-3);
        }
    }
}

TEST(RateStrip, EndsAtNowAndKnowsItsMost) {
    support::CaptureBuilder capture;
    const auto channel = capture.channel("t");
    for (std::uint64_t i = 0; i < 10; ++i) capture.tick(channel, 1000 + i);
    store::Session session;
    capture.fill(session);
    Viewport view;
    view.set_width(100);
    view.show({1000, 11'000});
    RateStrip strip;
    rate_strip(*session.lane_named("t"), view, 6000, 1e9, 1, strip);
    EXPECT_NEAR(static_cast<double>(strip.rates.size()), 51, 1);
    EXPECT_EQ(strip.most, strip.rates[0]);
    EXPECT_NEAR(strip.most, 10 / 100e-9, 1);
}

// A steady channel is no less steady in its newest step, of which a part is still to come.
TEST(RateStrip, TheNewestBarIsNoLowerThanTheOthersOfASteadyChannel) {
    support::CaptureBuilder capture;
    const auto channel = capture.channel("t");
    for (std::uint64_t i = 0; i < 1000; ++i) capture.tick(channel, 1000 + i * 10);
    store::Session session;
    capture.fill(session);
    Viewport view;
    view.set_width(100);
    view.show({1000, 11'000});
    for (const std::uint64_t now : {std::uint64_t{5'010}, std::uint64_t{5'050}, std::uint64_t{5'099}}) {
        RateStrip strip;
        rate_strip(*session.lane_named("t"), view, now, 1e9, 1, strip);
        ASSERT_EQ(strip.rates.size(), 41u) << now;
        EXPECT_NEAR(strip.rates.back(), 1e8, 1e7) << now;
    }
}

}  // namespace
}  // namespace sla::timeline
