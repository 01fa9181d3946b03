#include "viewer/analysis/filter/same_event.h"

#include "tests/support/capture_builder.h"
#include "viewer/store/session.h"

#include <gtest/gtest.h>

namespace sla::analysis {
namespace {

TEST(SameEvent, IsTheLastOfItsKindAndValueOnTheLane) {
    support::CaptureBuilder capture(1000);
    const auto channel = capture.channel("c");
    capture.tick(channel, 1000, 7);
    capture.tick(channel, 2000, 8);
    capture.value(channel, 3000, 7);  // another kind
    capture.tick(channel, 4500, 7);
    capture.gap(channel, 5000, 3);
    store::Session session;
    capture.fill(session);
    const store::Lane& lane = *session.lane_named("c");
    const auto at = [&](std::uint64_t index) { return since_same_event(session.clock(), {&lane, index, lane.tick(index)}); };
    EXPECT_FALSE(at(0));
    EXPECT_FALSE(at(1));
    EXPECT_FALSE(at(2));
    ASSERT_TRUE(at(3));
    EXPECT_EQ(at(3)->ps, 3'500'000);
    EXPECT_FALSE(at(3)->longer);
    EXPECT_FALSE(at(4));  // a loss
}

TEST(SameEvent, OfTextsIsTheOneThatSaysTheSame) {
    support::CaptureBuilder capture(1000);
    const auto channel = capture.channel("c");
    capture.text(channel, 1000, "open");
    capture.text(channel, 2000, "shut");
    capture.text(channel, 5000, "open");
    store::Session session;
    capture.fill(session);
    const store::Lane& lane = *session.lane_named("c");
    EXPECT_FALSE(since_same_event(session.clock(), {&lane, 1, 2000}));
    EXPECT_EQ(since_same_event(session.clock(), {&lane, 2, 5000})->ps, 4'000'000);
}

TEST(SameEvent, IsNotKnownWhereALossMayHaveSwallowedANearerOne) {
    support::CaptureBuilder capture(1000);
    const auto channel = capture.channel("c");
    capture.tick(channel, 1000, 7);
    capture.gap(channel, 2000, 3);
    capture.tick(channel, 3000, 7);
    capture.tick(channel, 4000, 7);
    store::Session session;
    capture.fill(session);
    const store::Lane& lane = *session.lane_named("c");
    EXPECT_FALSE(since_same_event(session.clock(), {&lane, 2, 3000}));
    EXPECT_EQ(since_same_event(session.clock(), {&lane, 3, 4000})->ps, 1'000'000);
}

TEST(SameEvent, IsReportedAsLongerWhenItLiesTooFarBack) {
    support::CaptureBuilder capture(1000);
    const auto channel = capture.channel("c");
    capture.tick(channel, 1000, -1);
    for (std::uint64_t i = 0; i < 5000; ++i) capture.tick(channel, 2000 + i, static_cast<std::int64_t>(i));
    capture.tick(channel, 10'000, -1);
    store::Session session;
    capture.fill(session);
    const store::Lane& lane = *session.lane_named("c");
    const auto since = since_same_event(session.clock(), {&lane, lane.size() - 1, 10'000});
    ASSERT_TRUE(since);
    EXPECT_TRUE(since->longer);
    EXPECT_LT(since->ps, 9'000'000);
    EXPECT_GT(since->ps, 4'000'000);
}

}  // namespace
}  // namespace sla::analysis
