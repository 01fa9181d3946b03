#include "viewer/workspace/source/gone_programs.h"

#include "tests/support/capture_builder.h"

#include <gtest/gtest.h>

#include <string>

namespace sla::workspace {
namespace {

constexpr std::uint64_t kNow = 1'000'000;

class Gone : public ::testing::Test {
protected:
    void end(std::uint32_t source) {
        store::Source ended = *session_.source(SourceId{source});
        ended.ended = true;
        session_.add_source(ended);
        session_.touch();
    }
    const store::Lane& lane(const char* name) { return *session_.lane_named(name); }

    support::CaptureBuilder capture_{0};
    store::Session session_;
    GonePrograms gone_;
};

TEST_F(Gone, AProgramThatHasEndedIsKnownUntilItsNewestEvent) {
    const auto lives = capture_.source("lives");
    const auto ended = capture_.source("ends");
    capture_.level(capture_.channel("a", ended), 1'000, true);
    capture_.tick(capture_.channel("b", ended), 5'000);
    capture_.tick(capture_.channel("c", lives), 2'000);
    capture_.channel("silent", ended);
    capture_.fill(session_);
    gone_.refresh(session_);
    EXPECT_EQ(gone_.known_until(lane("a"), kNow), kNow);
    const std::uint64_t before = gone_.revision();
    end(ended);
    gone_.refresh(session_);
    EXPECT_GT(gone_.revision(), before);
    for (const char* name : {"a", "b", "silent"}) EXPECT_EQ(gone_.known_until(lane(name), kNow), 5'000u) << name;
    EXPECT_EQ(gone_.known_until(lane("c"), kNow), kNow);
    EXPECT_EQ(gone_.known_until(lane("a"), 3'000), 3'000u) << "nothing is known beyond now";

    wire::EventBatch late;
    late.add(7'000, SLA_CODE_TICK, 0, 1);
    session_.lane(lane("b").channel().id)->append(late);
    session_.touch();
    gone_.refresh(session_);
    EXPECT_EQ(gone_.known_until(lane("a"), kNow), 7'000u) << "it was still on its way";
}

TEST_F(Gone, LanesOfAnotherSessionAreOfNoProgram) {
    const auto ended = capture_.source("ends");
    capture_.tick(capture_.channel("a", ended), 5'000);
    capture_.fill(session_);
    end(ended);
    gone_.refresh(session_);
    ASSERT_EQ(gone_.known_until(lane("a"), kNow), 5'000u);
    store::Session other;
    capture_.fill(other);
    EXPECT_EQ(gone_.known_until(*other.lane_named("a"), kNow), kNow);
    const std::uint64_t before = gone_.revision();
    gone_.refresh(other);
    EXPECT_GT(gone_.revision(), before);
    EXPECT_EQ(gone_.known_until(*other.lane_named("a"), kNow), kNow) << "it lives there";
}

// What is said of one of thousands of lanes is never of some of them.
TEST_F(Gone, OfManyLanesItIsSaidOnceAllWereLookedAt) {
    const auto ended = capture_.source("ends");
    for (std::uint64_t i = 0; i < 3'000; ++i) capture_.tick(capture_.channel("lane." + std::to_string(i), ended), 1'000 + i);
    capture_.fill(session_);
    end(ended);
    int frames = 0;
    for (gone_.refresh(session_); gone_.revision() == 0 && frames < 100; ++frames) {
        EXPECT_TRUE(gone_.is_looking());
        EXPECT_EQ(gone_.known_until(lane("lane.0"), kNow), kNow);
        gone_.refresh(session_);
    }
    EXPECT_GT(frames, 1);
    EXPECT_FALSE(gone_.is_looking());
    EXPECT_EQ(gone_.known_until(lane("lane.0"), kNow), 3'999u);
}

}  // namespace
}  // namespace sla::workspace
