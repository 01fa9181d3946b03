#include "proto/common/clock/peer_window.h"

#include "tests/unit/proto/time/simulated_host.h"

#include <gtest/gtest.h>

namespace sla::time {
namespace {

constexpr double kHz = 2e9;

// 2 GHz, learned well.
ClockMap own_clock() {
    ClockSnapshot first;
    first.tick = 1'000'000;
    ClockSnapshot last;
    last.tick = first.tick + 2'000'000'000'000;
    last.monotonic_raw_ns = 1'000'000'000'000;
    return ClockMap::fit({first, last}, first.tick);
}

// A ping at `at` seconds between a host of 2 GHz and a peer of 1 GHz that is `ahead` ns ahead and drifts.
struct Wire {
    double out_ns = 100'000;
    double back_ns = 100'000;
    double held_ns = 20'000;
    double ahead_ns = 5e9;
    double drift_ppb = 0;

    [[nodiscard]] std::uint64_t own(double ns) const { return 1'000'000 + static_cast<std::uint64_t>(ns * 2); }
    [[nodiscard]] std::uint64_t peer(double ns) const {
        return static_cast<std::uint64_t>(ns * (1 + drift_ppb * 1e-9) + ahead_ns);
    }
    [[nodiscard]] PeerExchange ping(double at) const {
        const double ns = at * 1e9;
        return {own(ns), peer(ns + out_ns), peer(ns + out_ns + held_ns), own(ns + out_ns + held_ns + back_ns)};
    }
    // How far a reading is off the truth, in ns.
    [[nodiscard]] double off_ns(const PeerReading& reading) const {
        const double own_ns = static_cast<double>(reading.tick - 1'000'000) / 2;
        return std::abs(static_cast<double>(reading.peer_tick) - static_cast<double>(peer(own_ns)));
    }
};

TEST(PeerReadingOf, TheErrorIsHalfTheRoundTripLessWhatThePeerHeldIt) {
    const Wire wire;
    const auto reading = reading_of(wire.ping(3), own_clock(), 1e9);
    ASSERT_TRUE(reading);
    EXPECT_NEAR(static_cast<double>(reading->error_ns), 100'000, 100);
    EXPECT_LT(wire.off_ns(*reading), 10);
}

TEST(PeerReadingOf, HoldsTheTruthHoweverUnlikeTheTwoWaysAre) {
    Wire wire;
    wire.out_ns = 190'000;
    wire.back_ns = 10'000;
    const auto reading = reading_of(wire.ping(3), own_clock(), 1e9);
    ASSERT_TRUE(reading);
    EXPECT_GT(wire.off_ns(*reading), 80'000);
    EXPECT_LE(wire.off_ns(*reading), static_cast<double>(reading->error_ns));
}

TEST(PeerReadingOf, StampsThatMakeNoSenseSayNothing) {
    const Wire wire;
    const ClockMap own = own_clock();
    PeerExchange back = wire.ping(3);
    std::swap(back.sent, back.returned);
    EXPECT_FALSE(reading_of(back, own, 1e9));
    PeerExchange long_held = wire.ping(3);
    long_held.answered += 1'000'000'000;
    EXPECT_FALSE(reading_of(long_held, own, 1e9));
    EXPECT_FALSE(reading_of(wire.ping(3), own, 0));
    EXPECT_FALSE(reading_of(wire.ping(3), own, std::nan("")));
}

class PeerWindowOf : public ::testing::Test {
protected:
    std::vector<PeerReport> run(double from, double until) {
        std::vector<PeerReport> reports;
        for (double at = from; at < until; at += 2) {
            window_.on_exchange(wire_.ping(at), clock_, 1e9);
            if (auto report = window_.due(wire_.own(at * 1e9), clock_)) reports.push_back(*report);
        }
        return reports;
    }
    Wire wire_;
    ClockMap clock_ = own_clock();
    PeerWindow window_;
};

TEST_F(PeerWindowOf, ReportsTheTightestExchangeOfEveryWindow) {
    double begin = 0;  // of the first window that has its full length
    for (int windows = 0; windows < 5; begin += 2) windows += static_cast<int>(run(begin, begin + 2).size());
    wire_.out_ns = 900'000;
    run(begin, begin + 4);
    wire_.out_ns = 50'000;
    run(begin + 4, begin + 6);
    wire_.out_ns = 700'000;
    window_.on_lost();
    const auto reports = run(begin + 6, begin + 12);
    ASSERT_EQ(reports.size(), 1U);
    EXPECT_NEAR(static_cast<double>(reports[0].reading.error_ns), 75'000, 100);
    EXPECT_NEAR(static_cast<double>(reports[0].round_trip_ns), 170'000, 100);
    EXPECT_EQ(reports[0].exchanges, 6U);
    EXPECT_EQ(reports[0].lost, 1U);
}

TEST_F(PeerWindowOf, TheFirstWindowsAreShortSoThatAShortCaptureHasABound) {
    std::vector<double> reported;
    for (double at = 0; at < 60; at += 0.25) {
        window_.on_exchange(wire_.ping(at), clock_, 1e9);
        if (window_.due(wire_.own(at * 1e9), clock_)) reported.push_back(at);
    }
    ASSERT_GE(reported.size(), 6U);
    EXPECT_EQ(reported.front(), PeerWindow::kFirstSeconds);
    EXPECT_LE(reported[1] - reported[0], 3);
    EXPECT_GE(reported[5] - reported[4], PeerWindow::kSeconds);
    EXPECT_LE(reported[5] - reported[4], PeerWindow::kSeconds + 0.5);
}

TEST_F(PeerWindowOf, LearnsTheDriftWithItsError) {
    wire_.drift_ppb = 40'000;
    const auto reports = run(0, 300);
    ASSERT_GT(reports.size(), 20U);
    const PeerReport& last = reports.back();
    EXPECT_NEAR(last.drift_ppb, 40'000, last.drift_error_ppb);
    EXPECT_LT(last.drift_error_ppb, 3'000);
    EXPECT_EQ(last.problem, "");
}

TEST_F(PeerWindowOf, AJumpOfTheClocksIsSaidOnceWithItsSize) {
    run(0, 100);
    wire_.ahead_ns += 30e6;
    const auto reports = run(100, 200);
    std::size_t reported = 0;
    for (const PeerReport& report : reports) {
        if (report.problem.empty()) continue;
        ++reported;
        EXPECT_NE(report.problem.find("jumped against each other by 30"), std::string::npos) << report.problem;
    }
    EXPECT_EQ(reported, 1U);
}

TEST_F(PeerWindowOf, SaysNothingWhileNoAnswerCame) {
    for (int i = 0; i < 10; ++i) window_.on_lost();
    EXPECT_FALSE(window_.due(wire_.own(1e11), clock_));
}

}  // namespace
}  // namespace sla::time
