// Programs that come, end, and are told apart, in the list of lanes.
#include "tests/support/capture_builder.h"
#include "viewer/timeline/lanes/lane_tree.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sla::timeline {
namespace {

class Programs : public ::testing::Test {
protected:
    void add(const char* name, std::uint32_t pid, std::uint64_t first_tick = 0,
             support::BuilderSource kind = support::BuilderSource::kProgram) {
        ids_.push_back(capture_.source(name, kind, pid));
        const auto channel = capture_.channel("a", ids_.back());
        if (first_tick > 0) capture_.tick(channel, first_tick);
    }
    void fill() {
        capture_.fill(session_);
        tree_.is_live = true;
        tree_.refresh(session_);
    }
    void end(std::size_t at) {
        store::Source ended = *session_.source(SourceId{ids_[at]});
        ended.ended = true;
        session_.add_source(ended);
        tree_.refresh(session_);
    }
    // Of sources, and of what has ended.
    std::vector<std::string> heads() const {
        std::vector<std::string> out;
        for (const TreeRow& row : tree_.rows()) {
            if (row.lane == nullptr) out.push_back(std::string(static_cast<std::size_t>(row.depth), '>') + row.name);
        }
        return out;
    }
    using Names = std::vector<std::string>;

    support::CaptureBuilder capture_;
    store::Session session_;
    LaneTree tree_;
    std::vector<std::uint32_t> ids_;
};

// Which of them had come when a window first looked is by chance; a picture is of all.
TEST_F(Programs, AreColouredByTheirOrderWhenAllAreThere) {
    add("late", 11);
    add("early", 12);
    capture_.fill(session_);
    LaneTree at_once;
    at_once.refresh(session_);
    store::Session some;
    const store::Lane& early = *session_.lanes()[1];
    some.add_source(*session_.source(early.channel().source));
    some.add_channel(early.channel());
    tree_.refresh(some);
    tree_.refresh(session_);
    EXPECT_NE(tree_.hue_of(early), at_once.hue_of(early)) << "it keeps what it got";
    tree_.colour_anew();
    tree_.refresh(session_);
    for (const store::Lane* lane : session_.lanes()) EXPECT_EQ(tree_.hue_of(*lane), at_once.hue_of(*lane));
}

TEST_F(Programs, KnowWhetherTwoShareAName) {
    add("worker", 11);
    add("game", 12);
    fill();
    EXPECT_EQ(tree_.sources(), 2u);
    EXPECT_FALSE(tree_.are_names_shared());
    store::Source late = *session_.source(SourceId{ids_[0]});
    late.id = SourceId{77};
    late.pid = 13;
    session_.add_source(late);
    tree_.arrangement.show_hidden = true;
    tree_.refresh(session_);
    EXPECT_FALSE(tree_.are_names_shared()) << "it has no lane";
}

TEST_F(Programs, ThatShareANameAreKnown) {
    add("worker", 11);
    add("worker", 12);
    fill();
    EXPECT_TRUE(tree_.are_names_shared());
}

TEST_F(Programs, TheNewestLivingOneStandsFirstAndThoseThatEndedAreFoldedAtTheEnd) {
    add("zeta", 11);
    add("game", 12);
    add("alpha", 13);
    fill();
    EXPECT_EQ(heads(), (Names{"alpha (13)", "game (12)", "zeta (11)"}));
    end(0);
    end(2);
    EXPECT_EQ(heads(), (Names{"game (12)", "2 ended"}));
    const store::Lane* ended_lane = session_.lanes()[0];
    EXPECT_EQ(tree_.row_of(ended_lane), nullptr);
    ASSERT_NE(tree_.folded_under(ended_lane), nullptr);
    tree_.toggle(*tree_.folded_under(ended_lane));
    tree_.refresh(session_);
    EXPECT_EQ(heads(), (Names{"game (12)", "2 ended", ">alpha (13)", ">zeta (11)"}));
    EXPECT_NE(tree_.row_of(ended_lane), nullptr);
    end(1);
    EXPECT_EQ(heads(), (Names{"zeta (11)", "game (12)", "alpha (13)"})) << "as they came: nothing lives";
}

TEST_F(Programs, OfAFileStandAsTheyCameThoseThatHadEndedBehind) {
    add("zeta", 11);
    add("game", 12);
    add("alpha", 13);
    fill();
    tree_.is_live = false;
    end(0);
    EXPECT_EQ(heads(), (Names{"game (12)", "alpha (13)", "zeta (11)"}));
}

TEST_F(Programs, OneThatJustEndedStaysInSightWhileNothingElseIsWatched) {
    add("host", 0, 0, support::BuilderSource::kHost);
    add("game", 12);
    fill();
    end(1);
    EXPECT_EQ(heads(), (Names{"host", "game (12)"}));
    EXPECT_NE(tree_.row_of(session_.lanes()[1]), nullptr);
}

TEST_F(Programs, OfOneNameWithoutAProcessAreToldApartByWhenTheyBegan) {
    add("tool", 0, 2'001'000);
    add("tool", 0, 5'001'000);
    add("tool", 0);
    add("game", 7, 9'000);
    add("game", 8, 9'000);
    fill();
    EXPECT_EQ(heads(), (Names{"game (8)", "game (7)", "tool#3", "tool, from 5 ms", "tool, from 2 ms"}));
}

TEST_F(Programs, WhenOneBeganIsSaidAsSoonAsItIsKnown) {
    add("tool", 0, 2'001'000);
    add("tool", 0);
    fill();
    EXPECT_EQ(heads(), (Names{"tool#2", "tool, from 2 ms"}));
    wire::EventBatch batch;
    batch.add(5'001'000, SLA_CODE_TICK, 0, 1);
    session_.lanes()[1]->append(batch);
    tree_.refresh(session_);
    EXPECT_EQ(heads(), (Names{"tool, from 5 ms", "tool, from 2 ms"}));
}

TEST_F(Programs, AChannelThatCarriesOnlyTextSaysStates) {
    const auto log = capture_.channel("log");
    capture_.text(log, 2000, "open");
    const auto mixed = capture_.channel("mixed");
    capture_.text(mixed, 2000, "open");
    capture_.tick(mixed, 3000);
    fill();
    EXPECT_EQ(look_of(*session_.lane_named("log"), {}), LaneLook::kState);
    EXPECT_EQ(look_of(*session_.lane_named("mixed"), {}), LaneLook::kMarks);
    LaneStyle chosen;
    chosen.look = LaneLook::kMarks;
    EXPECT_EQ(look_of(*session_.lane_named("log"), chosen), LaneLook::kMarks);
}

// The lane would be empty, as if nothing had been recorded.
TEST_F(Programs, AChannelOfSpansAloneHasNoStatesToShow) {
    const auto work = capture_.channel("work");
    capture_.span(work, 2000, 3000);
    const auto both = capture_.channel("both");
    capture_.span(both, 2000, 3000);
    capture_.text(both, 2500, "half");
    fill();
    LaneStyle chosen;
    chosen.look = LaneLook::kState;
    EXPECT_FALSE(has_states(*session_.lane_named("work")));
    EXPECT_EQ(look_of(*session_.lane_named("work"), chosen), LaneLook::kMarks);
    EXPECT_EQ(look_of(*session_.lane_named("both"), chosen), LaneLook::kState);
}

}  // namespace
}  // namespace sla::timeline
