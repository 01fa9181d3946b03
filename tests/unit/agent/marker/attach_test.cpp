// The process and its agent: who comes, goes, refuses and asks. One test a process, as ctest runs them: a process
// attaches once.
#include "tests/unit/agent/marker/agent_stub.h"
#include "tests/unit/agent/marker/own_process.h"

#include <sla/count.h>

#include <thread>

extern "C" {
#include "agent/marker/rings.h"
}

SLA_CHANNEL(first, "attach.first");
SLA_CHANNEL(second, "attach.second");

namespace sla {
namespace {

using AttachTest = testing::Test;

TEST_F(AttachTest, WithoutAnAgentMarkersAreOffAndTheFirstAgentThatComesTurnsThemOn) {
    in_own_process([] {
        AgentStub agent;
        EXPECT_EQ(sla_attach(), 0);
        SLA_TICK(first);
        EXPECT_TRUE(becomes_armed(first, SLA_ARMED_OFF));
        EXPECT_EQ(sla_segment(), nullptr) << "nothing is made for nobody";
        agent.listen();
        sla_hello hello{};
        const int fd = agent.accept(hello);
        ASSERT_GE(fd, 0);
        EXPECT_EQ(hello.magic, SLA_HELLO_MAGIC);
        EXPECT_EQ(hello.pid, static_cast<std::uint32_t>(getpid()));
        EXPECT_EQ(hello.segment_bytes, SLA_SEGMENT_BYTES);
        EXPECT_TRUE(becomes_armed(first, SLA_ARMED_ON));
        close(fd);
    });
}

TEST_F(AttachTest, TheFirstMarkerWaitsUntilItsEventHasARing) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        SLA_VALUE(first, 41);
        ASSERT_NE(first->own.ring, nullptr);
        EXPECT_EQ(first->own.next, 1u);
        EXPECT_EQ(first->owner, sla_self());
    });
}

TEST_F(AttachTest, AnAgentThatGoesDisarmsAndTheNextOneGetsTheSameSegment) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        SLA_TICK(first);
        sla_hello hello{};
        struct stat one {};
        struct stat two {};
        int fd = agent.accept(hello);
        ASSERT_EQ(fstat(fd, &one), 0);
        close(fd);
        agent.say(SLA_WELCOME_OK);
        agent.leave();
        ASSERT_TRUE(becomes_armed(first, SLA_ARMED_OFF));
        agent.listen();
        fd = agent.accept(hello);
        ASSERT_EQ(fstat(fd, &two), 0);
        close(fd);
        EXPECT_EQ(one.st_ino, two.st_ino);
        EXPECT_TRUE(becomes_armed(first, SLA_ARMED_ON));
        SLA_TICK(first);
        EXPECT_EQ(first->own.next, 2u);
    });
}

TEST_F(AttachTest, TheAgentIsToldThatMarkersComeOnAndThenSinceWhen) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        SLA_TICK(first);
        const std::uint64_t now = sla_machine_now() & SLA_TICK_MASK;
        std::uint64_t attached = SLA_ATTACHING;
        while ((attached & SLA_ATTACHING) != 0) {
            attached = __atomic_load_n(&sla_segment()->attached_tick, __ATOMIC_ACQUIRE);  // pairs with sla_segment_attached
        }
        EXPECT_GT(attached, 0u);
        EXPECT_LE(attached, now) << "the first marker came after that";
    });
}

TEST_F(AttachTest, AnAgentThatRefusesIsNotAskedAgainAtOnce) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        SLA_TICK(first);
        sla_hello hello{};
        const auto start = std::chrono::steady_clock::now();
        int asked = 0;
        while (asked < 5) {
            const int fd = agent.accept(hello);
            ASSERT_GE(fd, 0);
            close(fd);
            agent.say(SLA_WELCOME_REFUSED);
            asked++;
        }
        // After 10, 20, 40 and 80 ms at the earliest.
        EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(150));
    });
}

TEST_F(AttachTest, WhatTheAgentAsksOfAChannelIsDoneAndGoesWithIt) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        SLA_TICK(first);
        SLA_TICK(second);
        sla_hello hello{};
        close(agent.accept(hello));
        agent.say(SLA_WELCOME_OK);
        std::uint16_t* off = &sla_descriptor(first->index)->control.off;
        __atomic_store_n(off, std::uint16_t{1}, __ATOMIC_RELAXED);  // read by sla_filter_armed
        agent.say(SLA_WELCOME_CONTROLS);
        ASSERT_TRUE(becomes_armed(first, SLA_ARMED_OFF));
        EXPECT_TRUE(becomes_armed(second, SLA_ARMED_ON));
        agent.leave();
        ASSERT_TRUE(becomes_armed(second, SLA_ARMED_OFF));
        agent.listen();
        close(agent.accept(hello));
        EXPECT_TRUE(becomes_armed(first, SLA_ARMED_ON)) << "nobody wishes it off any more";
    });
}

TEST_F(AttachTest, AForkedChildStartsAnew) {
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "the thread sanitizer's run-time does not survive a fork of a program with threads";
#endif
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        SLA_TICK(first);
        const sla_writer parents = first->own;
        const pid_t child = fork();
        if (child == 0) {
            const bool clean = !sla_has_ring(&first->own) && first->index == 0 && sla_segment() == nullptr;
            SLA_TICK(first);
            _exit(clean && first->own.next == 1 ? 0 : 1);
        }
        int status = 1;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
        EXPECT_EQ(first->own.ring, parents.ring);
    });
}

TEST_F(AttachTest, AForgottenChannelGivesItsRingBackAndMayComeAgain) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        SLA_TICK(first);
        SLA_TICK(second);
        const sla_ring_header* ring = first->own.ring;
        sla_channel_forget(first);
        EXPECT_EQ(ring->state, static_cast<std::uint32_t>(SLA_RING_CLOSED));
        EXPECT_EQ(first->owner, 0u);
        const std::uint32_t index = first->index;
        SLA_TICK(first);
        EXPECT_EQ(first->index, index) << "the same name is the same channel";
        EXPECT_NE(sla_writer_of(first, SLA_WIDTH_PLAIN, 0)->ring, nullptr);
        EXPECT_EQ(first->owner, 0u) << "nobody would give its ring back any more";
        EXPECT_NE(second->own.ring, nullptr);
    });
}

}  // namespace
}  // namespace sla
