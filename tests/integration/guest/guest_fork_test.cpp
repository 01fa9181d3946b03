// Forks at bad moments, and markers in what the library calls.
#include "tests/integration/guest/guest_fixture.h"

namespace sla {
namespace {

class GuestForks : public GuestFixture {
protected:
    // Forty children, each of which marks ten of each channel when the marker it began in has ended.
    void fork_in_markers(const std::vector<std::string>& more) {
        std::vector<std::string> words{"fork-in-marker", "40"};
        words.insert(words.end(), more.begin(), more.end());
        ASSERT_TRUE(agent_.start());
        auto program = run(words);
        const support::Exit end = program->wait(std::chrono::seconds(30));
        ASSERT_EQ(end.code, 0) << "signal " << end.signal << ": " << program->errors();
        ASSERT_EQ(agent_.stop(), 0);
        const auto session = agent_.load();
        std::map<std::string, std::uint64_t> events;
        std::uint64_t late = 0;  // a marker that stands still while its handler waits for a slow child
        for (const store::Lane* lane : session->lanes()) {
            events[lane->channel().name] += lane->events();
            late += lane->lost(wire::LossCause::kLate);
        }
        EXPECT_EQ(events["guest.child"], 400u);
        EXPECT_GE(events["guest.main"] + late, said(*program, "offered") + 400);
        EXPECT_EQ(session->lost(), late);
    }
};
using GuestNested = GuestFixture;

TEST_F(GuestForks, WhatAHandlerOfForksMarksInTheChildIsTheChilds) {
    SLA_SKIP_UNDER_SANITIZERS();
    expect_events({"fork-handler"}, {{"guest.main", 400}});
    EXPECT_EQ(agent_.load()->sources().size(), 2u);
}

TEST_F(GuestForks, AHandlerThatForksInAMarkerLeavesBothProcessesOneThatEnds) {
    SLA_SKIP_UNDER_SANITIZERS();
    fork_in_markers({});
}

TEST_F(GuestForks, AHandlerThatForksInAMarkerOfACalledFunctionLeavesBothProcessesOneThatEnds) {
    SLA_SKIP_UNDER_SANITIZERS();
    fork_in_markers({"slow"});
}

TEST_F(GuestForks, AChildLivesWithinALimitOnDataAsItsParentDoes) {
    SLA_SKIP_UNDER_SANITIZERS();
    expect_events({"fork-data"}, {{"guest.main", 100}, {"guest.child", 100}});
}

TEST_F(GuestForks, AChildOfASandboxedProgramClosesNoRingOfItsParent) {
    SLA_SKIP_UNDER_SANITIZERS();
    expect_events({"fork-in-sandbox"}, {{"guest.main", 1001}});
    EXPECT_EQ(agent_.load()->lost(), 0u);
}

TEST_F(GuestNested, AMarkerInTheCreationOfTheLibrarysThreadIsOff) {
    expect_events({"marked-creation"}, {{"guest.main", 101}, {"guest.other", 10}});
}

TEST_F(GuestNested, AMarkerInACallOfAFirstMarkerIsCounted) {
    ASSERT_TRUE(agent_.start());
    auto program = run({"marked-calls"});
    ASSERT_EQ(program->wait().code, 0) << program->errors();
    ASSERT_EQ(agent_.stop(), 0);
    const auto session = agent_.load();
    EXPECT_GT(said(*program, "nested"), 0u);
    EXPECT_EQ(session->events() + session->lost(), 101 + 10 + said(*program, "nested"));
}

}  // namespace
}  // namespace sla
