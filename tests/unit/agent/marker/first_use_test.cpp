// The first marker of a channel, and what can be made ready before it. A process of its own each, beside an agent of the
// test's own that never reads.
#include "tests/unit/agent/marker/agent_stub.h"
#include "tests/unit/agent/marker/own_process.h"

#include <thread>
#include <vector>

extern "C" {
#include "agent/marker/rings.h"
}

SLA_CHANNEL(prepared, "first.prepared");
SLA_CHANNEL(other, "first.other");
SLA_CHANNEL_WITH(sized, "first.sized", "", SLA_DROP_NEWEST, 1 << 16);

namespace sla {
namespace {

TEST(PrepareTest, WithoutAnAgentNothingIsReadyAndNothingIsMade) {
    in_own_process([] {
        AgentStub agent;
        EXPECT_EQ(sla_channel_prepare(prepared), 0);
        EXPECT_EQ(sla_segment(), nullptr);
        EXPECT_EQ(sla_channel_prepare(prepared), 0) << "and a second time, when the library knows that nobody is there";
    });
}

TEST(PrepareTest, TheFirstMarkerAfterItFindsItsRing) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        EXPECT_EQ(sla_channel_prepare(prepared), 1);
        const sla_ring_header* ring = prepared->own.ring;
        ASSERT_NE(ring, nullptr);
        EXPECT_EQ(ring->head, 0u);
        EXPECT_EQ(prepared->owner, sla_self());
        EXPECT_EQ(sla_channel_prepare(prepared), 1) << "again: nothing changes";
        SLA_TICK(prepared);
        EXPECT_EQ(prepared->own.ring, ring);
        EXPECT_EQ(ring->head, 1u);
    });
}

TEST(PrepareTest, EachThreadPreparesItsOwnAndASizedChannelGetsItsSize) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        EXPECT_EQ(sla_channel_prepare(sized), 1);
        EXPECT_EQ(sized->own.mask + 1, 1u << 16);
        std::thread([] {
            EXPECT_EQ(sla_channel_prepare(sized), 1);
            const sla_writer* writer = sla_writer_of(sized, SLA_WIDTH_PLAIN, 0);
            EXPECT_NE(writer, &sized->own);
            EXPECT_NE(writer->ring, nullptr);
        }).join();
    });
}

TEST(PrepareTest, AnAgentThatSwitchedTheChannelOffMakesItNotReady) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        EXPECT_EQ(sla_channel_prepare(prepared), 1);
        sla_hello hello{};
        close(agent.accept(hello));
        agent.say(SLA_WELCOME_OK);
        std::uint16_t* off = &sla_descriptor(prepared->index)->control.off;
        __atomic_store_n(off, std::uint16_t{1}, __ATOMIC_RELAXED);  // read by sla_filter_armed
        agent.say(SLA_WELCOME_CONTROLS);
        ASSERT_TRUE(becomes_armed(prepared, SLA_ARMED_OFF));
        EXPECT_EQ(sla_channel_prepare(prepared), 0);
        EXPECT_EQ(sla_channel_prepare(other), 1);
    });
}

TEST(PrepareTest, MoreChannelsThanThereAreDescriptorsAreSaidToHaveNoSpace) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        std::vector<int> answers;
        for (unsigned i = 0; i <= SLA_MAX_CHANNELS; i++)
            answers.push_back(sla_channel_prepare(sla_channel_open(("first." + std::to_string(i)).c_str())));
        EXPECT_EQ(answers[0], 1);
        EXPECT_EQ(answers[SLA_MAX_CHANNELS - 1], 1);
        EXPECT_EQ(answers[SLA_MAX_CHANNELS], -1);
    });
}

// What the first marker of a process returns to is enough for this many, whoever is scheduled when.
TEST(FirstUseTest, FromAColdStart196608EventsFindSpaceThoughNobodyReadsAndNoThreadGetsACore) {
    in_own_process([] {
        constexpr std::uint64_t kEvents = (SLA_BIG_SPARE_BYTES + SLA_FIRST_RING_BYTES * 64) / sizeof(sla_slot_plain);
        AgentStub agent;
        agent.listen();
        std::uint64_t lost = 0;
        const sla_ring_header* last = nullptr;
        for (std::uint64_t i = 0; i < kEvents; i++) {
            SLA_TICK(prepared, i);
            if (prepared->own.ring != last) lost += last != nullptr ? last->lost : 0;
            last = prepared->own.ring;
        }
        EXPECT_EQ(lost + last->lost, 0u);
        EXPECT_EQ(last->follows, 1u);
    });
}

TEST(FirstUseTest, TheStockIsFilledBehindTheProgramsBack) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        SLA_TICK(prepared);
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
        const auto made = [] { return __atomic_load_n(&sla_segment()->ring_count, __ATOMIC_ACQUIRE); };  // as the agent's
        while (made() < 133 && std::chrono::steady_clock::now() < end) sched_yield();
        EXPECT_EQ(made(), 133u) << "128 small ones and four big ones, beside the one in use";
    });
}

TEST(FirstUseTest, WhereRingsAreSizedByTheEnvironmentThereIsNoStock) {
    in_own_process([] {
        AgentStub agent;
        setenv("SLA_RING_SLOTS", "64", 1);
        agent.listen();
        SLA_TICK(prepared);
        SLA_TICK(other);
        EXPECT_EQ(sla_segment()->ring_count, 2u);
        EXPECT_EQ(prepared->own.mask + 1, 64u);
    });
}

}  // namespace
}  // namespace sla
