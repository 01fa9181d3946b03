#include "viewer/analysis/delta_tracker.h"

#include "tests/support/capture_builder.h"

#include <gtest/gtest.h>

#include <map>

namespace sla::analysis {
namespace {

// A walk over a whole session.
class Walk {
public:
    explicit Walk(const store::Session& session)
        : clock_(session.clock()), index_(session), cursor_(index_.cursor(0)), tracker_(session) {}
    // Of the next row; the place of none at the end.
    Deltas next() {
        place_ = cursor_.next();
        if (!place_) return {};
        const auto thread = place_->lane->thread(place_->index);
        const auto ticks = tracker_.next(last_[place_->lane], place_->tick, thread);
        Deltas deltas;
        if (ticks.has_any) deltas.any_ps = clock_.ticks_to_ps(static_cast<std::int64_t>(ticks.any));
        if (ticks.has_channel) deltas.channel_ps = clock_.ticks_to_ps(static_cast<std::int64_t>(ticks.channel));
        if (ticks.has_any || ticks.has_channel) deltas.error_ps = ticks.error_ps;
        return deltas;
    }
    [[nodiscard]] const std::optional<store::RowRef>& place() const { return place_; }

private:
    const time::ClockMap& clock_;
    const store::MergedIndex index_;
    store::MergedCursor cursor_;
    DeltaTracker tracker_;
    std::map<const store::Lane*, DeltaTracker::Stamp> last_;
    std::optional<store::RowRef> place_;
};

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
    Walk walk(session);
    const Deltas first = walk.next();
    EXPECT_FALSE(first.any_ps || first.channel_ps || first.error_ps);
    const Deltas second = walk.next();
    EXPECT_EQ(second.any_ps, 50'000);
    EXPECT_FALSE(second.channel_ps);
    EXPECT_EQ(second.error_ps, session.clock().delta_error_ps(50));
    const Deltas third = walk.next();
    EXPECT_EQ(third.any_ps, 250'000);
    EXPECT_EQ(third.channel_ps, 300'000);
    EXPECT_EQ(third.error_ps, session.clock().delta_error_ps(300));
    EXPECT_GE(*third.error_ps, 20'000);  // a stamp's own cost is in it
    EXPECT_EQ(walk.next().channel_ps, 100'000);
    EXPECT_EQ(walk.next().channel_ps, 100'000);
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
    Walk walk(session);
    walk.next();
    EXPECT_EQ(walk.next().error_ps, session.clock().delta_error_ps(100));
    EXPECT_EQ(walk.next().error_ps, session.clock().delta_error_ps(100) + 500'000);
}

TEST(DeltaTracker, ARowAloneGivesTheSameAsTheWalk) {
    support::CaptureBuilder capture;
    support::add_mixed(capture, 7, 120);
    store::Session session;
    capture.fill(session);
    Walk walk(session);
    std::optional<store::RowRef> before;
    std::map<const store::Lane*, std::optional<store::RowRef>> before_in;
    for (Deltas walked = walk.next(); walk.place(); walked = walk.next()) {
        auto& own = before_in[walk.place()->lane];
        const Deltas alone = DeltaTracker::at(session, *walk.place(), before, own);
        ASSERT_EQ(walked.any_ps, alone.any_ps);
        ASSERT_EQ(walked.channel_ps, alone.channel_ps);
        ASSERT_EQ(walked.error_ps, alone.error_ps);
        before = walk.place();
        own = walk.place();
    }
}

}  // namespace
}  // namespace sla::analysis
