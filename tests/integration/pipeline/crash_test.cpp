// The agent dies by kill -9 while it records: what is on disk opens, and lacks the last second at most.
#include "tests/support/agent_under_test.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>

namespace sla {
namespace {

using namespace std::chrono_literals;

TEST(KilledAgent, LeavesAFileThatLacksItsLastSecondAtMostAndSaysSo) {
    support::AgentUnderTest agent{SLA_BINARIES};
    ASSERT_TRUE(agent.start());
    support::Process program({SLA_TEST_MARKER, "steady"}, agent.environment());
    ASSERT_TRUE(program.wait_for_output("running"));
    const auto start = std::chrono::steady_clock::now();
    ASSERT_TRUE(support::eventually([&] { return std::chrono::steady_clock::now() - start > 4s; }));
    agent.kill_hard();
    const std::uint64_t killed = __builtin_ia32_rdtsc();
    program.signal(SIGTERM);
    program.wait();

    const auto session = agent.load();
    const store::Lane* lane = session->lane_named("test.main");
    ASSERT_NE(lane, nullptr);
    ASSERT_GT(lane->size(), 100U);
    for (std::uint64_t i = 0; i < lane->size(); ++i) ASSERT_EQ((*lane)[i].value, i) << "no row is missing before";
    const auto late_ps = session->clock().ticks_to_ps(static_cast<std::int64_t>(killed - lane->last_tick()));
    // A second of flushing, and what a busy machine adds before the agent or this test gets its turn.
    EXPECT_LT(static_cast<double>(late_ps) / 1e12, 1.5);
    bool said = false;
    for (const store::Note& note : session->notes()) said = said || note.text.find("did not finish") != std::string::npos;
    EXPECT_TRUE(said);
}

}  // namespace
}  // namespace sla
