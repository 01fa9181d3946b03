#include "viewer/timeline/pictures/moved_picture.h"

#include "tests/support/capture_builder.h"
#include "viewer/store/session.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace sla::timeline {
namespace {

// Ticks far enough apart that each has a mark of its own, and a few spans.
class MovedPictures : public ::testing::Test {
protected:
    MovedPictures() {
        support::CaptureBuilder capture(1000);
        const auto channel = capture.channel("ticks");
        const auto spans = capture.channel("spans");
        for (std::uint64_t tick = 2000; tick < 200'000; tick += 500 + random_() % 500) capture.tick(channel, tick);
        for (std::uint64_t tick = 2000; tick < 200'000; tick += 9000) capture.span(spans, tick, tick + 4000);
        capture.fill(session_);
        was_.set_width(1000);
        was_.show({50'000, 100'000});
        picture_lane(*session_.lanes()[0], was_, session_.last_tick(), ticks_);
        picture_lane(*session_.lanes()[1], was_, session_.last_tick(), spans_);
    }

    std::mt19937_64 random_{8};
    store::Session session_;
    Viewport was_;
    LanePicture ticks_;
    LanePicture spans_;
};

TEST_F(MovedPictures, EveryMarkStandsWhereItsTickIsNow) {
    const store::Lane& lane = *session_.lanes()[0];
    ASSERT_GT(ticks_.ticks.size(), 50U);
    for (int round = 0; round < 100; ++round) {
        Viewport is = was_;
        is.pan(static_cast<double>(random_() % 1600) - 800);
        is.zoom_at(static_cast<double>(random_() % 1000), std::pow(1.25, static_cast<double>(random_() % 9) - 4));
        LanePicture moved;
        move_picture(ticks_, was_, is, moved);
        for (const TickMark& mark : moved.ticks) {
            ASSERT_EQ(mark.count, 1U);
            ASSERT_NEAR(static_cast<double>(mark.x), is.x_of(lane.tick(mark.index)), 0.01);
        }
        // Nothing that was drawn and can still be seen is missing.
        std::size_t seen = 0;
        for (const TickMark& mark : ticks_.ticks) {
            const double x = is.x_of(lane.tick(mark.index));
            seen += x >= 0 && x < is.width() ? 1 : 0;
        }
        ASSERT_GE(moved.ticks.size(), seen);
        ASSERT_TRUE(moved.rough) << "it is for the moment only";
    }
}

TEST_F(MovedPictures, SpansKeepBothEnds) {
    ASSERT_FALSE(spans_.bars.empty());
    Viewport is = was_;
    is.zoom_at(500, 0.5);
    LanePicture moved;
    move_picture(spans_, was_, is, moved);
    ASSERT_FALSE(moved.bars.empty());
    for (const SpanBar& bar : moved.bars) {
        if (bar.begin_tick < was_.visible().first || bar.end_tick > was_.visible().last) continue;  // drawn cut at the edges
        EXPECT_NEAR(static_cast<double>(bar.x0), is.x_of(bar.begin_tick), 0.01);
        EXPECT_NEAR(static_cast<double>(bar.x1), is.x_of(bar.end_tick), 0.01);
    }
}

TEST(ExtendedPictures, AreAsIfMadeAnew) {
    support::CaptureBuilder capture(1000);
    const auto level = capture.channel("level");
    const auto work = capture.channel("work");
    capture.level(level, 2000, true);
    capture.level(level, 5000, false);
    capture.span(work, 2000, 3000);
    capture.begin(work, 4000);
    capture.leave_open(6000);
    store::Session session;
    capture.fill(session);
    Viewport was;
    was.set_width(1000);
    was.show({1000, 11'000});
    Viewport is = was;
    is.pan(30);
    for (const store::Lane* lane : session.lanes()) {
        LanePicture before;
        LanePicture moved;
        LanePicture anew;
        picture_lane(*lane, was, 6000, before);
        move_picture(before, was, is, moved);
        extend_to_now(8000, is, moved);
        picture_lane(*lane, is, 8000, anew);
        ASSERT_EQ(moved.levels.size(), anew.levels.size());
        ASSERT_EQ(moved.bars.size(), anew.bars.size());
        for (std::size_t i = 0; i < anew.levels.size(); ++i) EXPECT_NEAR(moved.levels[i].x1, anew.levels[i].x1, 0.01);
        for (std::size_t i = 0; i < anew.bars.size(); ++i) EXPECT_NEAR(moved.bars[i].x1, anew.bars[i].x1, 0.01);
    }
}

TEST_F(MovedPictures, OfAPlaceFarAwayNothingIsLeft) {
    for (const std::uint64_t tick : {std::uint64_t{0}, std::uint64_t{1} << 50, std::uint64_t{1} << 59}) {
        Viewport is = was_;
        is.show({tick, tick + 3});
        LanePicture moved;
        move_picture(ticks_, was_, is, moved);
        EXPECT_EQ(mark_count(moved), 0U) << tick;
    }
}

}  // namespace
}  // namespace sla::timeline
