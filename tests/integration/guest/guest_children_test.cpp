// Children, other images, users and roots, filters that kill, objects that are unloaded.
#include "tests/integration/guest/guest_fixture.h"

namespace sla {
namespace {

using GuestChildren = GuestFixture;
using GuestSandbox = GuestFixture;
using GuestObjects = GuestFixture;
using GuestEnvironment = GuestFixture;

TEST_F(GuestChildren, AChildOfVforkMarksAsItsParent) {
    SLA_SKIP_UNDER_SANITIZERS();
    expect_events({"vfork"}, {{"guest.main", 300}});
}

// In its parent's memory it begins nothing of its own: what it marked then is counted.
TEST_F(GuestChildren, AChildOfVforkThatMarksFirstOfAllTakesNothingFromItsParent) {
    SLA_SKIP_UNDER_SANITIZERS();
    expect_events({"vfork-first"}, {{"guest.main", 100}, {"guest.child", 100}});
    EXPECT_EQ(agent_.load()->lane_named("guest.child")->lost(), 100u);
}

TEST_F(GuestChildren, WhatAChildOfVforkMarksIsToldOfWhereItsParentMarksNothing) {
    SLA_SKIP_UNDER_SANITIZERS();
    expect_events({"vfork-alone"}, {});
    const auto session = agent_.load();
    ASSERT_NE(session->lane_named("guest.child"), nullptr);
    EXPECT_EQ(session->lane_named("guest.child")->lost(), 100u);
}

TEST_F(GuestChildren, AChildWithItsParentsMemoryThatMarksFirstOfAllEnds) {
    SLA_SKIP_UNDER_SANITIZERS();
    expect_events({"memory-first"}, {{"guest.main", 100}});
    EXPECT_EQ(agent_.load()->lane_named("guest.child")->lost(), 2000u);
}

TEST_F(GuestChildren, ASpawnedProgramIsOneOfItsOwn) {
    expect_events({"spawn", SLA_GUEST}, {{"guest.main", 200}, {"guest.child", 100}});
}

TEST_F(GuestChildren, TheNextImageFindsNothingOfTheLast) {
    expect_events({"exec", SLA_GUEST}, {{"guest.main", 100}, {"guest.child", 100}});
}

TEST_F(GuestChildren, AChildOfTheBareCloneThatSaysSoIsAProgramOfItsOwn) {
    SLA_SKIP_UNDER_SANITIZERS();
    expect_events({"clone"}, {{"guest.main", 400}, {"guest.child", 100}});
    EXPECT_EQ(agent_.load()->sources().size(), 2u);
}

TEST_F(GuestChildren, AChildOfTheBareCloneMayMarkBeforeItsParentDoes) {
    SLA_SKIP_UNDER_SANITIZERS();
    expect_events({"clone-first"}, {{"guest.main", 100}, {"guest.child", 200}});
    EXPECT_EQ(agent_.load()->lost(), 0u);
}

TEST_F(GuestChildren, AChildOfTheBareCloneIsNoticedAtItsFirstNewChannel) {
    SLA_SKIP_UNDER_SANITIZERS();
    expect_events({"clone-late"}, {{"guest.main", 200}, {"guest.child", 100}});
    EXPECT_EQ(agent_.load()->sources().size(), 2u);
}

TEST_F(GuestChildren, AProgramThatGivesItsRightsUpGoesOn) {
    expect_events({"setuid"}, {{"guest.main", 200}, {"guest.child", 100}});
}

TEST_F(GuestChildren, AProgramInAnotherRootGoesOnWithAndWithoutItsAgent) {
    if (geteuid() != 0) GTEST_SKIP() << "skipped, because only root may change its root";
    const std::string root = agent_.file("root");
    std::filesystem::create_directory(root);
    ASSERT_TRUE(agent_.start());
    auto program = run({"chroot", root});
    ASSERT_TRUE(program->wait_for_output("inside")) << program->errors();
    ASSERT_EQ(agent_.stop(), 0);
    touch("root/go-on");
    EXPECT_EQ(program->wait(std::chrono::seconds(15)).code, 0) << program->errors();
    EXPECT_EQ(agent_.load()->events(), 300u);
}

TEST_F(GuestSandbox, BehindAFilterForAllThreadsTheLibraryMakesNoSystemCallWhateverTheAgentDoes) {
    SLA_SKIP_UNDER_SANITIZERS();
    ASSERT_TRUE(agent_.start());
    auto program = run({"sandbox", agent_.file("go-on")});
    ASSERT_TRUE(program->wait_for_output("shut-in")) << program->errors();
    ASSERT_EQ(agent_.stop(), 0);
    touch("go-on");
    const support::Exit end = program->wait(std::chrono::seconds(15));
    EXPECT_EQ(end.code, 0) << "signal " << end.signal << ": " << program->errors();
    const auto session = agent_.load();
    EXPECT_EQ(session->events(), 3000u);
    EXPECT_EQ(session->lost(), 11u) << "channels that their thread had not marked before";
    const store::Lane* late = session->lane_named("guest.late");
    ASSERT_NE(late, nullptr) << "first marked in there, and told of by its name all the same";
    EXPECT_EQ(late->lost(wire::LossCause::kNoRing), 11u);
    EXPECT_EQ(agent_.process().errors().find("channels;"), std::string::npos) << agent_.process().errors();
}

TEST_F(GuestSandbox, WithoutAnAgentASandboxedProgramIsLeftAlone) {
    SLA_SKIP_UNDER_SANITIZERS();
    auto program = run({"sandbox-alone"});
    const support::Exit end = program->wait(std::chrono::seconds(15));
    EXPECT_EQ(end.code, 0) << "signal " << end.signal << ": " << program->errors();
}

TEST_F(GuestSandbox, AFilterOfOneThreadLeavesTheLibrarysThreadFree) {
    SLA_SKIP_UNDER_SANITIZERS();
    agents_go_and_come({"filter", agent_.file("gone"), agent_.file("back")}, "shut-in");
    EXPECT_EQ(last_value("guest.main"), 299u);
}

TEST_F(GuestSandbox, AFilterForAllThreadsThatAllowsWhatTheHeaderNamesLetsTheLibraryFollowAgents) {
    SLA_SKIP_UNDER_SANITIZERS();
    agents_go_and_come({"filter-all", agent_.file("gone"), agent_.file("back")}, "shut-in");
    EXPECT_EQ(last_value("guest.main"), 299u);
}

TEST_F(GuestObjects, AnObjectWithChannelsMayBeUnloaded) {
    agents_go_and_come({"plugin", SLA_GUEST_PLUGIN, agent_.file("gone"), agent_.file("back")}, "unloaded");
    const auto session = agent_.load();
    const store::Lane* lane = session->lane_named("guest.plugin");
    ASSERT_NE(lane, nullptr);
    EXPECT_GE(lane->events(), 10u);
}

TEST_F(GuestObjects, AnObjectThatBringsTheLibraryAlongMayBeClosed) {
    agents_go_and_come({"plugin", SLA_GUEST_WHOLE_PLUGIN, agent_.file("gone"), agent_.file("back")}, "unloaded");
}

TEST_F(GuestObjects, UnloadingGivesRingsBack) {
    expect_events({"reload", SLA_GUEST_PLUGIN, "40"}, {{"guest.plugin", 400}, {"guest.plugin.other", 40}});
    EXPECT_EQ(agent_.load()->lost(), 0u);
}

TEST_F(GuestObjects, ADestructorOfTheObjectThatMarksKeepsNoRing) {
    expect_events({"reload", SLA_GUEST_TALKING_PLUGIN, "40"}, {{"guest.plugin", 440}, {"guest.plugin.other", 40}});
    EXPECT_EQ(agent_.load()->lost(), 0u);
}

TEST_F(GuestObjects, AnObjectMayBeUnloadedWhileTheProgramEnds) {
    expect_events({"late-close", SLA_GUEST_PLUGIN}, {{"guest.main", 1}, {"guest.plugin", 10}, {"guest.plugin.other", 1}});
}

TEST_F(GuestObjects, AProgramMayEndWhileItsThreadsMark) {
    ASSERT_TRUE(agent_.start());
    for (int i = 0; i < 20; i++) {
        auto program = run({"exit"});
        const support::Exit end = program->wait(std::chrono::seconds(15));
        EXPECT_EQ(end.code, 0) << "signal " << end.signal << ": " << program->errors();
    }
}

TEST_F(GuestEnvironment, ItIsReadOnceInTheFirstAttach) {
    auto program = run({"environment", agent_.file("back")});
    ASSERT_TRUE(program->wait_for_output("quiet")) << program->errors();
    ASSERT_TRUE(agent_.start());
    touch("back");
    EXPECT_EQ(program->wait(std::chrono::seconds(15)).code, 0) << program->errors();
    ASSERT_EQ(agent_.stop(), 0);
    EXPECT_EQ(agent_.load()->events(), 100u);
}

}  // namespace
}  // namespace sla
