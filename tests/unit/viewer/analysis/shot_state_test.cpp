#include "viewer/analysis/shot_state.h"

#include "tests/support/capture_builder.h"

#include <gtest/gtest.h>

namespace sla::analysis {
namespace {

using wire::LossCause;

class ShotStates : public testing::Test {
protected:
    std::string state(std::uint64_t begin, std::uint64_t end) {
        store::Session session;
        capture_.fill(session);
        return state_of(session, {"slow", 1, begin, begin, end, ""}).text();
    }
    support::CaptureBuilder capture_{0};
    std::uint32_t a_ = capture_.channel("a");
    std::uint32_t b_ = capture_.channel("b");
};

TEST_F(ShotStates, AShotWithAllItsEventsIsWhole) {
    capture_.tick(a_, 1'000);
    capture_.gap(b_, 2'000, 5, LossCause::kOverrun, 3'000);
    EXPECT_EQ(state(500, 1'999), "whole");
    EXPECT_EQ(state(3'001, 4'000), "whole");
}

TEST_F(ShotStates, WhatItsWindowLacksIsReported) {
    capture_.gap(a_, 1'000, 500, LossCause::kNotKept, 5'000);
    capture_.gap(b_, 500, 90, LossCause::kNotKept, 4'000);
    capture_.gap(b_, 6'000, 3, LossCause::kOverrun, 6'100);
    capture_.tick(a_, 9'000);
    EXPECT_EQ(state(4'500, 5'500), "not kept: 1 channel");
    EXPECT_EQ(state(3'000, 4'500), "not kept: 2 channels");
    EXPECT_EQ(state(4'900, 7'000), "not kept: 1 channel; lost: 1 channel");
    EXPECT_EQ(state(6'050, 7'000), "lost: 1 channel");
}

TEST_F(ShotStates, WhatLiesBetweenTheShotsOfARecordingIsNotMissed) {
    capture_.tick(a_, 1'000);
    capture_.gap(a_, 2'000, 0, LossCause::kLeftOut, 8'000);
    capture_.tick(a_, 9'000);
    EXPECT_EQ(state(7'000, 9'500), "whole");
}

TEST_F(ShotStates, AWindowWhoseEndIsStillToComeIsFilling) {
    capture_.tick(a_, 1'000);
    capture_.tick(a_, 5'500);
    capture_.leave_open(5'000);
    EXPECT_EQ(state(500, 6'000), "filling");
    EXPECT_EQ(state(500, 5'000), "whole");
}

}  // namespace
}  // namespace sla::analysis
