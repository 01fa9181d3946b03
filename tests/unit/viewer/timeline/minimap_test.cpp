#include "viewer/timeline/minimap.h"

#include "tests/support/capture_builder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sla::timeline {
namespace {

TEST(Minimap, counts_every_event_once_and_marks_losses) {
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

TEST(Minimap, rests_while_nothing_changes) {
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
