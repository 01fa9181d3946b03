// SLA_CLOCK=raw: agent and programs stamp with CLOCK_MONOTONIC_RAW, as they do where the TSC is no clock.
#include "tests/support/agent_under_test.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <csignal>

namespace sla {
namespace {

using support::AgentUnderTest;
using support::Process;

class RawClock : public testing::Test {
protected:
    RawClock() { stamp_raw(true); }
    ~RawClock() override { stamp_raw(false); }
    // Only the agent is set to it; programs learn it from the agent.
    static void stamp_raw(bool raw) {
        if (raw) {
            setenv("SLA_CLOCK", "raw", 1);
        } else {
            unsetenv("SLA_CLOCK");
        }
    }
    bool start_agent() {
        stamp_raw(true);
        const bool started = agent_.start();
        stamp_raw(false);
        return started;
    }
    std::unique_ptr<Process> run(std::vector<std::string> words) {
        words.insert(words.begin(), SLA_TEST_MARKER);
        return std::make_unique<Process>(words, agent_.environment());
    }

    AgentUnderTest agent_{SLA_BINARIES};
};

TEST_F(RawClock, StampsAreNanosecondsAndTimesAreRight) {
    ASSERT_TRUE(start_agent());
    auto program = run({"clocked", "100"});
    ASSERT_EQ(program->wait().code, 0);
    ASSERT_EQ(agent_.stop(), 0);
    auto session = agent_.load();
    const store::Lane* lane = session->lane_named("test.main");
    ASSERT_NE(lane, nullptr);
    ASSERT_EQ(lane->events(), 100u);
    EXPECT_EQ(session->lost(), 0u);
    EXPECT_GE(lane->first_tick(), program->number("first-after"));
    EXPECT_LE(lane->first_tick(), program->number("first-before"));
    EXPECT_GE(lane->last_tick(), program->number("last-after"));
    EXPECT_LE(lane->last_tick(), program->number("last-before"));
    const auto distance = static_cast<std::int64_t>(lane->last_tick() - lane->first_tick());
    EXPECT_EQ(session->clock().ticks_to_ps(distance), distance * 1000);
    EXPECT_GT(distance, 99'000'000);
    EXPECT_TRUE(session->health().clock.monotonic_raw);
    EXPECT_EQ(session->health().clock.problem, "");
}

TEST_F(RawClock, HandlersAndOverfullRingsKeepTheirLedgerOnTheSlowPath) {
    ASSERT_TRUE(start_agent());
    auto busy = run({"burst", "2", "2", "200000"});
    auto interrupted = run({"signals", "50000"});
    ASSERT_EQ(busy->wait().code, 0);
    ASSERT_EQ(interrupted->wait().code, 0);
    ASSERT_EQ(agent_.stop(), 0);
    auto session = agent_.load();
    std::uint64_t burst = 0;
    std::uint64_t shared = 0;
    for (const store::Lane* lane : session->lanes()) {
        const std::uint64_t offered = lane->events() + lane->lost();
        if (lane->channel().name.starts_with("burst.")) burst += offered;
        if (lane->channel().name == "test.shared") shared += offered;
    }
    EXPECT_EQ(burst, busy->number("offered"));
    EXPECT_EQ(shared, interrupted->number("main") + interrupted->number("handler"));
}

TEST_F(RawClock, AProgramThatBeganWithAnotherClockIsRefusedWithTheReason) {
    ASSERT_TRUE(start_agent());
    auto program = run({"steady"});
    ASSERT_TRUE(support::eventually([&] { return agent_.process().errors().find("attached") != std::string::npos; }));
    agent_.kill_hard();
    ASSERT_TRUE(agent_.start());
    EXPECT_TRUE(
        support::eventually([&] { return agent_.process().errors().find("start the program again") != std::string::npos; }));
    program->signal(SIGTERM);
    EXPECT_EQ(program->wait().code, 0);
    EXPECT_EQ(agent_.stop(), 0);
    EXPECT_EQ(agent_.load()->events(), 0u);
}

TEST_F(RawClock, AStampOfTheOtherClockIsDamageAndNothingBehindItIs) {
    ASSERT_TRUE(start_agent());
    auto program = run({"early", "1000"});
    ASSERT_EQ(program->wait().code, 0);
    ASSERT_EQ(agent_.stop(), 0);
    auto session = agent_.load();
    const store::Lane* lane = session->lane_named("test.main");
    ASSERT_NE(lane, nullptr);
    EXPECT_EQ(lane->events(), 1000u);
    EXPECT_EQ(lane->lost(wire::LossCause::kDamaged), 1u) << "the TSC runs ahead of the nanoseconds";
    EXPECT_LE(lane->last_tick(), session->watermark());
}

TEST_F(RawClock, TheWidthOfAnEmptySectionIsMeasuredByTheProgram) {
    stamp_raw(false);
    for (const bool raw : {false, true}) {
        if (raw) {
            ASSERT_TRUE(start_agent());
        } else {
            ASSERT_TRUE(agent_.start());
        }
        auto program = run({"clocked", "3"});
        ASSERT_EQ(program->wait().code, 0);
        ASSERT_EQ(agent_.stop(), 0);
        auto session = agent_.load();
        const store::Lane* lane = session->lane_named("test.main");
        ASSERT_NE(lane, nullptr);
        const std::uint32_t width = session->source_of(*lane)->section_ticks;
        EXPECT_GT(width, 5u);
        EXPECT_LT(width, 1000u);
    }
}

}  // namespace
}  // namespace sla
