// What is marked before the library has looked for an agent, where its thread is kept from that for long: nothing is lost in
// silence.
#include "tests/integration/guest/guest_fixture.h"

#include <unistd.h>

namespace sla {
namespace {

using GuestEarly = GuestFixture;

struct Kept {
    std::uint64_t events = 0;
    std::uint64_t without_ring = 0;
    std::uint64_t lost = 0;
};

Kept kept_of(const store::Session& session, const std::string& channel) {
    Kept kept;
    for (const store::Lane* lane : session.lanes()) {
        if (lane->channel().name != channel) continue;
        kept.events += lane->events();
        kept.without_ring += lane->lost(wire::LossCause::kNoRing);
        kept.lost += lane->lost();
    }
    return kept;
}

TEST_F(GuestEarly, WhatIsMarkedWhileTheLibrarysThreadIsLateIsCountedAsLostAtTheBeginning) {
    ASSERT_TRUE(agent_.start());
    auto environment = agent_.environment();
    environment["SLA_DEBUG"] = "1";
    support::Process program({SLA_GUEST, "early"}, environment);
    EXPECT_EQ(program.wait().code, 0) << program.errors();
    ASSERT_EQ(agent_.stop(), 0);
    const auto session = agent_.load();
    for (const auto& [channel, name] : {std::pair("guest.main", "main"), std::pair("guest.thread", "thread")}) {
        SCOPED_TRACE(channel);
        const Kept kept = kept_of(*session, channel);
        EXPECT_EQ(kept.events + kept.lost, said(program, name));
        EXPECT_GE(kept.without_ring, 4u) << "each thread waits for a second, and goes on then";
        const store::Lane* lane = session->lane_named(channel);
        ASSERT_NE(lane, nullptr);
        ASSERT_NE(lane->gap_at(0), nullptr) << "in its place, before all that was kept";
        EXPECT_TRUE(lane->gap_at(0)->has_end());
    }
    EXPECT_NE(program.errors().find("thread is late"), std::string::npos) << program.errors();
    EXPECT_NE(program.errors().find("were marked before an agent was found"), std::string::npos) << program.errors();
}

TEST_F(GuestEarly, AProgramThatEndsBeforeThatStaysUntilTheAgentIsTold) {
    ASSERT_TRUE(agent_.start());
    EXPECT_EQ(run({"early-end"})->wait().code, 0);
    ASSERT_EQ(agent_.stop(), 0);
    const Kept kept = kept_of(*agent_.load(), "guest.main");
    EXPECT_EQ(kept.events, 0u);
    EXPECT_EQ(kept.lost, 1000u);
}

TEST_F(GuestEarly, WhatEntersASandboxByThenHasItsChannelsToldOfByName) {
    ASSERT_TRUE(agent_.start());
    auto program = run({"early-sandbox"});
    EXPECT_EQ(program->wait().code, 0) << program->errors();
    ASSERT_EQ(agent_.stop(), 0);
    const auto session = agent_.load();
    EXPECT_EQ(kept_of(*session, "guest.main").without_ring, 2000u);
    EXPECT_EQ(kept_of(*session, "guest.thread").without_ring, 1000u) << "first marked in there";
    EXPECT_EQ(session->lost(), 3000u);
}

TEST_F(GuestEarly, OfAChannelThatIsOffNothingIsLost) {
    ASSERT_TRUE(agent_.start({"--channel", "guest.main: off"}));
    EXPECT_EQ(run({"early-end"})->wait().code, 0);
    ASSERT_EQ(agent_.stop(), 0);
    EXPECT_EQ(kept_of(*agent_.load(), "guest.main").lost, 0u);
}

TEST_F(GuestEarly, WithoutAnAgentNobodyIsTold) {
    auto program = run({"early-end"});
    EXPECT_EQ(program->wait().code, 0);
    EXPECT_EQ(program->errors(), "");
}

TEST_F(GuestEarly, AChildMadeMeanwhileBeginsAnew) {
    SLA_SKIP_UNDER_SANITIZERS();
    ASSERT_TRUE(agent_.start());
    auto program = run({"early-child"});
    EXPECT_EQ(program->wait().code, 0) << program->errors();
    ASSERT_EQ(agent_.stop(), 0);
    const auto session = agent_.load();
    const Kept children = kept_of(*session, "guest.thread");
    EXPECT_EQ(children.events, 20u);
    EXPECT_EQ(children.lost, 0u);
    EXPECT_EQ(kept_of(*session, "guest.main").lost, 1000u) << "of the parent alone";
}

// The loader does not find such an object, says so, and goes on.
TEST_F(GuestEarly, UnderValgrindNoMoreOfTheSegmentIsOpenedThanIsUsed) {
    SLA_SKIP_UNDER_SANITIZERS();
    ASSERT_TRUE(agent_.start());
    auto environment = agent_.environment();
    environment["LD_PRELOAD"] = "/nowhere/vgpreload_none.so";
    support::Process program({SLA_GUEST, "opened"}, environment);
    EXPECT_EQ(program.wait().code, 0) << program.errors();
    ASSERT_EQ(agent_.stop(), 0);
    EXPECT_LT(said(program, "kB"), 200u * 1024u);
    const Kept kept = kept_of(*agent_.load(), "guest.main");
    EXPECT_EQ(kept.events + kept.lost, 400'000u);
}

TEST_F(GuestEarly, ValgrindFindsNothingAndAllIsRecorded) {
    SLA_SKIP_UNDER_SANITIZERS();
    const std::string valgrind = "/usr/bin/valgrind";
    if (access(valgrind.c_str(), X_OK) != 0) GTEST_SKIP() << "skipped: it takes valgrind";
    ASSERT_TRUE(agent_.start());
    support::Process program({valgrind, "-q", "--error-exitcode=9", SLA_GUEST, "opened"}, agent_.environment());
    EXPECT_EQ(program.wait().code, 0) << program.errors();
    ASSERT_EQ(agent_.stop(), 0);
    EXPECT_EQ(program.errors(), "");
    const Kept kept = kept_of(*agent_.load(), "guest.main");
    EXPECT_EQ(kept.events + kept.lost, 400'000u);
}

}  // namespace
}  // namespace sla
