#include "viewer/timeline/pictures/minimap.h"

#include "tests/support/capture_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace sla::timeline {
namespace {

TEST(Minimap, CountsEveryEventOnceAndMarksLosses) {
    support::CaptureBuilder capture;
    support::add_mixed(capture, 20, 500);
    store::Session session;
    capture.fill(session);
    Viewport whole;
    whole.set_width(300);
    whole.show({session.first_tick(), session.last_tick()}, 0.01);
    Minimap minimap;
    int turns = 1;
    while (!minimap.refresh(session, whole, 3)) ++turns;
    EXPECT_EQ(turns, 7);
    std::uint64_t events = 0;
    bool lost = false;
    float densest = 0;
    for (const MinimapColumn& column : minimap.columns()) {
        events += column.events;
        densest = std::max(densest, column.density);
        EXPECT_EQ(column.density > 0, column.events > 0);
        lost = lost || column.lost;
    }
    std::uint64_t rows = 0;
    for (const store::Lane* lane : session.lanes()) rows += lane->size();
    EXPECT_EQ(events, rows);
    EXPECT_FLOAT_EQ(densest, 1) << "the busiest column's";
    EXPECT_TRUE(lost);
}

TEST(Minimap, MarksALossThatLastsFarBeyondIt) {
    support::CaptureBuilder capture(0);
    const auto lane = capture.channel("a");
    capture.tick(lane, 10'000);
    capture.gap(lane, 50'500, 3, wire::LossCause::kOverrun, std::uint64_t{1} << 59);
    capture.tick(lane, 100'000);
    store::Session session;
    capture.fill(session);
    Viewport whole;
    whole.set_width(100);
    whole.show({0, 100'000});
    Minimap minimap;
    ASSERT_TRUE(minimap.refresh(session, whole));
    for (std::size_t x = 0; x < 100; ++x) EXPECT_EQ(minimap.columns()[x].lost, x >= 50) << x;
}

TEST(Minimap, MarksALossAfterWhichNothingCame) {
    support::CaptureBuilder capture(0);
    const auto lane = capture.channel("a");
    capture.tick(lane, 10'000);
    capture.gap(lane, 100'000, 0, wire::LossCause::kNoAgent, 140'000);
    store::Session session;
    capture.fill(session);
    Viewport whole;
    whole.set_width(100);
    whole.show({session.first_tick(), session.last_tick()});
    Minimap minimap;
    ASSERT_TRUE(minimap.refresh(session, whole));
    for (std::size_t x = 0; x < 100; ++x) EXPECT_EQ(minimap.columns()[x].lost, x == 99) << x;
    whole.show({10'000, 90'000});
    ASSERT_TRUE(minimap.refresh(session, whole));
    for (std::size_t x = 0; x < 100; ++x) EXPECT_FALSE(minimap.columns()[x].lost) << x << ", of a view that ends before it";
}

TEST(Minimap, TellsWhatWasLostFromWhatWasNotKept) {
    support::CaptureBuilder capture(0);
    const auto lane = capture.channel("a");
    capture.gap(lane, 10'000, 900, wire::LossCause::kNotKept, 49'999);
    capture.gap(lane, 50'010, 3, wire::LossCause::kOverrun, 50'020);
    capture.tick(lane, 60'000);
    capture.gap(lane, 70'000, 5, wire::LossCause::kOverrun, 70'010);
    capture.gap(lane, 70'020, 5, wire::LossCause::kNotKept, 70'030);
    capture.tick(lane, 100'000);
    store::Session session;
    capture.fill(session);
    Viewport whole;
    whole.set_width(100);
    whole.show({0, 100'000});
    Minimap minimap;
    ASSERT_TRUE(minimap.refresh(session, whole));
    const auto& columns = minimap.columns();
    const auto count = [&](bool MinimapColumn::*of) {
        return std::count_if(columns.begin(), columns.end(), [&](const MinimapColumn& column) { return column.*of; });
    };
    EXPECT_NEAR(static_cast<double>(count(&MinimapColumn::not_kept)), 41, 1);
    EXPECT_EQ(count(&MinimapColumn::lost), 2);
    EXPECT_TRUE(columns[20].not_kept);
    EXPECT_FALSE(columns[20].lost);
    EXPECT_TRUE(columns[70].not_kept && columns[70].lost) << "neither hides the other";
}

// Lanes with an event in every column cost most: a few of them a frame, when the strip is only brought up to date.
TEST(Minimap, OfBusyLanesIsBroughtUpToDateInAFewFrames) {
    support::CaptureBuilder capture(0);
    for (int i = 0; i < 20; ++i) {
        const auto lane = capture.channel("busy." + std::to_string(i));
        for (std::uint64_t tick = 0; tick < 2000; ++tick) capture.tick(lane, tick * 100);
    }
    store::Session session;
    capture.fill(session);
    Viewport whole;
    whole.set_width(1000);
    whole.show({0, 200'000});
    Minimap minimap;
    EXPECT_TRUE(minimap.refresh(session, whole)) << "the first time at once";
    const auto before = minimap.columns();
    session.touch();
    int frames = 1;
    while (!minimap.refresh(session, whole)) ++frames;
    EXPECT_GT(frames, 2);
    EXPECT_LT(frames, 8);
    for (std::size_t x = 0; x < before.size(); ++x) ASSERT_EQ(minimap.columns()[x].events, before[x].events) << x;
}

TEST(Minimap, RestsWhileNothingChanges) {
    support::CaptureBuilder capture;
    support::add_mixed(capture, 2, 10);
    store::Session session;
    capture.fill(session);
    Viewport whole;
    whole.set_width(100);
    whole.show({session.first_tick(), session.last_tick()});
    Minimap minimap;
    EXPECT_TRUE(minimap.refresh(session, whole));
    const auto* columns = minimap.columns().data();
    EXPECT_TRUE(minimap.refresh(session, whole));
    EXPECT_EQ(minimap.columns().data(), columns);
}

}  // namespace
}  // namespace sla::timeline
