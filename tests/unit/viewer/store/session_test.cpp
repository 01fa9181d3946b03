#include "viewer/store/session.h"

#include <gtest/gtest.h>

namespace sla::store {
namespace {

TEST(Session, LanesStandInOrderOfChannelIdAndStayWhereTheyAre) {
    Session session;
    Channel channel;
    channel.id = ChannelId{7};
    channel.name = "b";
    Lane& seventh = session.add_channel(channel);
    channel.id = ChannelId{3};
    session.add_channel(channel);
    channel.id = ChannelId{7};
    channel.name = "renamed";
    EXPECT_EQ(&session.add_channel(channel), &seventh);
    ASSERT_EQ(session.lanes().size(), 2u);
    EXPECT_EQ(session.lanes()[0]->channel().id, ChannelId{3});
    EXPECT_EQ(session.lane_named("renamed"), &seventh);
    EXPECT_EQ(session.lane(ChannelId{9}), nullptr);
}

TEST(Session, TimeCountsFromTheOriginAtTheRateOfTheSnapshots) {
    Session session;
    Origin origin;
    origin.start_tick = 1000;
    session.set_origin(origin);
    session.add_clock(0, {1000, 0, 0, 0, 24});
    session.add_clock(0, {1000 + 2'000'000'000, 1'000'000'000, 0, 0, 0});
    EXPECT_EQ(session.clock().to_ps(1000), 0);
    EXPECT_EQ(session.clock().to_ps(3000), 1'000'000);
    EXPECT_EQ(session.stamp_ticks(), 24u);
}

TEST(Session, TheWatermarkNeverGoesBackAndTheEndMakesEverythingFinal) {
    Session session;
    session.set_watermark(10);
    session.set_watermark(5);
    EXPECT_EQ(session.final_tick(), 10u);
    session.set_ended(20, "done");
    EXPECT_EQ(session.final_tick(), kNever);
    session.reopen();
    EXPECT_EQ(session.final_tick(), 20u);
}

TEST(Session, ShotsStandByTickHoweverTheyCome) {
    Session session;
    for (const std::uint64_t tick : {100, 400, 300, 100, 200}) {
        Shot shot;
        shot.trigger = tick == 300 ? "quick" : "slow";
        shot.tick = tick;
        session.add_shot(shot);
    }
    ASSERT_EQ(session.shots().size(), 4u) << "one came twice";
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(session.shots()[i].tick, 100 * (i + 1));
    EXPECT_EQ(session.first_shot_from(0)->tick, 100u);
    EXPECT_EQ(session.first_shot_from(300)->tick, 300u);
    EXPECT_EQ(session.first_shot_from(301)->tick, 400u);
    EXPECT_TRUE(session.first_shot_from(401) == session.shots().end());
}

TEST(Session, NotesAreBoundedAndDamageIsCountedToTheLast) {
    Session session;
    for (int i = 0; i < 5000; ++i) session.add_note({0, std::to_string(i), true});
    EXPECT_LE(session.notes().size(), Session::kMaxNotes);
    EXPECT_EQ(session.damage_count(), 5000u);
    EXPECT_EQ(session.notes().back().text, "4999");
}

TEST(Session, EveryChangeIsSeenInTheRevision) {
    Session session;
    const auto before = session.revision();
    session.set_watermark(1);
    EXPECT_NE(session.revision(), before);
}

}  // namespace
}  // namespace sla::store
