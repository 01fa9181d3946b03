// Channels switched and filtered while real programs mark them: what was turned away is counted, exactly.
#include "tests/integration/control/control_fixture.h"

namespace sla {
namespace {

class Switches : public ControlFixture {};

TEST_F(Switches, AFilterActsInTheRunningProgramAndEveryMarkerIsRecordedOrCounted) {
    ASSERT_TRUE(agent_.start());
    auto marked = program();
    pause(100);
    ASSERT_EQ(sla({"set", "ctl.value", "ctl.wide", "--filter", "value > 100"}), 0) << said_;
    pause(50);
    ASSERT_EQ(sla({"mark", "filtered-from-here"}), 0);
    pause(300);
    std::uint64_t rounds = end(*marked);
    ASSERT_EQ(agent_.stop(), 0);
    auto session = agent_.load();
    std::uint64_t from = session->lane_named("filtered-from-here")->first_tick();
    for (const char* name : {"ctl.value", "ctl.wide"}) {
        store::Ledger reported = ledger(*session, name);
        EXPECT_EQ(reported.events + reported.filtered, rounds) << name;
        EXPECT_EQ(reported.lost(), 0u);
        EXPECT_GT(reported.filtered, 100u);
        EXPECT_EQ(reported.filter, "value > 100");
        const store::Lane* lane = session->lane_named(name);
        EXPECT_EQ(lane->events(), reported.events);
        EXPECT_LE((*lane)[0].value, 100u) << "before the filter all were recorded";
        for (std::uint64_t i = 0; i < lane->size(); i++) {
            ASSERT_TRUE((*lane)[i].tick <= from || (*lane)[i].value > 100) << "row " << i;
        }
    }
    EXPECT_EQ(ledger(*session, "ctl.counter").events, rounds) << "nobody spoke of that one";
}

TEST_F(Switches, SpansAndTextsFollowEveryNth) {
    ASSERT_TRUE(agent_.start({"--channel", "ctl.span: every 4", "--channel", "ctl.text: every 5"}));
    auto marked = program();
    pause(400);
    std::uint64_t rounds = end(*marked);
    ASSERT_EQ(agent_.stop(), 0);
    auto session = agent_.load();
    store::Ledger spans = ledger(*session, "ctl.span");
    EXPECT_EQ(spans.events + spans.filtered, 2 * rounds);
    EXPECT_GT(spans.filtered, spans.events);
    const store::Lane* lane = session->lane_named("ctl.span");
    int open = 0;
    for (std::uint64_t i = 0; i < lane->size(); i++) {
        open += wire::kind_of((*lane)[i].code) == wire::Kind::kBegin ? 1 : -1;
        ASSERT_GE(open, 0) << "an end without its begin at row " << i;
        ASSERT_LE(open, 1);
    }
    store::Ledger texts = ledger(*session, "ctl.text");
    EXPECT_EQ(texts.events + texts.filtered, rounds);
    const store::Lane* text = session->lane_named("ctl.text");
    std::uint64_t last = text->size() - 1;
    EXPECT_EQ(std::stoull(text->text(last)) - std::stoull(text->text(last - 1)), 5u);
}

TEST_F(Switches, AChannelSwitchedOffStaysAndComesBackWhenSwitchedOn) {
    ASSERT_TRUE(agent_.start());
    auto marked = program();
    pause(100);
    ASSERT_EQ(sla({"set", "ctl.counter", "--off"}), 0) << said_;
    pause(100);
    ASSERT_EQ(sla({"mark", "off"}), 0);
    pause(200);
    ASSERT_EQ(sla({"top", "--once", "--format", "csv"}), 0);
    EXPECT_NE(output_.find("ctl.counter"), std::string::npos) << "its lane stays";
    EXPECT_NE(output_.find(",off"), std::string::npos) << output_;
    ASSERT_EQ(sla({"mark", "on"}), 0);
    ASSERT_EQ(sla({"set", "ctl.counter", "--on"}), 0) << said_;
    pause(200);
    std::uint64_t rounds = end(*marked);
    ASSERT_EQ(agent_.stop(), 0);
    auto session = agent_.load();
    std::uint64_t off = session->lane_named("off")->first_tick();
    std::uint64_t on = session->lane_named("on")->first_tick();
    const store::Lane* lane = session->lane_named("ctl.counter");
    EXPECT_LT(lane->events(), rounds);
    EXPECT_EQ(lane->lost(), 0u);
    for (std::uint64_t i = 0; i < lane->size(); i++) EXPECT_FALSE((*lane)[i].tick > off && (*lane)[i].tick < on);
    EXPECT_EQ((*lane)[lane->size() - 1].value, rounds - 1) << "it marks again to the end";
}

TEST_F(Switches, AChannelThatComesLaterFollowsARuleThatWasThereBefore) {
    ASSERT_TRUE(agent_.start());
    auto marked = program();
    ASSERT_EQ(sla({"set", "*.late", "--off"}), 0);
    marked->signal(SIGUSR1);
    pause(400);
    std::uint64_t rounds = end(*marked);
    ASSERT_EQ(agent_.stop(), 0);
    auto session = agent_.load();
    const store::Lane* lane = session->lane_named("ctl.late");
    ASSERT_NE(lane, nullptr);
    EXPECT_LT((*lane)[lane->size() - 1].value, rounds - 100) << "its first milliseconds only";
}

TEST_F(Switches, WhatAnAgentSetGoesWithIt) {
    ASSERT_TRUE(agent_.start());
    auto marked = program();
    ASSERT_EQ(sla({"set", "ctl.value", "--filter", "value > 1000"}), 0);
    ASSERT_EQ(sla({"set", "ctl.counter", "--off"}), 0);
    pause(100);
    agent_.kill_hard();
    ASSERT_TRUE(agent_.start());
    ASSERT_TRUE(support::eventually([&] { return agent_.process().errors().find("attached") != std::string::npos; }));
    pause(200);
    std::uint64_t rounds = end(*marked);
    ASSERT_EQ(agent_.stop(), 0);
    auto session = agent_.load();
    EXPECT_GT(session->lane_named("ctl.value")->events(), 100u);
    EXPECT_EQ(ledger(*session, "ctl.value").filter, "");
    const store::Lane* counter = session->lane_named("ctl.counter");
    EXPECT_EQ((*counter)[counter->size() - 1].value, rounds - 1);
}

TEST_F(Switches, AnotherUsersDirectoryAnotherAgentKnowsNothingOfIt) {
    support::AgentUnderTest other(SLA_BINARIES);
    ASSERT_TRUE(agent_.start());
    ASSERT_TRUE(other.start());
    auto marked = program();
    Process theirs({SLA_CONTROL_PROGRAM}, other.environment());
    ASSERT_TRUE(theirs.wait_for_output("running"));
    ASSERT_EQ(sla({"set", "*", "--off"}), 0);
    pause(200);
    end(*marked);
    std::uint64_t rounds = end(theirs);
    ASSERT_EQ(agent_.stop(), 0);
    ASSERT_EQ(other.stop(), 0);
    EXPECT_EQ(other.load()->lane_named("ctl.counter")->events(), rounds);
}

TEST_F(Switches, WrongWordsAreRefusedWithAReason) {
    ASSERT_TRUE(agent_.start());
    EXPECT_EQ(sla({"set", "a", "--filter", "value ~ 3"}), 2);
    EXPECT_NE(said_.find("column 7"), std::string::npos) << said_;
    EXPECT_EQ(sla({"set", "a", "--keep", "soon"}), 2);
    EXPECT_EQ(sla({"set", "--off"}), 2);
    EXPECT_EQ(sla({"set", "a"}), 2);
    EXPECT_NE(said_.find("nothing is to be set"), std::string::npos) << said_;
    EXPECT_EQ(sla({"set", "a", "--on", "--off"}), 2);
    EXPECT_EQ(sla({"set", "a", "--off", "--address", "unix:/no/such/agent.sock"}), 3);
    agent_.stop();
}

}  // namespace
}  // namespace sla
