#include "tests/unit/viewer/ingest/frames.h"
#include "viewer/ingest/frame_applier.h"

#include <gtest/gtest.h>

namespace sla::ingest {
namespace {

class Reconnect : public ::testing::Test {
protected:
    Reconnect() : applier_(session_) {
        applier_.apply(hello_frame(1));
        applier_.apply(source_frame(1, "program"));
        applier_.apply(channel_frame(1, "rx"));
        applier_.apply(channel_frame(2, "tx"));
        applier_.apply(batch_frame(1, 0, {10, 20, 30}));
        applier_.begin_stream();
    }
    store::Session session_;
    FrameApplier applier_;
};

TEST_F(Reconnect, HistoryThatIsHereIsTakenOnceAndNotCalledDamage) {
    applier_.apply(hello_frame(1));
    applier_.apply(source_frame(1, "program"));
    applier_.apply(channel_frame(1, "rx"));
    applier_.apply(batch_frame(1, 0, {10, 20}));
    applier_.apply(batch_frame(1, 2, {30, 40}));
    EXPECT_EQ(session_.lane(ChannelId{1})->size(), 4u);
    EXPECT_EQ(session_.damage_count(), 0u);
    EXPECT_EQ(session_.lost(), 0u);
}

TEST_F(Reconnect, WhatTheAgentNoLongerHoldsIsALaggedGap) {
    applier_.apply(hello_frame(1));
    applier_.apply(batch_frame(1, 13, {100}));
    EXPECT_EQ(session_.lane(ChannelId{1})->lost(wire::LossCause::kLagged), 10u);
    EXPECT_EQ(session_.damage_count(), 0u);
}

TEST_F(Reconnect, ARestartedAgentNumbersAnewAndLanesGoOn) {
    applier_.apply(hello_frame(2, 5000));
    applier_.apply(source_frame(9, "program"));
    applier_.apply(channel_frame(1, "tx", 9));
    applier_.apply(channel_frame(2, "rx", 9));
    applier_.apply(channel_frame(3, "new", 9));
    applier_.apply(batch_frame(2, 0, {40, 50}));
    applier_.apply(batch_frame(1, 0, {45}));
    applier_.apply(batch_frame(3, 0, {46}));
    EXPECT_EQ(session_.lanes().size(), 3u);
    EXPECT_EQ(session_.sources().size(), 1u);
    EXPECT_EQ(session_.lane_named("rx")->events(), 5u);
    EXPECT_EQ(session_.lane_named("tx")->size(), 1u);
    EXPECT_EQ(session_.lane_named("new")->size(), 1u);
    EXPECT_EQ(session_.damage_count(), 0u);
    EXPECT_EQ(session_.origin().start_tick, 0u);
}

TEST_F(Reconnect, TheTimeWithoutAnAgentIsAGapThatNobodyCounted) {
    applier_.apply(watermark_frame(100));
    applier_.begin_stream();
    applier_.apply(hello_frame(2, 5000));
    applier_.apply(source_frame(1, "program"));
    applier_.apply(channel_frame(1, "rx"));
    applier_.apply(batch_frame(1, 0, {5010, 5020}));
    const store::Lane& rx = *session_.lane_named("rx");
    ASSERT_EQ(rx.gaps().size(), 1u);
    const store::Gap& gap = rx.gaps().front();
    EXPECT_EQ(gap.tick, 101u);  // until its watermark the first agent had reported everything
    EXPECT_EQ(gap.until_tick, 5000u);
    EXPECT_EQ(gap.cause, wire::LossCause::kNoAgent);
    EXPECT_TRUE(gap.is_uncounted());
    EXPECT_EQ(rx.events(), 5u);
    EXPECT_TRUE(session_.lane_named("tx")->empty());  // nothing yet, so nothing to miss in
    EXPECT_EQ(session_.damage_count(), 0u);
}

TEST_F(Reconnect, AProgramThatHadEndedMissesNothingInThatTime) {
    applier_.apply(watermark_frame(100));
    wire::Frame ended;
    ASSERT_TRUE(ended.ParseFromString(source_frame(1, "program")));
    ended.mutable_source()->set_ended(true);
    applier_.apply(ended.SerializeAsString());
    applier_.begin_stream();
    applier_.apply(hello_frame(2, 5000));
    EXPECT_FALSE(session_.lane_named("rx")->empty());
    EXPECT_TRUE(session_.lane_named("rx")->gaps().empty());
    EXPECT_EQ(session_.uncounted_losses(), 0u);
}

TEST_F(Reconnect, TheSameAgentAnsweringAgainLeavesNoSuchGap) {
    applier_.apply(watermark_frame(100));
    applier_.begin_stream();
    applier_.apply(hello_frame(1, 0));
    applier_.apply(source_frame(1, "program"));
    applier_.apply(channel_frame(1, "rx"));
    applier_.apply(batch_frame(1, 3, {5010}));
    EXPECT_TRUE(session_.lane_named("rx")->gaps().empty());
}

TEST_F(Reconnect, AnAgentThatBeganBeforeTheOtherEndedLeavesNoSuchGap) {
    applier_.apply(watermark_frame(100));
    applier_.begin_stream();
    applier_.apply(hello_frame(2, 50));
    EXPECT_TRUE(session_.lane_named("rx")->gaps().empty());
}

class Reboot : public ::testing::Test {
protected:
    Reboot() {
        applier_.apply(hello(1, "first boot", 1000));
        applier_.apply(source_frame(1, "program"));
        applier_.apply(channel_frame(1, "rx"));
        applier_.apply(batch_frame(1, 0, {1010, 1020}));
        applier_.begin_stream();
    }
    static std::string hello(std::uint64_t capture_id, const std::string& boot_id, std::uint64_t start_tick) {
        wire::Frame frame;
        frame.mutable_hello()->set_version(1);
        frame.mutable_hello()->set_capture_id(capture_id);
        frame.mutable_hello()->set_start_tick(start_tick);
        frame.mutable_hello()->set_boot_id(boot_id);
        return frame.SerializeAsString();
    }
    void go_on() {
        applier_.apply(source_frame(1, "program"));
        applier_.apply(channel_frame(1, "rx"));
        applier_.apply(batch_frame(1, 0, {5010, 5020, 5030}));
    }
    store::Session session_;
    FrameApplier applier_{session_};
};

TEST_F(Reboot, WhatAHostSendsAfterARebootIsOfAnotherClockAndLeftOut) {
    applier_.apply(hello(2, "second boot", 5000));
    go_on();
    EXPECT_EQ(session_.lane_named("rx")->size(), 2u);
    EXPECT_TRUE(session_.lane_named("rx")->gaps().empty());
    EXPECT_EQ(session_.damage_count(), 1u);
    EXPECT_NE(session_.notes().back().text.find("started anew"), std::string::npos);
    EXPECT_EQ(applier_.dropped_events(), 3u);
}

TEST_F(Reboot, AnAgentStartedAgainOnTheSameBootGoesOn) {
    applier_.apply(hello(2, "first boot", 5000));
    go_on();
    EXPECT_EQ(session_.lane_named("rx")->events(), 5u);
    EXPECT_EQ(session_.damage_count(), 0u);
}

TEST_F(Reboot, AnAgentThatDoesNotKnowItsBootGoesOn) {
    applier_.apply(hello(2, "", 5000));
    go_on();
    EXPECT_EQ(session_.lane_named("rx")->events(), 5u);
}

TEST_F(Reconnect, AnotherProgramOfTheSameNameGetsItsOwnLanes) {
    applier_.apply(hello_frame(2));
    applier_.apply(source_frame(1, "program", 8));
    applier_.apply(channel_frame(1, "rx", 1));
    applier_.apply(batch_frame(1, 0, {40}));
    EXPECT_EQ(session_.sources().size(), 2u);
    EXPECT_EQ(session_.lanes().size(), 3u);
    EXPECT_EQ(session_.lane(ChannelId{1})->size(), 3u);
}

}  // namespace
}  // namespace sla::ingest
