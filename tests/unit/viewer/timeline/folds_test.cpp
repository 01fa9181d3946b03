#include "viewer/timeline/lanes/folds.h"

#include "tests/support/capture_builder.h"
#include "viewer/store/session.h"
#include "viewer/timeline/idle.h"
#include "viewer/timeline/pictures/lane_picture.h"
#include "viewer/timeline/viewport.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>

namespace sla::timeline {
namespace {

// Ticks counted one by one: a place is how many ticks were not taken out.
std::int64_t slow_place_of(const std::vector<TickRange>& intervals, std::uint64_t tick) {
    std::int64_t place = 0;
    for (std::uint64_t at = 0; at < tick; ++at) {
        bool out = false;
        for (const TickRange& interval : intervals) out = out || (at >= interval.first && at < interval.last);
        place += out ? 0 : 1;
    }
    return place;
}

TEST(Folds, AgreeWithCountingEveryTick) {
    std::mt19937_64 random(7);
    for (int round = 0; round < 200; ++round) {
        std::vector<TickRange> intervals;
        for (int i = 0; i < 6; ++i) {
            const std::uint64_t first = random() % 300;
            intervals.push_back({first, first + random() % 60});  // some overlap, some are empty
        }
        const Folds folds(intervals);
        for (std::uint64_t tick = 0; tick < 400; ++tick) {
            const std::int64_t place = slow_place_of(intervals, tick);
            ASSERT_EQ(folds.place_of(static_cast<std::int64_t>(tick)), place);
            const auto back = static_cast<std::uint64_t>(folds.tick_at(place));
            ASSERT_LE(back, tick);
            ASSERT_EQ(slow_place_of(intervals, back), place);
            ASSERT_TRUE(back == 0 || slow_place_of(intervals, back - 1) < place);
        }
        EXPECT_EQ(folds.place_of(-5), -5);
        EXPECT_EQ(folds.tick_at(-5), -5);
    }
}

TEST(Folds, MakeOnePlaceOfAllThatLiesInside) {
    Viewport view;
    view.set_width(1000);
    view.set_folds(std::make_shared<Folds>(std::vector<TickRange>{{2000, 9000}}));
    view.show({1000, 10'000});
    EXPECT_NEAR(view.ticks_per_pixel(), 2.0, 1e-9);
    EXPECT_NEAR(view.x_of(2000), 500.0, 1e-6);
    EXPECT_NEAR(view.x_of(5000), 500.0, 1e-6);
    EXPECT_NEAR(view.x_of(9000), 500.0, 1e-6);
    EXPECT_NEAR(view.x_of(10'000), 1000.0, 1e-6);
    EXPECT_EQ(view.tick_at(250), 1500u);
    EXPECT_EQ(view.tick_at(750), 9500u);
    EXPECT_EQ(view.visible(), (TickRange{1000, 10'000}));
    const Viewport later = view.shifted(-100);  // drawn 100 ticks later
    EXPECT_NEAR(later.x_of(9400), view.x_of(9500), 1e-6);
    EXPECT_EQ(later.tick_at(750), 9400u);
    view.set_folds(nullptr);
    EXPECT_EQ(view.folds(), nullptr);
    EXPECT_EQ(view.tick_at(500), 2000u);  // what was in the middle
}

// Columns of a folded axis hold every event once: what the lane says adds up.
TEST(Folds, LoseNoEventOfALane) {
    std::mt19937_64 random(11);
    support::CaptureBuilder capture(1000);
    const auto channel = capture.channel("c");
    std::uint64_t tick = 1000;
    for (int i = 0; i < 400; ++i) capture.tick(channel, tick += 1 + (random() % 40 == 0 ? 20'000 : random() % 30));
    store::Session session;
    capture.fill(session);
    const store::Lane& lane = *session.lane_named("c");
    const std::vector<TickRange> idle = idle_intervals(std::vector<DrawnLane>{{&lane, 0}}, {1000, tick});
    ASSERT_FALSE(idle.empty());
    Viewport view;
    view.set_width(300);
    view.set_folds(std::make_shared<Folds>(idle));
    view.show({1000, tick});
    std::uint64_t seen = 0;
    for (int x = 0; x <= 300; ++x) seen += lane.summarize(view.first_tick_from(x), view.first_tick_from(x + 1)).events;
    EXPECT_EQ(seen, lane.events());
    LanePicture picture;
    picture_lane_exactly(lane, view, tick, picture);
    EXPECT_FALSE(picture.rough);
}

TEST(Idle, IsFoundWhereNoLaneHasAnEventAndNowhereElse) {
    support::CaptureBuilder capture(1000);
    const auto one = capture.channel("one");
    const auto other = capture.channel("other");
    for (std::uint64_t i = 0; i < 100; ++i) capture.tick(one, 1000 + i * 10);
    for (std::uint64_t i = 0; i < 100; ++i) capture.tick(one, 90'000 + i * 10);
    capture.tick(other, 50'000);
    store::Session session;
    capture.fill(session);
    const std::vector<DrawnLane> both{{session.lane_named("one"), 0}, {session.lane_named("other"), 0}};
    const std::vector<TickRange> idle = idle_intervals(both, {1000, 91'000});
    ASSERT_EQ(idle.size(), 2u);
    for (const TickRange& interval : idle) {
        for (const DrawnLane& drawn : both) {
            EXPECT_EQ(drawn.lane->summarize(interval.first, interval.last + 1).events, 0u);
        }
    }
    EXPECT_GT(idle[0].first, 1990u);
    EXPECT_LT(idle[0].last, 50'000u);
    EXPECT_GT(idle[1].first, 50'000u);
    EXPECT_LT(idle[1].last, 90'000u);
    // Drawn 20,000 later, the lone event parts the idle time elsewhere.
    const std::vector<DrawnLane> moved{both[0], {both[1].lane, 20'000}};
    const std::vector<TickRange> later = idle_intervals(moved, {1000, 91'000});
    ASSERT_EQ(later.size(), 2u);
    EXPECT_GT(later[1].first, 70'000u);
    EXPECT_TRUE(idle_intervals(both, {1000, 1990}).empty());
}

TEST(Idle, IsNowhereWithinASpanButOneThatCoversAll) {
    support::CaptureBuilder capture(1000);
    const auto one = capture.channel("one");
    const auto work = capture.channel("work");
    const auto all = capture.channel("all");
    capture.tick(one, 1000);
    capture.begin(all, 1000);
    capture.span(work, 20'000, 60'000);
    capture.end(all, 100'000);
    capture.tick(one, 100'000);
    store::Session session;
    capture.fill(session);
    std::vector<DrawnLane> lanes;
    for (const char* name : {"one", "work", "all"}) lanes.push_back({session.lane_named(name), 0});
    const std::vector<TickRange> idle = idle_intervals(lanes, {1000, 100'000});
    ASSERT_EQ(idle.size(), 2u);
    EXPECT_LT(idle[0].last, 20'000u);
    EXPECT_GT(idle[1].first, 60'000u);
    lanes[1].offset_ticks = 10'000;
    EXPECT_GT(idle_intervals(lanes, {1000, 100'000}).at(1).first, 70'000u);
}

TEST(Idle, IsNowhereThatSomethingWasLost) {
    support::CaptureBuilder capture(1000);
    const auto one = capture.channel("one");
    capture.tick(one, 1000);
    capture.gap(one, 20'000, 7, wire::LossCause::kOverrun, 80'000);
    capture.tick(one, 100'000);
    store::Session session;
    capture.fill(session);
    const std::vector<DrawnLane> lanes{{session.lane_named("one"), 0}};
    const std::vector<TickRange> idle = idle_intervals(lanes, {1000, 100'000});
    ASSERT_EQ(idle.size(), 2u);
    EXPECT_LT(idle[0].last, 20'000u);
    EXPECT_GT(idle[1].first, 80'000u);
}

}  // namespace
}  // namespace sla::timeline
