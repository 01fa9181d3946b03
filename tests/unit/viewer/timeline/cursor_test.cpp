#include "viewer/timeline/cursor.h"

#include "tests/support/capture_builder.h"
#include "viewer/store/session.h"
#include "viewer/timeline/snap.h"

#include <gtest/gtest.h>

namespace sla::timeline {
namespace {

class Cursors : public ::testing::Test {
protected:
    Cursors() {
        const auto a = capture_.channel("a");
        const auto b = capture_.channel("b");
        for (const std::uint64_t tick : {2000, 3000, 4000}) capture_.tick(a, tick);
        capture_.tick(b, 3010);
        capture_.fill(session_);
        view_.set_width(1000);
        view_.show({1000, 11000});  // 10 ticks a pixel
    }
    const store::Lane& lane(std::size_t i) { return *session_.lanes().at(i); }

    support::CaptureBuilder capture_{1000, 1e9};
    store::Session session_;
    Viewport view_;
};

TEST_F(Cursors, SnapToTheNearestEdgeWithinReach) {
    const auto near = nearest_edge(lane(0), view_, 204, kSnapPixels);
    ASSERT_TRUE(near);
    EXPECT_EQ(near->tick, 3000u);
    EXPECT_EQ(near->index, 1u);
    EXPECT_FALSE(nearest_edge(lane(0), view_, 150, kSnapPixels));
}

TEST_F(Cursors, ShowTheDistanceWithItsSignErrorAndFrequency) {
    const CursorPair cursors{Cursor{4000, true}, Cursor{2000, true}};
    const auto measured = measure(cursors, session_);
    ASSERT_TRUE(measured);
    EXPECT_EQ(measured->ticks, -2000);
    EXPECT_NEAR(static_cast<double>(measured->ps), -2e6, 10);
    EXPECT_EQ(measured->error_ps, session_.clock().delta_error_ps(2000, time::Stamps::kTwoThreads));
    EXPECT_NEAR(measured->hertz, 5e5, 1e2);
    EXPECT_FALSE(measure({Cursor{1, false}, std::nullopt}, session_));
}

TEST_F(Cursors, CarryTheErrorBetweenTheHostsWhoseStampsTheyStandOn) {
    const std::uint32_t here = 0;
    const std::uint32_t there = 1;
    store::Host host;
    host.id = there;
    host.errors.steps = {{0, 5'000'000}, {3000, 9'000'000}};
    session_.add_host(host);
    const auto error_of = [&](std::uint32_t a, std::uint32_t b) {
        return measure({Cursor{2000, true, a}, Cursor{4000, true, b}}, session_)->error_ps;
    };
    const std::int64_t own = session_.clock().delta_error_ps(2000, time::Stamps::kTwoThreads);
    EXPECT_EQ(error_of(here, here), own);
    EXPECT_GE(error_of(there, here), own + 5'000'000);
    EXPECT_LT(error_of(there, here), own + 6'000'000) << "as well as the host is placed where the cursor stands";
    EXPECT_GE(error_of(here, there), own + 9'000'000);
    EXPECT_LT(error_of(there, there), own + 1'000'000) << "of one host its own clock counts";
    EXPECT_GE(error_of(Cursor::kAnyHost, Cursor::kAnyHost), own + 14'000'000) << "nobody knows whose stamps are meant";
}

TEST_F(Cursors, CountTheEventsBetweenThemWithBothEnds) {
    EXPECT_EQ(events_between({Cursor{2000, true}, Cursor{4000, true}}, lane(0)), 3u);
    EXPECT_EQ(events_between({Cursor{3999, false}, Cursor{2001, false}}, lane(0)), 1u);
    EXPECT_EQ(events_between({Cursor{2500, false}, Cursor{4500, false}}, lane(0), 500), 3u) << "it is drawn so much later";
    EXPECT_EQ(events_between({Cursor{100, false}, Cursor{4500, false}}, lane(0), 1500), 2u) << "no tick is below 0";
    EXPECT_EQ(events_between({std::nullopt, Cursor{4000, true}}, lane(0)), 0u);
}

TEST_F(Cursors, StepFromEdgeToEdge) {
    EXPECT_EQ(edge_after(lane(0), 2000)->tick, 3000u);
    EXPECT_EQ(edge_before(lane(0), 3000)->tick, 2000u);
    EXPECT_FALSE(edge_after(lane(0), 4000));
    EXPECT_FALSE(edge_before(lane(0), 2000));
    EXPECT_EQ(interval_around(lane(0), 3500), (TickRange{3000, 4000}));
    EXPECT_FALSE(interval_around(lane(0), 100));
}

TEST_F(Cursors, FindTheIntervalBetweenTwoChangesOfALevel) {
    support::CaptureBuilder capture{1000, 1e9};
    const auto ready = capture.channel("ready");
    const auto report = [&](std::uint64_t tick, bool high) { capture.level(ready, tick, high); };
    report(2000, false);
    report(3000, true);
    report(3500, true);  // reported again
    report(4000, true);
    report(5000, false);
    report(6000, false);
    report(7000, true);
    store::Session session;
    capture.fill(session);
    const store::Lane& lane = *session.lanes().at(0);
    for (const std::uint64_t tick : {3000, 3200, 3700, 4999})
        EXPECT_EQ(interval_around(lane, tick), (TickRange{3000, 5000})) << tick;
    EXPECT_EQ(interval_around(lane, 6500), (TickRange{5000, 7000}));
    EXPECT_EQ(interval_around(lane, 2500), (TickRange{2000, 3000}));
}

}  // namespace
}  // namespace sla::timeline
