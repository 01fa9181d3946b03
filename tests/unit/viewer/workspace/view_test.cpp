#include "viewer/workspace/view/view.h"

#include "tests/support/capture_builder.h"

#include <gtest/gtest.h>

namespace sla::workspace {
namespace {

constexpr double kFrameSeconds = 1.0 / 60;

class Views : public ::testing::Test {
protected:
    Views() {
        const auto channel = capture_.channel("t");
        for (std::uint64_t i = 0; i < 1000; ++i) capture_.tick(channel, 1000 + i * 1'000'000);
        capture_.leave_open(1000 + std::uint64_t{1'000'000'000});
        capture_.fill(session_);
        view_.set_motion(false);
    }
    support::CaptureBuilder capture_{1000, 1e9};
    store::Session session_;
    View view_;
};

TEST_F(Views, ShowEverythingAtFirst) {
    view_.advance(session_, 1000, kFrameSeconds);
    EXPECT_GE(view_.port().x_of(session_.first_tick()), 0.0);
    EXPECT_LE(view_.port().x_of(session_.last_tick()), 1000.0);
}

TEST_F(Views, ShowEverythingAgainAndWhatComesBehindItWhenTheyGoBackToThat) {
    view_.advance(session_, 1000, kFrameSeconds);
    const ShownPlace everything = view_.place();
    view_.zoom_at(500, 4);
    EXPECT_NE(view_.place(), everything);
    view_.go_back_to(everything);
    EXPECT_EQ(view_.place(), everything);
    view_.advance(session_, 2000, kFrameSeconds);
    EXPECT_EQ(view_.place(), everything);
    EXPECT_GT(view_.port().x_of(session_.last_tick()), 1000.0) << "the wider window has all of it";
}

TEST_F(Views, KeepTheNewestTickNearTheRightEdgeWhileFollowing) {
    view_.set_follow(true);
    for (int i = 0; i < 10; ++i) view_.advance(session_, 1000, kFrameSeconds);
    const double x = view_.port().x_of(view_.now());
    EXPECT_GT(x, 800.0);
    EXPECT_LE(x, 1000.0);
    session_.set_watermark(1000 + std::uint64_t{1'500'000'000});
    for (int i = 0; i < 200; ++i) view_.advance(session_, 1000, kFrameSeconds);
    EXPECT_GT(view_.port().x_of(view_.now()), 500.0);
}

// Of an emulated PC by the virtual clock, slower than the machine's.
TEST_F(Views, FollowAGuestByTheTimeThatItMakesUp) {
    store::Source guest = session_.sources().begin()->second;
    guest.clock_domain = 1;
    session_.add_source(guest);
    session_.set_watermark(std::uint64_t{900'000'000'000});
    view_.set_follow(true);
    view_.advance(session_, 1000, kFrameSeconds);
    const double x = view_.port().x_of(session_.last_tick());
    EXPECT_GT(x, 800.0);
    EXPECT_LE(x, 1000.0);
}

TEST_F(Views, DoNotRunOnWhenNothingNewerComes) {
    view_.set_follow(true);
    std::uint64_t now = 1000 + std::uint64_t{1'000'000'000};
    for (int i = 0; i < 60; ++i) {  // a second of a stream
        session_.set_watermark(now += 1'000'000'000 / 60);
        view_.advance(session_, 1000, kFrameSeconds);
    }
    for (int i = 0; i < 60; ++i) view_.advance(session_, 1000, kFrameSeconds);  // the agent is gone
    view_.zoom_at(0, 1e-4);
    view_.advance(session_, 1000, kFrameSeconds);
    const double x = view_.port().x_of(view_.now());
    EXPECT_GT(x, 800.0);
    EXPECT_LE(x, 1000.0);
}

TEST_F(Views, StopFollowingWhenPannedButNotWhenZoomed) {
    view_.set_follow(true);
    view_.advance(session_, 1000, kFrameSeconds);
    view_.zoom_at(10, 0.5);
    EXPECT_TRUE(view_.follow());
    view_.pan(50);
    EXPECT_FALSE(view_.follow());
}

TEST_F(Views, GlideAndArrive) {
    view_.set_motion(true);
    view_.advance(session_, 1000, kFrameSeconds);
    view_.show({2000, 5000});
    view_.advance(session_, 1000, 0.03);
    EXPECT_FALSE(view_.port() == view_.target());
    view_.advance(session_, 1000, 0.2);
    EXPECT_EQ(view_.port(), view_.target());
    EXPECT_NEAR(view_.port().x_of(2000), 0.0, 1e-6);
}

TEST_F(Views, MoveOnlyAsFarAsNeededToShowATick) {
    view_.advance(session_, 1000, kFrameSeconds);
    view_.show({1000, 100'000'000});
    const std::uint64_t moves = view_.moves();
    view_.reveal(50'000'000);
    EXPECT_EQ(view_.moves(), moves);
    view_.reveal(900'000'000);
    EXPECT_NEAR(view_.target().x_of(900'000'000), 500.0, 1.0);
}

TEST_F(Views, ShowNothingSpecialWithoutEvents) {
    store::Session empty;
    View view;
    view.set_follow(true);
    view.advance(empty, 1000, kFrameSeconds);
    view.zoom_at(3, 0.5);
    view.pan(100);
    view.fit();
    view.advance(empty, 1000, kFrameSeconds);
    EXPECT_GE(view.port().ticks_per_pixel(), timeline::Viewport::kMinTicksPerPixel);
}

}  // namespace
}  // namespace sla::workspace
