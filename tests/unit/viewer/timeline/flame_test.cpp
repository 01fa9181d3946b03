#include "viewer/timeline/flame.h"

#include "tests/support/capture_builder.h"
#include "viewer/store/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sla::timeline {
namespace {

class Flames : public ::testing::Test {
protected:
    Flames() : main_(capture_.thread("main", 4711)), other_(capture_.thread("other", 4712)) {}
    Flame made(std::uint64_t first, std::uint64_t last, double width = 1000) {
        capture_.fill(session_);
        Viewport view;
        view.set_width(width);
        view.show({first, last});
        std::vector<FlameLane> lanes;
        for (const store::Lane* lane : session_.lanes())
            lanes.push_back({lane, session_.last_tick(), offsets_[lane->channel().name]});
        return make_flame(lanes, view);
    }
    static const FlameBar& bar(const FlameTrack& track, const std::string& channel, std::size_t number = 0) {
        for (const FlameBar& one : track.bars) {
            if (one.lane->channel().name == channel && number-- == 0) return one;
        }
        ADD_FAILURE() << "no bar of " << channel;
        return track.bars.front();
    }

    support::CaptureBuilder capture_;
    store::Session session_;
    std::map<std::string, std::int64_t> offsets_;  // by channel
    std::uint32_t main_;
    std::uint32_t other_;
};

TEST_F(Flames, SpansOfAThreadNestAcrossItsChannels) {
    const auto frame = capture_.channel("game.frame");
    const auto physics = capture_.channel("game.physics");
    const auto draw = capture_.channel("game.draw");
    capture_.span(frame, 2'000, 9'000, main_);
    capture_.span(physics, 2'500, 4'000, main_);
    capture_.span(draw, 4'500, 8'500, main_);
    capture_.span(draw, 5'000, 6'000, main_);
    capture_.span(physics, 3'000, 7'000, other_);
    const Flame flame = made(1'000, 11'000);
    ASSERT_EQ(flame.tracks.size(), 2u);
    EXPECT_FALSE(flame.rough);
    const FlameTrack& main = flame.tracks[0];
    EXPECT_EQ(main.thread, main_);
    EXPECT_EQ(main.rows, 3u);
    EXPECT_EQ(bar(main, "game.frame").row, 0u);
    EXPECT_EQ(bar(main, "game.physics").row, 1u);
    EXPECT_EQ(bar(main, "game.draw").row, 1u);
    EXPECT_EQ(bar(main, "game.draw", 1).row, 2u);
    EXPECT_FLOAT_EQ(bar(main, "game.frame").x0, 100.0F);
    EXPECT_FLOAT_EQ(bar(main, "game.frame").x1, 800.0F);
    EXPECT_EQ(flame.tracks[1].bars.size(), 1u);
    EXPECT_EQ(flame.tracks[1].bars[0].row, 0u);
}

TEST_F(Flames, SpansThatOverlapStandBelowEachOtherAndThoseThatFollowBeside) {
    const auto a = capture_.channel("a");
    const auto b = capture_.channel("b");
    capture_.span(a, 2'000, 5'000, main_);
    capture_.span(b, 4'000, 8'000, main_);
    capture_.span(a, 8'000, 9'000, main_);
    const Flame flame = made(1'000, 11'000);
    ASSERT_EQ(flame.tracks.size(), 1u);
    EXPECT_EQ(bar(flame.tracks[0], "a").row, 0u);
    EXPECT_EQ(bar(flame.tracks[0], "b").row, 1u);
    EXPECT_EQ(bar(flame.tracks[0], "a", 1).row, 0u);
}

TEST_F(Flames, SpansThatTakeTurnsAndOverlapNeedTwoRows) {
    const auto a = capture_.channel("a");
    const auto b = capture_.channel("b");
    for (std::uint64_t i = 0; i < 100; ++i) capture_.span(i % 2 == 0 ? a : b, 2'000 + 100 * i, 2'150 + 100 * i, main_);
    const auto around = capture_.channel("around");
    capture_.span(around, 1'500, 13'000, main_);
    const Flame flame = made(1'000, 14'000);
    ASSERT_EQ(flame.tracks.size(), 1u);
    EXPECT_EQ(flame.tracks[0].rows, 3u);
    EXPECT_EQ(bar(flame.tracks[0], "around").row, 0u);
    for (std::size_t i = 0; i < 50; ++i) {
        EXPECT_EQ(bar(flame.tracks[0], "a", i).row, 1u);
        EXPECT_EQ(bar(flame.tracks[0], "b", i).row, 2u);
    }
}

TEST_F(Flames, SpansTooNarrowForABarAreCountedBelowTheOneAroundThem) {
    const auto frame = capture_.channel("frame");
    const auto small = capture_.channel("small");
    capture_.span(frame, 2'000, 900'000, main_);
    for (std::uint64_t at = 10'000; at < 800'000; at += 100) capture_.span(small, at, at + 40, main_);
    const Flame flame = made(0, 1'000'000, 500);
    ASSERT_EQ(flame.tracks.size(), 1u);
    std::uint64_t counted = 0;
    for (const FlameBar& one : flame.tracks[0].bars) {
        if (one.lane->channel().name != "small") continue;
        EXPECT_EQ(one.row, 1u);
        counted += one.count;
    }
    EXPECT_EQ(counted, 7'900u);
    EXPECT_EQ(flame.tracks[0].rows, 2u);
}

// As in the lanes above.
TEST_F(Flames, SpansOfALaneThatIsDrawnLaterStandWhereTheyAreDrawn) {
    const auto a = capture_.channel("a");
    const auto b = capture_.channel("b");
    capture_.span(a, 2'000, 4'000, main_);
    capture_.span(b, 1'500, 2'000, main_);
    offsets_["b"] = 1'000;
    const Flame flame = made(1'000, 11'000);
    ASSERT_EQ(flame.tracks.size(), 1u);
    const FlameBar& later = bar(flame.tracks[0], "b");
    EXPECT_FLOAT_EQ(later.x0, 150.0F);
    EXPECT_FLOAT_EQ(later.x1, 200.0F);
    EXPECT_EQ(later.row, 1u) << "below the one that is drawn around it";
    EXPECT_EQ(later.begin_tick, 1'500u) << "it happened when it did";
    EXPECT_FLOAT_EQ(bar(flame.tracks[0], "a").x0, 100.0F);
    EXPECT_EQ(bar(flame.tracks[0], "a").row, 0u);
}

}  // namespace
}  // namespace sla::timeline
