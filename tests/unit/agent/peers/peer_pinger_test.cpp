#include "agent/peers/peer_pinger.h"

#include <gtest/gtest.h>

#include <set>

namespace sla::peers {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;  // a tick is a nanosecond

class FakeFleet : public PeerTransport {
public:
    std::vector<std::string> names{"b"};
    std::string boot_id = "boot-1";
    bool answers = true;
    bool is_connected = true;
    std::uint64_t now = 0;
    std::vector<std::pair<std::string, std::uint64_t>> sent;
    std::vector<PeerAnswer> waiting;

    std::vector<std::string> hosts() override { return names; }
    bool send(const std::string& host, std::uint64_t ping) override {
        sent.emplace_back(host, ping);
        if (!is_connected) return false;
        if (answers) waiting.push_back({ping, boot_id, 1e9, {now, now + 7'050'000, now + 7'060'000, now + 110'000}});
        return true;
    }
    std::vector<PeerAnswer> take() override { return std::exchange(waiting, {}); }
};

class PeerPingerOf : public ::testing::Test {
protected:
    std::vector<PeerReading> run(double until_seconds) {
        std::vector<PeerReading> all;
        for (; fleet_.now < static_cast<std::uint64_t>(until_seconds * 1e9); fleet_.now += kSecond / 10) {
            for (PeerReading& news : pinger_.step(fleet_.now, clock_)) all.push_back(std::move(news));
        }
        return all;
    }
    FakeFleet fleet_;
    PeerPinger pinger_{fleet_, 1};
    time::ClockMap clock_ = time::ClockMap::fit({}, 0, 1e9);
    PeerPingerOf() { fleet_.now = kSecond; }
};

TEST_F(PeerPingerOf, ReportsOnceInAWindowWhatThePingsSaid) {
    const auto news = run(26);
    ASSERT_EQ(news.size(), 4U) << "three short windows, and one of ten seconds";
    EXPECT_LE(news[0].report.exchanges, 4U);
    EXPECT_EQ(news[3].host, "b");
    EXPECT_EQ(news[3].boot_id, "boot-1");
    EXPECT_EQ(news[3].report.lost, 0U);
    EXPECT_GE(news[3].report.exchanges, 19U);
    EXPECT_NEAR(static_cast<double>(news[3].report.reading.error_ns), 50'000, 200);
    const auto& reading = news[3].report.reading;
    EXPECT_NEAR(static_cast<double>(reading.peer_tick - reading.tick), 7'000'000, 100);
}

TEST_F(PeerPingerOf, TheRateOfPingsDoesNotGrowWithTheFleet) {
    fleet_.names.clear();
    for (int i = 0; i < 1000; ++i) fleet_.names.push_back("host" + std::to_string(i));
    run(101);
    EXPECT_NEAR(static_cast<double>(fleet_.sent.size()), 200, 2);
    std::set<std::string> asked;
    for (const auto& [host, ping] : fleet_.sent) asked.insert(host);
    EXPECT_GT(asked.size(), 150U) << "chance spreads them";
}

TEST_F(PeerPingerOf, PingsWithoutAnswerAreCountedAndForgotten) {
    run(5);
    fleet_.answers = false;
    const std::size_t answered = fleet_.sent.size();
    run(8.05);
    fleet_.answers = true;
    const std::size_t lost = fleet_.sent.size() - answered;
    const auto news = run(14);
    ASSERT_EQ(news.size(), 1U);
    EXPECT_GE(lost, 6U);
    EXPECT_EQ(news[0].report.lost, lost);
}

TEST_F(PeerPingerOf, AnAnswerToNoPingOfOursIsDropped) {
    fleet_.answers = false;
    fleet_.waiting.push_back({4711, "boot-1", 1e9, {kSecond, 2 * kSecond, 2 * kSecond, kSecond + 100}});
    EXPECT_TRUE(run(30).empty());
}

TEST_F(PeerPingerOf, AHostThatWasStartedAnewHasAnotherClock) {
    run(9);
    fleet_.boot_id = "boot-2";
    const auto news = run(21);
    ASSERT_EQ(news.size(), 3U) << "windows began anew, short at first";
    for (const PeerReading& one : news) {
        EXPECT_EQ(one.boot_id, "boot-2");
        EXPECT_EQ(one.report.problem, "");
    }
}

TEST_F(PeerPingerOf, NothingIsTakenForAnAnswerWhileThereIsNoConnection) {
    fleet_.is_connected = false;
    EXPECT_TRUE(run(30).empty());
    fleet_.names.clear();
    EXPECT_TRUE(run(60).empty());
}

}  // namespace
}  // namespace sla::peers
