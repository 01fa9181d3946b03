// Bands of losses, of which nobody may know how many events they stand for.
#include "tests/support/capture_builder.h"
#include "viewer/store/session.h"
#include "viewer/timeline/pictures/lane_picture.h"

#include <gtest/gtest.h>

namespace sla::timeline {
namespace {

TEST(GapBands, KnowWhetherAllOfTheirLossesAreCounted) {
    support::CaptureBuilder capture(1000);
    const auto channel = capture.channel("a");
    capture.gap(channel, 2'000, 5, wire::LossCause::kOverrun, 2'100);
    capture.gap(channel, 20'000, 7, wire::LossCause::kOverrun, 20'010);
    capture.gap(channel, 20'020, 0, wire::LossCause::kDamaged, 20'030);
    capture.gap(channel, 40'000, 9, wire::LossCause::kOverrun, 40'100);
    capture.gap(channel, 60'000, 0, wire::LossCause::kNoAgent, 60'100);
    capture.gap(channel, 80'000, 0, wire::LossCause::kLeftOut, 80'100);
    store::Session session;
    capture.fill(session);
    const store::Lane& lane = *session.lane_named("a");
    LanePicture picture;
    Viewport view;
    view.set_width(1000);
    view.show({0, 100'000});
    picture_lane(lane, view, 100'000, picture);
    ASSERT_EQ(picture.gaps.size(), 5u);
    EXPECT_EQ(picture.gaps[1].lost, 7u);
    EXPECT_EQ(picture.gaps[1].gaps, 2u);
    EXPECT_TRUE(is_counted(lane, picture.gaps[0]));
    EXPECT_FALSE(is_counted(lane, picture.gaps[1]));
    EXPECT_TRUE(is_counted(lane, picture.gaps[2]));
    EXPECT_FALSE(is_counted(lane, picture.gaps[3]));
    EXPECT_TRUE(is_counted(lane, picture.gaps[4])) << "left out on purpose";
}

}  // namespace
}  // namespace sla::timeline
