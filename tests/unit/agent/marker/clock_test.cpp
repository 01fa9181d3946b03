// What a program stamps with: as its agent says when the segment is made, and not changed afterwards.
#include "tests/unit/agent/marker/agent_stub.h"

#include <x86intrin.h>
#include <ctime>
#include <fstream>

extern "C" {
#include "agent/marker/internal.h"
}

namespace sla {
namespace {

std::uint64_t raw_now() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

class ClockTest : public testing::Test {
protected:
    ClockTest() { sla_environment_forget_after_fork(); }
    ~ClockTest() override {
        unlink((agent_.directory() + "/agent.clock").c_str());
        sla_clock_choose();
    }
    void agent_says(const char* text) { std::ofstream(agent_.directory() + "/agent.clock") << text; }

    AgentStub agent_;
};

TEST_F(ClockTest, WithoutAWordOfTheAgentItIsTheTscInline) {
    EXPECT_EQ(sla_clock_choose(), std::uint32_t{SLA_STAMP_TSC});
    EXPECT_EQ(sla_clock_armed(), SLA_ARMED_ON);
    const std::uint64_t before = __rdtsc();
    const std::uint64_t now = sla_now();
    EXPECT_GE(now, before);
    EXPECT_LE(now, __rdtsc());
}

TEST_F(ClockTest, WhereTheAgentSaysRawEveryMarkerIsACallAndStampsNanoseconds) {
    agent_says("raw\n");
    EXPECT_EQ(sla_clock_choose(), std::uint32_t{SLA_STAMP_MONOTONIC_RAW});
    EXPECT_EQ(sla_clock_armed(), SLA_ARMED_ORDERED) << "inline code can stamp with the TSC only";
    const std::uint64_t before = raw_now();
    const std::uint64_t now = sla_now();
    EXPECT_GE(now, before);
    EXPECT_LE(now, raw_now());
}

TEST_F(ClockTest, AnyOtherWordIsTheTsc) {
    for (const char* word : {"", "tsc", "ra", "draw"}) {
        agent_says(word);
        EXPECT_EQ(sla_clock_choose(), std::uint32_t{SLA_STAMP_TSC}) << word;
    }
}

TEST_F(ClockTest, AProgramMayHaveATimeOfItsOwn) {
    sla_own_clock(42);
    EXPECT_EQ(sla_clock_choose(), std::uint32_t{SLA_STAMP_OWN});
    EXPECT_EQ(sla_clock_armed(), SLA_ARMED_ORDERED) << "inline code can stamp with the TSC only";
    EXPECT_EQ(sla_now(), 42u);
    const std::uint64_t before = __rdtsc();
    EXPECT_GE(sla_machine_now(), before);
    sla_own_clock(0);
    EXPECT_EQ(sla_clock_choose(), std::uint32_t{SLA_STAMP_TSC});
    EXPECT_GE(sla_now(), before);
}

TEST_F(ClockTest, AnEmptySectionIsMeasuredOnceAndIsNarrow) {
    const std::uint32_t ticks = sla_section_ticks(SLA_RDTSC);
    EXPECT_GT(ticks, 0u);
    EXPECT_LT(ticks, 1024u);
    EXPECT_EQ(sla_section_ticks(SLA_RDTSC), ticks);
}

TEST_F(ClockTest, AChannelWithoutADescriptorIsKeptFromNobodysFilter) {
    sla_channel channel{};
    sla_filter_state state{};
    EXPECT_TRUE(sla_filter_keeps(&channel, &state, SLA_CODE_TICK, 0));
}

}  // namespace
}  // namespace sla
