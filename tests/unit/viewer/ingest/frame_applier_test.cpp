#include "viewer/ingest/frame_applier.h"

#include "tests/support/capture_builder.h"
#include "tests/unit/viewer/ingest/frames.h"

#include <gtest/gtest.h>

namespace sla::ingest {
namespace {

TEST(FrameApplier, AWholeCaptureArrivesUndamaged) {
    support::CaptureBuilder capture;
    support::add_mixed(capture, 12, 500);
    store::Session session;
    capture.fill(session);
    EXPECT_EQ(session.damage_count(), 0u);
    EXPECT_EQ(session.lanes().size(), 12u);
    EXPECT_GT(session.events(), 5000u);
    EXPECT_EQ(session.lost(), 2u * 412);
    EXPECT_TRUE(session.ended());
    EXPECT_EQ(session.end_reason(), "complete");
    EXPECT_EQ(session.sources().size(), 2u);
    ASSERT_NE(session.lane_named("port.port.0"), nullptr);
    EXPECT_EQ(session.lane_named("port.port.0")->text(0), "out 80h at f000:e05b");
    EXPECT_GT(session.lane_named("net.parse")->spans().size(), 100u);
}

TEST(FrameApplier, WhatAnAgentLeftOutAsAskedIsNoLossAndStandsInItsLanes) {
    store::Session session;
    FrameApplier applier(session);
    applier.apply(hello_frame(7));
    applier.apply(source_frame(1, "program"));
    applier.apply(channel_frame(1, "rx"));
    applier.apply(channel_frame(2, "new"));
    applier.apply(batch_frame(1, 5000, {900, 1100}));
    applier.apply(batch_frame(2, 0, {1200}));
    wire::Frame frame;
    frame.mutable_history()->set_oldest_tick(100);
    frame.mutable_history()->set_from_tick(1000);
    applier.apply(frame.SerializeAsString());
    ASSERT_TRUE(session.history());
    EXPECT_EQ(session.history()->capture_id, 7u);
    ASSERT_TRUE(session.unfetched(*session.lane_named("rx")));
    EXPECT_EQ(session.unfetched(*session.lane_named("rx"))->from_tick, 900u);
    EXPECT_FALSE(session.unfetched(*session.lane_named("new"))) << "its first event is here";
    EXPECT_EQ(session.lost() + session.not_kept() + session.damage_count(), 0u);
    frame.mutable_history()->set_oldest_tick(~std::uint64_t{0});
    frame.mutable_history()->set_from_tick(~std::uint64_t{0});
    applier.apply(frame.SerializeAsString());
    EXPECT_FALSE(session.history()) << "nonsense leaves nothing out";
}

TEST(FrameApplier, AChannelSaysHowItIsStampedAndWhatIsUnknownIsRdtsc) {
    store::Session session;
    FrameApplier applier(session);
    applier.apply(hello_frame(7));
    applier.apply(source_frame(1, "program"));
    applier.apply(channel_frame(1, "old"));
    for (const int stamping : {1, 2, 3, -1}) {
        wire::Frame frame;
        frame.mutable_channel()->set_id(static_cast<std::uint32_t>(10 + stamping));
        frame.mutable_channel()->set_source(1);
        frame.mutable_channel()->set_name("c" + std::to_string(stamping));
        frame.mutable_channel()->set_stamping(static_cast<wire::Channel::Stamping>(stamping));
        frame.mutable_channel()->set_section_ticks(70);
        applier.apply(frame.SerializeAsString());
    }
    const auto stamping_of = [&](const char* name) { return session.lane_named(name)->channel().stamping; };
    EXPECT_EQ(stamping_of("old"), store::Stamping::kRdtsc);
    EXPECT_EQ(stamping_of("c1"), store::Stamping::kRdtscp);
    EXPECT_EQ(stamping_of("c2"), store::Stamping::kLfenceRdtsc);
    EXPECT_EQ(stamping_of("c3"), store::Stamping::kRdtsc);
    EXPECT_EQ(stamping_of("c-1"), store::Stamping::kRdtsc);
    EXPECT_EQ(session.lane_named("c1")->channel().section_ticks, 70u);
    EXPECT_EQ(session.damage_count(), 0u);
}

TEST(FrameApplier, StatusFillsTheLedgerAndTheHealth) {
    store::Session session;
    FrameApplier applier(session);
    applier.apply(hello_frame());
    applier.apply(source_frame(1, "program"));
    applier.apply(channel_frame(4, "rx"));
    wire::Frame frame;
    auto* status = frame.mutable_status();
    status->set_readers(3);
    status->set_agent_cpu(0.25);
    status->mutable_memory()->set_names(5);
    status->mutable_memory()->set_recorders(6);
    auto* one = status->add_channels();
    one->set_id(4);
    one->set_events(100);
    one->set_overrun(7);
    one->set_torn(2);
    status->add_channels()->set_id(99);
    applier.apply(frame.SerializeAsString());
    EXPECT_TRUE(session.health().known);
    EXPECT_EQ(session.health().readers, 3u);
    EXPECT_EQ(session.health().memory.names, 5u);
    EXPECT_EQ(session.health().memory.recorders, 6u);
    ASSERT_NE(session.ledger(ChannelId{4}), nullptr);
    EXPECT_EQ(session.ledger(ChannelId{4})->lost(), 9u);
    EXPECT_EQ(session.ledger(ChannelId{99}), nullptr);
}

TEST(FrameApplier, WhatTheAgentHasForgottenStaysButIsNotHeldByItAnyMore) {
    store::Session session;
    FrameApplier applier(session);
    applier.apply(hello_frame());
    applier.apply(source_frame(1, "program"));
    applier.apply(channel_frame(4, "rx"));
    wire::Frame frame;
    auto* one = frame.mutable_ledgers()->add_channels();
    one->set_id(4);
    one->set_events(100);
    one->set_retained_bytes(5000);
    one->set_retained_events(100);
    applier.apply(frame.SerializeAsString());
    ASSERT_NE(session.ledger(ChannelId{4}), nullptr);
    EXPECT_EQ(session.ledger(ChannelId{4})->retained_events, 100u);
    EXPECT_FALSE(session.health().known) << "the last word on channels is no status";
    frame.mutable_retired()->add_sources(1);
    frame.mutable_retired()->add_channels(4);
    frame.mutable_retired()->add_channels(99);
    applier.apply(frame.SerializeAsString());
    EXPECT_EQ(session.ledger(ChannelId{4})->events, 100u);
    EXPECT_EQ(session.ledger(ChannelId{4})->retained_events, 0u);
    EXPECT_TRUE(session.ledger(ChannelId{4})->retired);
    EXPECT_NE(session.lane(ChannelId{4}), nullptr);
    EXPECT_EQ(session.damage_count(), 0u);
    frame.mutable_status()->mutable_retired()->set_channels(1);
    frame.mutable_status()->mutable_retired()->set_events(100);
    frame.mutable_status()->mutable_retired()->set_late(2);
    applier.apply(frame.SerializeAsString());
    EXPECT_EQ(session.health().retired_events, 100u);
    EXPECT_EQ(session.health().retired_lost, 2u);
}

TEST(FrameApplier, NoticesAreForPeopleAndNoDamage) {
    store::Session session;
    FrameApplier applier(session);
    wire::Frame frame;
    frame.mutable_notice()->set_text("a program was refused");
    applier.apply(frame.SerializeAsString());
    ASSERT_EQ(session.notes().size(), 1u);
    EXPECT_EQ(session.notes()[0].text, "a program was refused");
    EXPECT_EQ(session.damage_count(), 0u);
}

TEST(FrameApplier, ALateJoinerBeginsInTheMiddleWithoutALoss) {
    store::Session session;
    FrameApplier applier(session);
    applier.apply(hello_frame());
    applier.apply(source_frame(1, "program"));
    applier.apply(channel_frame(1, "rx"));
    applier.apply(batch_frame(1, 1000, {10, 20}));
    applier.apply(batch_frame(1, 1002, {30}));
    EXPECT_EQ(session.lane(ChannelId{1})->size(), 3u);
    EXPECT_EQ(session.lost(), 0u);
    EXPECT_EQ(session.damage_count(), 0u);
}

TEST(FrameApplier, ALaggedGapExplainsTheOrdinalsItStandsFor) {
    for (const std::uint64_t gap_ordinal : {2u, 101u}) {  // the agent may number its gap row from either side
        store::Session session;
        FrameApplier applier(session);
        applier.apply(hello_frame());
        applier.apply(source_frame(1, "program"));
        applier.apply(channel_frame(1, "rx"));
        applier.apply(batch_frame(1, 0, {10, 20}));
        applier.apply(batch_frame(gap_batch(1, gap_ordinal, 25, 100, wire::LossCause::kLagged)));
        applier.apply(batch_frame(1, 102, {30}));
        EXPECT_EQ(session.lost(), 100u);
        EXPECT_EQ(session.damage_count(), 0u);
        EXPECT_EQ(session.lane(ChannelId{1})->size(), 4u);
    }
}

TEST(FrameApplier, HistoryThatWasNotKeptIsNoLossAndNoDamage) {
    for (const std::uint64_t known : {100u, 0u}) {  // 0: nobody knows how many
        store::Session session;
        FrameApplier applier(session);
        applier.apply(hello_frame());
        applier.apply(source_frame(1, "program"));
        applier.apply(channel_frame(1, "rx"));
        wire::EventBatch gaps = gap_batch(1, 0, 25, known, wire::LossCause::kNotKept);
        gaps.extras[0].until_tick = 60;
        gaps.add(60, SLA_CODE_GAP, 7, 0);
        gaps.extras.push_back({1, wire::LossCause::kLagged, 70});
        applier.apply(batch_frame(gaps));
        applier.apply(batch_frame(1, 107, {80}));
        const store::Lane& lane = *session.lane(ChannelId{1});
        EXPECT_EQ(session.damage_count(), 0u);
        EXPECT_EQ(session.lost(), 7u);
        EXPECT_EQ(session.not_kept(), known);
        EXPECT_EQ(lane.lost(wire::LossCause::kLagged), 7u);
        EXPECT_EQ(lane.gaps()[0].until_tick, 60u);
        EXPECT_EQ(lane.size(), 3u);
        EXPECT_EQ(lane.text(0), "not kept");
    }
}

}  // namespace
}  // namespace sla::ingest
