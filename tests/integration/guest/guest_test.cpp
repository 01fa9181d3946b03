// Programs in whom markers live: each ends as it would without them, and what it marked is in the capture or counted as
// lost.
#include "tests/integration/guest/guest_fixture.h"

namespace sla {
namespace {

using GuestLimits = GuestFixture;
using GuestSignals = GuestFixture;

class GuestDescriptors : public GuestFixture {
protected:
    void close_all_while_agents_go_and_come(const std::vector<std::string>& more) {
        std::vector<std::string> words{"close-all", agent_.file("attached"), agent_.file("gone"), agent_.file("back")};
        words.insert(words.end(), more.begin(), more.end());
        ASSERT_TRUE(agent_.start());
        auto program = run(words);
        say_when_attached(*program);
        agents_go_and_come(*program, "closed");
        EXPECT_EQ(last_value("guest.main"), 199u);
    }
    // The agent is stopped when it has 100 events; 50 more come, and then the program takes the library's descriptors.
    std::unique_ptr<support::Process> stop_agent_under_program(const std::vector<std::string>& more) {
        std::vector<std::string> words{"unread", agent_.file("stopped"), agent_.file("gone"), agent_.file("back")};
        words.insert(words.end(), more.begin(), more.end());
        if (!agent_.start()) return nullptr;
        auto program = run(words);
        EXPECT_TRUE(program->wait_for_output("marked")) << program->errors();
        EXPECT_TRUE(support::eventually([&] { return times_attached() == 1; }));
        agent_.process().signal(SIGSTOP);
        touch("stopped");
        EXPECT_TRUE(program->wait_for_output("closed")) << program->errors();
        return program;
    }
    void kill_a_stopped_agent(const std::vector<std::string>& more) {
        auto program = stop_agent_under_program(more);
        ASSERT_NE(program, nullptr);
        agent_.kill_hard();
        touch("gone");
        ASSERT_TRUE(program->wait_for_output("quiet")) << program->errors();
        ASSERT_TRUE(agent_.start());
        touch("back");
        EXPECT_EQ(program->wait(std::chrono::seconds(15)).code, 0) << program->errors();
        // It has connected, which a busy agent need not have seen yet.
        ASSERT_TRUE(support::eventually([&] { return times_attached() == 1; })) << agent_.process().errors();
        ASSERT_EQ(agent_.stop(), 0);
        const auto session = agent_.load();
        const store::Lane* lane = session->lane_named("guest.main");
        ASSERT_NE(lane, nullptr) << agent_.process().errors();
        std::vector<std::uint64_t> values;  // without the rows that say "no agent"
        for (std::uint64_t i = 0; i < lane->size(); i++) {
            if ((*lane)[i].kind() != wire::Kind::kGap) values.push_back((*lane)[i].value);
        }
        ASSERT_GE(values.size(), 100u);
        for (std::uint64_t i = 0; i < 100; i++) EXPECT_EQ(values[values.size() - 100 + i], 100 + i);
        EXPECT_EQ(session->lost(), 0u);
    }
};

TEST_F(GuestDescriptors, AProgramThatClosesAllAndUsesEveryNumberKeepsThemWhileAgentsGoAndCome) {
    close_all_while_agents_go_and_come({});
}

TEST_F(GuestDescriptors, AProgramThatClosesAllKeepsThemWhereTheKernelKnowsNoTablesApart) {
    close_all_while_agents_go_and_come({"shared"});
}

TEST_F(GuestDescriptors, AConnectionThatHasBecomeTheProgramsIsNotSpokenOn) {
    expect_events({"taken-early"}, {{"guest.main", 100}});
}

TEST_F(GuestDescriptors, WhereTheAgentLivesOnEveryEventArrivesOnce) {
    ASSERT_TRUE(agent_.start());
    auto program = run({"lost-alive", agent_.file("attached"), agent_.file("back")});
    say_when_attached(*program);
    ASSERT_TRUE(program->wait_for_output("closed")) << program->errors();
    ASSERT_TRUE(support::eventually([&] { return times_attached() == 2; })) << agent_.process().errors();
    touch("back");
    expect_end(*program, {{"guest.main", 200}});
}

TEST_F(GuestDescriptors, WhatADeadAgentHadNotReadGoesIntoTheSegmentThatTakesTheLostOnesPlace) {
    kill_a_stopped_agent({});
}

TEST_F(GuestDescriptors, WhatADeadAgentHadNotReadIsSavedWhereTheLibraryMetItOnceMore) {
    kill_a_stopped_agent({"long"});
}

TEST_F(GuestDescriptors, AnAgentThatWasOnlyStoppedGetsEveryEventOnce) {
    auto program = stop_agent_under_program({"long"});
    ASSERT_NE(program, nullptr);
    touch("gone");
    ASSERT_TRUE(program->wait_for_output("quiet")) << program->errors();
    agent_.process().signal(SIGCONT);
    touch("back");
    expect_end(*program, {{"guest.main", 200}});
}

TEST_F(GuestDescriptors, WhatIsMarkedAsSoonAsMarkersAreOnIsKeptHoweverTheProgramEndsThen) {
    for (const char* how : {"exit", "_exit", "quick_exit"}) {
        SCOPED_TRACE(how);
        std::filesystem::remove(agent_.file("gone"));
        agents_go_and_come({"at-once", agent_.file("gone"), how}, "marked");
        const auto session = agent_.load();
        const store::Lane* lane = session->lane_named("guest.main");
        ASSERT_NE(lane, nullptr) << agent_.process().errors();
        EXPECT_GE(lane->events(), 100u);
        EXPECT_EQ(last_value("guest.main"), 99u);
    }
}

TEST_F(GuestDescriptors, WithThreeDescriptorsTheProgramHasThreeAndIsRecorded) {
    expect_events({"three-files"}, {{"guest.main", 100}});
}

TEST_F(GuestDescriptors, WithThreeDescriptorsAndNoTableApartTheProgramIsNotRecordedAndLives) {
    expect_events({"three-files", "shared"}, {});
}

TEST_F(GuestDescriptors, EveryNumberBelowALowLimitIsTheProgramsOwn) {
    expect_events({"few-files"}, {{"guest.main", 100}});
}

TEST_F(GuestDescriptors, WithoutStandardStreamsTheirNumbersAreTheProgramsOwn) {
    expect_events({"closed-streams", agent_.file("opened")}, {{"guest.main", 200}});
}

TEST_F(GuestDescriptors, WithoutAnAgentAProgramHoldsNoDescriptorInAnyThread) {
    SLA_SKIP_UNDER_SANITIZERS();
    EXPECT_EQ(run({"idle"})->wait().code, 0);
}

TEST_F(GuestDescriptors, AHundredAndFortyIdleProgramsLeaveTheUsersInotifyInstancesAlone) {
    std::vector<std::unique_ptr<support::Process>> idle;
    for (int i = 0; i < 140; i++) idle.push_back(run({"idle", agent_.file("end")}));
    for (auto& program : idle) ASSERT_TRUE(program->wait_for_output("idle"));
    EXPECT_EQ(inotify_instances(idle), 0);
    touch("end");
    for (auto& program : idle) EXPECT_EQ(program->wait().code, 0);
}

TEST_F(GuestLimits, ALimitOnFileSizesEndsNoProgram) {
    expect_events({"file-size"}, {});
}

TEST_F(GuestLimits, LittleAddressSpaceIsTheProgramsOwn) {
    SLA_SKIP_UNDER_SANITIZERS();
    expect_events({"address-space", "900"}, {});
}

TEST_F(GuestLimits, AQuarterOfMuchAddressSpaceMayBeTheSegments) {
    SLA_SKIP_UNDER_SANITIZERS();
    expect_events({"address-space", "6000"}, {{"guest.main", 100}});
}

TEST_F(GuestLimits, AProgramThatLocksItsMemoryDoesNotLockTheSegment) {
    SLA_SKIP_UNDER_SANITIZERS();
    expect_events({"locked-memory"}, {{"guest.main", 100}});
}

TEST_F(GuestLimits, WhereNoRingCanBeHadTheLossIsCounted) {
    expect_events({"no-memory"}, {{"guest.main", 100}});
    auto session = agent_.load();
    const store::Lane* late = session->lane_named("guest.late");
    ASSERT_NE(late, nullptr);
    EXPECT_EQ(late->events(), 0u);
    EXPECT_EQ(late->lost(), 500u);
}

TEST_F(GuestLimits, AKernelThatCannotPopulateIsServedAsWell) {
    expect_events({"old-kernel"}, {{"guest.main", 100}});
}

TEST_F(GuestLimits, MoreChannelsThanThereAreCostTheirEventsAndNotTheProgram) {
    for (const char* clock : {"tsc", "raw"}) {
        support::AgentUnderTest agent{SLA_BINARIES};
        setenv("SLA_CLOCK", clock, 1);
        const bool started = agent.start();
        unsetenv("SLA_CLOCK");
        ASSERT_TRUE(started);
        support::Process program({SLA_GUEST, "many-channels", "4100"}, agent.environment());
        EXPECT_EQ(program.wait().code, 0) << clock << program.errors();
        ASSERT_EQ(agent.stop(), 0);
        auto session = agent.load();
        EXPECT_EQ(session->events(), 4096u * 3) << clock;
        EXPECT_EQ(session->lost(), 4u * 3) << clock;
    }
}

TEST_F(GuestLimits, AChannelForWhoseNameThereIsNoMemoryChangesNoErrno) {
    SLA_SKIP_UNDER_SANITIZERS();
    auto program = run({"long-name"});
    EXPECT_EQ(program->wait().code, 0) << program->errors();
}

TEST_F(GuestLimits, ThreadLocalsLargerThanTheLibrarysThreadsStackAreNoObstacle) {
    ASSERT_TRUE(agent_.start());
    support::Process program({SLA_GUEST_OF_MANY_LOCALS, "big-locals"}, agent_.environment());
    EXPECT_EQ(program.wait().code, 0) << program.errors();
    ASSERT_EQ(agent_.stop(), 0);
    EXPECT_EQ(agent_.load()->events(), 100u);
}

TEST_F(GuestLimits, WhereNoThreadCanBeHadTheProgramIsNotRecordedAndLives) {
    SLA_SKIP_UNDER_SANITIZERS();
    expect_events({"no-thread"}, {});
}

TEST_F(GuestSignals, AHandlerThatLeavesByALongJumpLeavesNoWriterTaken) {
    ASSERT_TRUE(agent_.start());
    auto program = run({"jumps", "40"});
    ASSERT_EQ(program->wait().code, 0) << program->errors();
    ASSERT_EQ(agent_.stop(), 0);
    auto session = agent_.load();
    const store::Lane* lane = session->lane_named("guest.main");
    ASSERT_NE(lane, nullptr);
    // A marker that was left after it had published counts as an event, one left before as a loss; either may also have been
    // left before it began, or have ended without being noted.
    EXPECT_GE(lane->events() + lane->lost(), said(*program, "finished"));
    EXPECT_LE(lane->events() + lane->lost(), said(*program, "finished") + said(*program, "jumps"));
    EXPECT_EQ(lane->lost(wire::LossCause::kDamaged), 0u);
    std::uint64_t in_peace = 0;
    for (std::uint64_t i = 0; i < lane->size(); i++) in_peace += (*lane)[i].value == 1000000007;
    EXPECT_EQ(in_peace, 1000u);
}

TEST_F(GuestSignals, AHandlerOnAStackOfItsOwnTakesNoWriterFromTheMarkerItInterrupts) {
    ASSERT_TRUE(agent_.start());
    auto program = run({"handlers-stack"});
    ASSERT_EQ(program->wait().code, 0) << program->errors();
    ASSERT_EQ(agent_.stop(), 0);
    const auto session = agent_.load();
    EXPECT_EQ(session->events() + session->lost(), said(*program, "offered"));
    EXPECT_EQ(session->lane_named("guest.main")->lost(wire::LossCause::kDamaged), 0u);
}

TEST_F(GuestSignals, AThreadCancelledInItsFirstMarkerTakesNoLockWithIt) {
    ASSERT_TRUE(agent_.start());
    auto program = run({"cancel"});
    EXPECT_EQ(program->wait(std::chrono::seconds(5)).code, 0) << program->errors();
    ASSERT_EQ(agent_.stop(), 0);
    EXPECT_EQ(agent_.load()->events(), 3u);
}

TEST_F(GuestSignals, WhatBelongsToTheProgramIsAfterAFirstMarkerAsItWasBefore) {
    EXPECT_EQ(run({"surroundings"})->wait().code, 0) << "without an agent";
    ASSERT_TRUE(agent_.start());
    auto program = run({"surroundings"});
    EXPECT_EQ(program->wait().code, 0) << program->errors();
}

TEST_F(GuestSignals, AFibreThatMovedToAnotherThreadMarksAsThatThread) {
    expect_events({"fibres"}, {{"guest.main", 4}});
}

}  // namespace
}  // namespace sla
