#include "viewer/analysis/delta_tracker.h"

#include "tests/support/capture_builder.h"

#include <gtest/gtest.h>

namespace sla::analysis {
namespace {

TEST(DeltaTracker, MeasuresToTheRowBeforeAndToTheLaneBefore) {
    support::CaptureBuilder capture(0, 1e9, 20);
    const auto a = capture.channel("a");
    const auto b = capture.channel("b");
    capture.tick(a, 100);
    capture.tick(b, 150);
    capture.tick(a, 400);
    capture.gap(a, 500, 3);
    capture.tick(a, 600);
    store::Session session;
    capture.fill(session);
    const store::MergedIndex index(session);
    DeltaTracker tracker(session.clock());
    auto cursor = index.cursor(0);
    const Deltas first = tracker.next(*cursor.next());
    EXPECT_FALSE(first.any_ps || first.channel_ps || first.error_ps);
    const Deltas second = tracker.next(*cursor.next());
    EXPECT_EQ(second.any_ps, 50'000);
    EXPECT_FALSE(second.channel_ps);
    EXPECT_EQ(second.error_ps, session.clock().delta_error_ps(50));
    const Deltas third = tracker.next(*cursor.next());
    EXPECT_EQ(third.any_ps, 250'000);
    EXPECT_EQ(third.channel_ps, 300'000);
    EXPECT_EQ(third.error_ps, session.clock().delta_error_ps(300));
    EXPECT_GE(*third.error_ps, 20'000);  // a stamp's own cost is in it
    EXPECT_EQ(tracker.next(*cursor.next()).channel_ps, 100'000);
    EXPECT_EQ(tracker.next(*cursor.next()).channel_ps, 100'000);
}

TEST(DeltaTracker, SkewOfTheCoresCountsBetweenThreadsOnly) {
    support::CaptureBuilder capture;
    const auto a = capture.channel("a");
    capture.tick(a, 100, 0, 1);
    capture.tick(a, 200, 0, 1);
    capture.tick(a, 300, 0, 2);
    store::Session session;
    capture.fill(session);
    store::Health health = session.health();
    health.clock.cores = 2;
    health.clock.skew = {500, true};
    session.set_health(health);
    DeltaTracker tracker(session.clock());
    const store::MergedIndex index(session);
    auto cursor = index.cursor(0);
    tracker.next(*cursor.next());
    EXPECT_EQ(tracker.next(*cursor.next()).error_ps, session.clock().delta_error_ps(100));
    EXPECT_EQ(tracker.next(*cursor.next()).error_ps, session.clock().delta_error_ps(100) + 500'000);
}

TEST(DeltaTracker, ARowAloneGivesTheSameAsTheWalk) {
    support::CaptureBuilder capture;
    support::add_mixed(capture, 7, 120);
    store::Session session;
    capture.fill(session);
    const store::MergedIndex index(session);
    DeltaTracker tracker(session.clock());
    auto cursor = index.cursor(0);
    std::optional<store::Place> before;
    while (const auto place = cursor.next()) {
        const Deltas walked = tracker.next(*place);
        const Deltas alone = DeltaTracker::at(session.clock(), *place, before);
        ASSERT_EQ(walked.any_ps, alone.any_ps);
        ASSERT_EQ(walked.channel_ps, alone.channel_ps);
        ASSERT_EQ(walked.error_ps, alone.error_ps);
        before = place;
    }
}

}  // namespace
}  // namespace sla::analysis
