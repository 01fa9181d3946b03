// What is said of limits that break: bounded a second, and nothing left out.
#include "viewer/cli/text/break_log.h"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <string>

namespace sla::cli {
namespace {

using std::chrono::milliseconds;

analysis::Finding at(std::uint64_t tick) {
    analysis::Finding finding;
    finding.at_tick = tick;
    return finding;
}

void break_often(BreakLog& log, const analysis::LimitName& name, std::uint64_t times) {
    for (std::uint64_t i = 0; i < times; ++i) {
        if (log.wants(name)) log.on_break(at(1000 - i));
    }
}

std::uint64_t sum_of(const std::vector<Said>& said) {
    return std::accumulate(said.begin(), said.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Said& one) { return sum + one.number; });
}

TEST(BreakLogTest, AFewAreSaidInOrderOfPlaceAndTheOthersCounted) {
    BreakLog log;
    const BreakLog::Clock::time_point begin{};
    const analysis::LimitName name{"gap a < 1ms", "a"};
    EXPECT_TRUE(log.take(begin).empty());
    EXPECT_FALSE(log.has_broken());
    break_often(log, name, 700);
    std::vector<Said> said = log.take(begin + milliseconds(500));
    ASSERT_EQ(said.size(), BreakLog::kOfOne);
    EXPECT_LT(said[0].finding.at_tick, said[1].finding.at_tick);
    break_often(log, name, 300);
    said = log.take(begin + milliseconds(1000));
    ASSERT_EQ(said.size(), 1u);
    EXPECT_EQ(said[0].what, Said::What::kMore);
    EXPECT_EQ(said[0].number, 1000u - BreakLog::kOfOne);
    EXPECT_EQ(said[0].finding.limit, "gap a < 1ms");
    break_often(log, name, 1);
    EXPECT_EQ(log.take(begin + milliseconds(1500)).size(), 1u) << "a new second";
    EXPECT_TRUE(log.has_broken());
}

TEST(BreakLogTest, OneThatBreaksSeldomIsHeardBesideThoseThatBreakAllTheTime) {
    BreakLog log;
    const analysis::LimitName seldom{"lost == 0", ""};
    for (const char channel : std::string("abcdefghij")) break_often(log, {"gap * < 1ms", std::string(1, channel)}, 50);
    EXPECT_TRUE(log.wants(seldom));
}

TEST(BreakLogTest, HoweverManyLimitsBreakTheLinesAreBoundedAndTheNumbersWhole) {
    BreakLog log;
    for (int i = 0; i < 1000; ++i) break_often(log, {"gap * < 1ms", std::to_string(i)}, 3);
    const std::vector<Said> said = log.take({}, true);
    EXPECT_LE(said.size(), 2 * BreakLog::kMost + BreakLog::kMost + 1);
    EXPECT_EQ(sum_of(said), 3000u);
}

// As when a pair's other end comes, of which another limit is made.
TEST(BreakLogTest, ALimitThatHasGoneIsCountedAllTheSame) {
    BreakLog log;
    for (int i = 0; i < 2; ++i) {
        const auto name = std::make_unique<analysis::LimitName>(analysis::LimitName{
            "a long name of a limit -> that no short string holds < 1ms", "a long name->another long name"});
        break_often(log, *name, 30);
    }
    const std::vector<Said> said = log.take({}, true);
    ASSERT_EQ(said.size(), BreakLog::kOfOne + 1);
    EXPECT_EQ(said.back().number, 60u - BreakLog::kOfOne);
    EXPECT_EQ(said.back().finding.channel, "a long name->another long name");
}

TEST(BreakLogTest, LossesAreSaidThenCounted) {
    BreakLog log;
    const store::Lane lane{store::Channel{}};
    for (std::uint64_t i = 0; i < 100; ++i) {
        store::Gap gap;
        gap.tick = 10 + i;
        gap.lost = 7;
        log.on_loss(lane, gap);
    }
    const std::vector<Said> said = log.take({}, true);
    EXPECT_EQ(said.size(), BreakLog::kLosses + 1);
    EXPECT_EQ(sum_of(said), 700u);
    EXPECT_FALSE(log.has_broken()) << "a loss breaks nothing by itself";
}

}  // namespace
}  // namespace sla::cli
