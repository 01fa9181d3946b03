#include "tests/support/capture_builder.h"
#include "tests/unit/viewer/ingest/frames.h"
#include "viewer/ingest/frame_applier.h"

#include <gtest/gtest.h>

#include <random>

namespace sla::ingest {
namespace {

class HostileFrames : public ::testing::Test {
protected:
    HostileFrames() : applier_(session_) {
        applier_.apply(hello_frame());
        applier_.apply(source_frame(1, "program"));
        applier_.apply(channel_frame(1, "rx"));
    }
    const store::Lane& lane() { return *session_.lane(ChannelId{1}); }
    store::Session session_;
    FrameApplier applier_;
};

TEST_F(HostileFrames, ABatchOfAnUnknownChannelIsDroppedAndNoted) {
    applier_.apply(batch_frame(9, 0, {1, 2, 3}));
    EXPECT_EQ(session_.damage_count(), 1u);
    EXPECT_EQ(applier_.dropped_events(), 3u);
    EXPECT_EQ(session_.events(), 0u);
}

// Some of the rows may have told of losses themselves.
TEST_F(HostileFrames, MissingOrdinalsBecomeAGapOfNobodyKnowsHowMany) {
    applier_.apply(batch_frame(1, 0, {10, 20}));
    applier_.apply(batch_frame(1, 52, {30}));
    ASSERT_EQ(lane().size(), 4u);
    EXPECT_EQ(lane().lost(wire::LossCause::kDamaged), 0u);
    EXPECT_EQ(lane().uncounted_losses(), 1u);
    EXPECT_NE(session_.notes().back().text.find("'rx': 50 rows are missing"), std::string::npos);
    EXPECT_EQ(lane().gaps()[0].tick, 20u);
    EXPECT_EQ(lane().gaps()[0].until_tick, 30u);
    EXPECT_EQ(session_.damage_count(), 1u);
}

// Of a damaged chunk its summary, which says that one of its rows told of a loss.
TEST_F(HostileFrames, MissingOrdinalsThatASummaryTellsOfAreCounted) {
    applier_.apply(batch_frame(1, 0, {10, 20}));
    capture::LostRows rows{ChannelId{1}, 2, 50, 21, 90, {}, true};
    rows.losses.push_back({ChannelId{1}, 2, 22, 40, 412, 7, wire::LossCause::kOverrun});
    applier_.expect(rows);
    applier_.apply(batch_frame(1, 55, {100}));
    ASSERT_EQ(lane().gaps().size(), 3u);
    EXPECT_EQ(lane().gaps()[0].lost, 0u) << "three rows behind it nobody tells of";
    EXPECT_EQ(lane().gaps()[1].cause, wire::LossCause::kOverrun);
    EXPECT_EQ(lane().gaps()[1].lost, 412u);
    EXPECT_EQ(lane().gaps()[1].until_tick, 40u);
    EXPECT_EQ(lane()[lane().gaps()[1].index].thread, 7u);
    EXPECT_EQ(lane().lost(wire::LossCause::kDamaged), 49u);
    EXPECT_EQ(lane().gaps()[2].until_tick, 90u);
    EXPECT_EQ(lane().last_tick(), 100u);
}

// Ticks of nowhere, and of more than all there is.
TEST_F(HostileFrames, ASummaryThatLiesDoesNotCrash) {
    const std::uint64_t most = ~std::uint64_t{0};
    for (const std::uint64_t tick : {std::uint64_t{0}, most}) {
        capture::LostRows rows{ChannelId{1}, 2, most - 1, tick, most - tick, {}, true};
        rows.losses.push_back({ChannelId{1}, 1, tick, tick, most, 0, wire::LossCause::kOverrun});
        rows.losses.push_back({ChannelId{1}, most, most - tick, 0, most, 9, wire::LossCause::kLagged});
        applier_.expect(rows);
        applier_.expect({ChannelId{44}, 2, 50, 21, 90, {}, true});
    }
    applier_.apply(batch_frame(1, 0, {10, 20}));
    applier_.apply(batch_frame(1, 60, {30}));
    applier_.end_expected();
    EXPECT_LE(lane().last_tick(), SLA_TICK_MASK);
    for (std::uint64_t row = 1; row < lane().size(); ++row) EXPECT_LE(lane().tick(row - 1), lane().tick(row));
}

TEST_F(HostileFrames, LossesOfABatchThatIsDroppedAreLostAsBefore) {
    applier_.apply(batch_frame(1, 0, {10, 20}));
    wire::EventBatch batch = gap_batch(1, 2, 15, 400, wire::LossCause::kOverrun);
    batch.add(16, SLA_CODE_TICK, 0, 0);
    applier_.apply(batch_frame(batch));
    EXPECT_EQ(lane().lost(), 401u);
    applier_.apply(batch_frame(gap_batch(1, 4, 15, 0, wire::LossCause::kOverrun)));
    EXPECT_EQ(lane().lost(), 401u);
    EXPECT_EQ(lane().uncounted_losses(), 1u);
}

TEST_F(HostileFrames, AnOverlapIsTakenOnce) {
    applier_.apply(batch_frame(1, 0, {10, 20, 30}));
    applier_.apply(batch_frame(1, 1, {20, 30, 40}));
    ASSERT_EQ(lane().size(), 4u);
    EXPECT_EQ(lane().tick(3), 40u);
    EXPECT_EQ(session_.damage_count(), 1u);
    applier_.apply(batch_frame(1, 0, {10, 20}));
    EXPECT_EQ(lane().size(), 4u);
    EXPECT_EQ(session_.damage_count(), 2u);
}

TEST_F(HostileFrames, TicksThatGoBackBecomeACountedGap) {
    applier_.apply(batch_frame(1, 0, {10, 20}));
    applier_.apply(batch_frame(1, 2, {15, 16, 17}));
    applier_.apply(batch_frame(1, 5, {30}));
    ASSERT_EQ(lane().size(), 4u);
    EXPECT_EQ(lane().lost(), 3u);
    EXPECT_EQ(applier_.dropped_events(), 3u);
    EXPECT_EQ(lane().tick(3), 30u);
}

TEST_F(HostileFrames, ATickBeyondAStampDoesNotBlockTheLane) {
    applier_.apply(batch_frame(1, 0, {10, ~std::uint64_t{0}}));
    applier_.apply(batch_frame(1, 2, {20}));
    EXPECT_EQ(lane().lost(), 2u);
    EXPECT_EQ(lane().last_tick(), 20u);
}

TEST_F(HostileFrames, HugeOrdinalsAndLossesDoNotCrash) {
    applier_.apply(batch_frame(1, 0, {10}));
    applier_.apply(batch_frame(1, ~std::uint64_t{0}, {20}));
    applier_.apply(batch_frame(gap_batch(1, 0, 30, ~std::uint64_t{0}, wire::LossCause::kOverrun)));
    applier_.apply(batch_frame(gap_batch(1, 1, 40, ~std::uint64_t{0}, wire::LossCause::kLagged)));
    applier_.apply(batch_frame(1, 5, {50}));
    EXPECT_GE(session_.damage_count(), 1u);
}

TEST_F(HostileFrames, AnotherVersionIsSaid) {
    applier_.apply(hello_frame(1, 0, 77));
    EXPECT_EQ(session_.damage_count(), 1u);
}

TEST_F(HostileFrames, AChannelOfNoSourceIsShownAndNoted) {
    applier_.apply(channel_frame(5, "orphan", 44));
    EXPECT_EQ(session_.damage_count(), 1u);
    EXPECT_NE(session_.lane_named("orphan"), nullptr);
}

TEST(HostileStream, WithoutAHelloTimeCountsFromTheFirstEvent) {
    store::Session session;
    FrameApplier applier(session);
    applier.apply(source_frame(1, "program"));
    applier.apply(channel_frame(1, "rx"));
    applier.apply(batch_frame(1, 0, {500, 600}));
    EXPECT_EQ(session.origin().start_tick, 500u);
    EXPECT_EQ(session.damage_count(), 1u);
}

TEST(HostileStream, FramesOfGarbageAndFlippedBitsNeverCrash) {
    support::CaptureBuilder capture;
    support::add_mixed(capture, 6, 200);
    const auto frames = capture.frames();
    std::mt19937_64 random(99);
    for (int round = 0; round < 60; ++round) {
        store::Session session;
        FrameApplier applier(session);
        for (std::string message : frames) {
            if (random() % 4 == 0 && !message.empty())
                message[random() % message.size()] ^= static_cast<char>(1 << random() % 8);
            if (random() % 16 == 0) message.resize(random() % (message.size() + 1));
            if (random() % 16 == 0) continue;
            applier.apply(std::string_view(message));
            if (random() % 32 == 0) applier.apply(std::string_view(message));
        }
        for (const store::Lane* lane : session.lanes()) {
            for (std::uint64_t i = 1; i < lane->size(); ++i) ASSERT_LE(lane->tick(i - 1), lane->tick(i));
        }
    }
}

}  // namespace
}  // namespace sla::ingest
