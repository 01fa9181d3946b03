// What a stream lacks of a capture is told by where it is missing: history before the rest, losses within it and at its end.
#include "tests/unit/viewer/fleet/published_capture.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sla::fleet {
namespace {

// Of a large capture no row is read before somebody asks: who asks for losses is told of them all the same.
TEST_F(FleetCaptureTest, AHoleIsLostOnItsLanesBeforeAnybodyReadsIt) {
    publish(14);
    has_ended();
    erase_chunks(2, 3, 6, {Kind::kFrames});
    auto opened = open_whole();
    ASSERT_TRUE(opened.ok());
    EXPECT_GT(opened->missing.within, 0u);
    EXPECT_EQ(opened->missing.before + opened->missing.at_end, 0u);
    Session session;
    ASSERT_TRUE(load(session, 0).ok());
    ASSERT_NE(session.lanes()[0]->pages(), nullptr);
    EXPECT_EQ(lost_of(session) - lost_of(files_), opened->missing.within);
    for (const std::uint64_t rows_in_memory : {0, 1'000'000'000})
        expect_all_accounted_for(rows_in_memory, opened->missing.within);
}

TEST_F(FleetCaptureTest, WithTheirSummariesGoneChunksAreKnownByTheIndex) {
    publish(15);
    erase_chunks(2, 0, 5, {Kind::kFrames, Kind::kSummary});  // with the names of piece 2
    const std::uint64_t within = open_whole()->missing.within;
    for (const std::uint64_t rows_in_memory : {0, 1'000'000'000}) {
        expect_all_accounted_for(rows_in_memory, within);
        Session session;
        ASSERT_TRUE(load(session, rows_in_memory).ok());
        EXPECT_FALSE(says(session, "never announced"));
    }
}

TEST_F(FleetCaptureTest, AnIndexThatIsGoneLeavesItsSummaries) {
    publish(16);
    std::erase_if(stream_->messages(), [](const auto& entry) {
        const MessageId& id = entry.second.message.headers->id;
        return id.kind == Kind::kIndex && id.piece <= 2;
    });
    expect_as_in_the_files();
}

TEST_F(FleetCaptureTest, ChunksOfWhichNothingIsLeftAreLostRows) {
    publish(17);
    has_ended();
    erase_chunks(2, 4, 7, {Kind::kFrames, Kind::kSummary});
    erase_chunks(2, 0, 100, {Kind::kIndex});
    auto opened = open_whole();
    ASSERT_TRUE(opened.ok());
    EXPECT_GT(opened->missing.within, 0u);
    Session session;
    ASSERT_TRUE(load(session, 0).ok());
    expect_all_accounted_for(0, files_.events() - session.events());
    EXPECT_TRUE(says(session, "is not in the stream"));
}

TEST_F(FleetCaptureTest, ABeginningThatSomebodyDeletedIsHistoryAndNoLoss) {
    MessageHeaders headers;
    headers.id = {"another", "b", "c", 1, 0, Kind::kFrames};
    stream_->put("sla.v1.lab.0.another.c.frames", headers, "x");  // the stream goes back further than this capture
    publish(18);
    has_ended();
    for (const auto& kinds : {std::vector{Kind::kFrames}, std::vector{Kind::kFrames, Kind::kSummary, Kind::kIndex}}) {
        erase_chunks(1, 0, 100, kinds);
        auto opened = open_whole();
        ASSERT_TRUE(opened.ok());
        EXPECT_EQ(opened->missing.within + opened->missing.at_end, 0u);
        EXPECT_FALSE(opened->missing.lacks_end);
        for (const std::uint64_t rows_in_memory : {0, 1'000'000'000}) {
            Session session;
            ASSERT_TRUE(load(session, rows_in_memory).ok());
            EXPECT_TRUE(session.begins_late());
            EXPECT_EQ(session.damage_count(), 0u);
            EXPECT_EQ(session.events() + opened->missing.before, files_.events());
            EXPECT_TRUE(says(session, "begins late: " + std::to_string(opened->missing.before) + " events"));
        }
    }
}

// As where a server came back empty: channels of later programs begin with their first row, and only the registry tells of others.
TEST_F(FleetCaptureTest, ABeginningOfWhichNoLaneTellsIsToldByTheRegistry) {
    publish(18);
    for (auto& [sequence, kept] : stream_->messages()) kept.message.headers->id.piece += 1;
    const std::uint64_t published = files_.events() + 1400;
    for (const Published& registry :
         {Published{published, files_.last_tick(), 0, published}, Published{0, 0, 0, published}}) {
        registry_ = registry;
        auto opened = open_whole();
        ASSERT_TRUE(opened.ok());
        EXPECT_EQ(opened->missing.before, 1400u);
        EXPECT_EQ(opened->missing.within + opened->missing.at_end, 0u);
        Session session;
        ASSERT_TRUE(load(session, 0).ok());
        EXPECT_TRUE(says(session, "begins late: 1400 events"));
    }
}

TEST_F(FleetCaptureTest, AnEndThatIsGoneIsALossOnEveryLane) {
    publish(19);
    has_ended();
    std::erase_if(stream_->messages(), [](const auto& entry) { return entry.second.message.headers->id.piece == 4; });
    auto opened = open_whole();
    ASSERT_TRUE(opened.ok());
    EXPECT_TRUE(opened->missing.lacks_end);
    for (const std::uint64_t rows_in_memory : {0, 1'000'000'000}) {
        Session session;
        ASSERT_TRUE(load(session, rows_in_memory).ok());
        EXPECT_EQ(session.events() + opened->missing.at_end, files_.events());
        EXPECT_TRUE(says(session, "its end (" + std::to_string(opened->missing.at_end) + " events) had been published"));
        EXPECT_GT(session.damage_count(), 0u);
        for (const store::Lane* lane : session.lanes()) {
            const store::Gap* const gap = lane->gap_at(lane->size() - 1);
            ASSERT_NE(gap, nullptr) << lane->channel().name;
            EXPECT_EQ(gap->cause, wire::LossCause::kDamaged);
            EXPECT_EQ(gap->until_tick, registry_.last_tick);
        }
    }
}

TEST_F(FleetCaptureTest, WhatTheAgentDroppedAtItsEndIsALossBehindTheLastRow) {
    publish(19);
    has_ended();
    registry_.lost_at_end = 777;
    for (const std::uint64_t rows_in_memory : {0, 1'000'000'000}) {
        Session session;
        ASSERT_TRUE(load(session, rows_in_memory).ok());
        EXPECT_EQ(session.events(), files_.events());
        EXPECT_TRUE(says(session, "its last 777 events were dropped by its agent"));
        EXPECT_FALSE(says(session, "had been published"));
        for (const store::Lane* lane : session.lanes()) {
            const store::Gap* const gap = lane->gap_at(lane->size() - 1);
            ASSERT_NE(gap, nullptr) << lane->channel().name;
            EXPECT_EQ(gap->until_tick, registry_.last_tick);
        }
    }
    stream_->messages().clear();
    registry_ = {0, 0, 777};
    const auto store = open();
    ASSERT_FALSE(store.ok());
    EXPECT_NE(store.error().message.find("dropped all of its 777 events"), std::string::npos) << store.error().message;
}

TEST_F(FleetCaptureTest, WhatAnAgentHasNotSentYetIsNoLoss) {
    RunEntry run;
    run.published = 1000;
    EXPECT_EQ(published_of(run).events, 0u);
    EXPECT_EQ(published_of(run).so_far, 1000u);
    run.ended_ns = 1;
    run.lost_at_end = 5;
    EXPECT_EQ(published_of(run).events, 1000u);
    EXPECT_EQ(published_of(run).lost_at_end, 5u);
    run.left = 1;
    EXPECT_EQ(published_of(run).events, 0u);
}

TEST_F(FleetCaptureTest, OfNothingThatIsLeftItSaysHowMuchThereWas) {
    publish(21);
    has_ended();
    stream_->messages().clear();
    const auto store = open();
    ASSERT_FALSE(store.ok());
    EXPECT_NE(store.error().message.find("all of its " + std::to_string(files_.events()) + " events"), std::string::npos)
        << store.error().message;
}

TEST_F(FleetCaptureTest, OfNothingItSaysThatNothingIsThere) {
    const auto store = open();
    ASSERT_FALSE(store.ok());
    EXPECT_NE(store.error().message.find("nothing of the capture is in the stream"), std::string::npos)
        << store.error().message;
}

}  // namespace
}  // namespace sla::fleet
