#include "tests/support/capture_builder.h"
#include "viewer/store/session.h"
#include "viewer/timeline/pictures/lane_picture.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

namespace sla::timeline {
namespace {

Viewport view_of(std::uint64_t first, std::uint64_t last, double width) {
    Viewport view;
    view.set_width(width);
    view.show({first, last});
    return view;
}

TEST(SpanPicture, EverySpanInViewIsABarOrInASliverOfItsColumn) {
    support::CaptureBuilder capture;
    const auto channel = capture.channel("s");
    std::mt19937_64 random(9);
    std::uint64_t tick = 1000;
    for (int i = 0; i < 500; ++i) {
        tick += 1 + random() % 50;
        const std::uint64_t length = random() % 5 == 0 ? random() % 2000 : random() % 10;
        capture.span(channel, tick, tick + length + 2);
        if (length > 20) capture.span(channel, tick + 1, tick + 1 + length / 2);
        tick += length + 3;
    }
    store::Session session;
    capture.fill(session);
    const store::Lane& lane = *session.lanes().at(0);
    for (int round = 0; round < 40; ++round) {
        const std::uint64_t at = session.first_tick() + random() % 20000;
        const Viewport view = view_of(at, at + (std::uint64_t{100} << (round % 10)), 600);
        LanePicture drawn;
        picture_lane(lane, view, session.last_tick(), drawn);
        std::set<std::size_t> bars;
        for (const SpanBar& bar : drawn.bars) bars.insert(bar.span);
        std::set<std::pair<int, int>> slivers;
        for (const SpanSliver& sliver : drawn.slivers) slivers.insert({static_cast<int>(sliver.x), sliver.row});
        for (std::size_t id = 0; id < lane.spans().size(); ++id) {
            const store::Span& span = lane.spans()[id];
            const double x = view.x_of(span.begin_tick);
            const double width = view.x_of(span.end_tick) - x;
            if (x < 0 || x >= view.width() || std::abs(width - 2.0) < 1.0 / view.ticks_per_pixel() + 0.01) continue;
            if (width > 2.0) {
                EXPECT_TRUE(bars.contains(id));
            } else {
                EXPECT_TRUE(slivers.contains({static_cast<int>(std::floor(x)), span.row}));
            }
        }
    }
}

TEST(SpanPicture, AnOpenSpanReachesToNowAndACutOneToItsLoss) {
    support::CaptureBuilder capture;
    const auto channel = capture.channel("s");
    capture.begin(channel, 2000);
    capture.gap(channel, 3000, 7);
    capture.begin(channel, 4000);
    capture.leave_open(6000);
    store::Session session;
    capture.fill(session);
    LanePicture drawn;
    picture_lane(*session.lanes().at(0), view_of(1000, 7000, 600), 6000, drawn);
    ASSERT_EQ(drawn.bars.size(), 2u);
    EXPECT_EQ(drawn.bars[0].state, store::SpanState::kCut);
    EXPECT_NEAR(drawn.bars[0].x1, 200, 0.01);
    EXPECT_EQ(drawn.bars[1].state, store::SpanState::kOpen);
    EXPECT_NEAR(drawn.bars[1].x1, 500, 0.01);
}

TEST(SpanPicture, SpansThatOverlapStandInDifferentRows) {
    support::CaptureBuilder capture;
    const auto channel = capture.channel("s");
    const auto other = capture.thread("other", 7);
    capture.span(channel, 2000, 4000);
    capture.span(channel, 2500, 3500);
    capture.span(channel, 3000, 5000, other);
    store::Session session;
    capture.fill(session);
    LanePicture drawn;
    picture_lane(*session.lanes().at(0), view_of(1000, 7000, 600), 7000, drawn);
    ASSERT_EQ(drawn.bars.size(), 3u);
    std::set<int> rows;
    for (const SpanBar& bar : drawn.bars) rows.insert(bar.row);
    EXPECT_EQ(rows.size(), 3u);
}

TEST(SpanPicture, ManySpansInOnePixelAreShownByTheirNumber) {
    support::CaptureBuilder capture;
    const auto channel = capture.channel("s");
    for (std::uint64_t i = 0; i < 1000; ++i) capture.span(channel, 2000 + 2 * i, 2001 + 2 * i);
    store::Session session;
    capture.fill(session);
    LanePicture drawn;
    picture_lane(*session.lanes().at(0), view_of(0, 4'000'000, 400), 5000, drawn);
    ASSERT_FALSE(drawn.slivers.empty());
    EXPECT_EQ(drawn.slivers[0].count, 1000u);
}

}  // namespace
}  // namespace sla::timeline
