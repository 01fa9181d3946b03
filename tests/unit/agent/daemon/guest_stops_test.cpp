#include "agent/daemon/shots/guest_stops.h"

#include "tests/support/fake_guest.h"
#include "tests/support/with_directory.h"

#include <unistd.h>

#include <condition_variable>
#include <cstdlib>

namespace sla::daemon {
namespace {

class GuestStopsTest : public support::WithDirectory {
protected:
    void SetUp() override { ::setenv("SLA_RUNTIME_DIR", file("").c_str(), 1); }
    void TearDown() override { ::unsetenv("SLA_RUNTIME_DIR"); }

    // What is said of one emulated PC, in this process, that is asked to stand still.
    std::string said_of(const EmulatedPc& pc) {
        std::mutex mutex;
        std::condition_variable changed;
        std::string said;
        GuestStops stops(
            [&](const std::string& text) {
                const std::lock_guard lock(mutex);
                said = text;
                changed.notify_all();
            },
            [] { return 1e9; });
        wire::Shot shot;
        shot.set_trigger_name("t");
        shot.set_tick(1);
        stops.stop(shot, {pc});
        std::unique_lock lock(mutex);
        changed.wait_for(lock, std::chrono::seconds(20), [&] { return !said.empty(); });
        return said;
    }
    std::string said_where_it_answers(const std::string& answer) {
        support::FakeGuest guest(::getpid(), [&](const std::string&) { return answer; });
        EXPECT_TRUE(guest.is_there());
        return said_of({own_pid(), true});
    }
    static std::uint32_t own_pid() { return static_cast<std::uint32_t>(::getpid()); }
    static std::string who() { return "stop-guest of trigger t: the emulated PC of process " + std::to_string(::getpid()); }
};

TEST_F(GuestStopsTest, APcThatStoppedSaysWhereItStands) {
    EXPECT_EQ(said_where_it_answers("the guest stands at f000:1234\nmore"), who() + ": the guest stands at f000:1234");
}

TEST_F(GuestStopsTest, APcThatCannotStopSaysWhyInItsOwnWords) {
    EXPECT_EQ(said_where_it_answers("error: the run is going back"),
              who() + " did not say that it stopped: the run is going back");
}

TEST_F(GuestStopsTest, APcThatIsGoneCouldNotBeAsked) {
    EXPECT_EQ(said_of({own_pid(), true}).find(who() + " could not be asked: "), 0U);
}

// Of its pid nothing is known here, and a socket by that pid is another one's.
TEST_F(GuestStopsTest, APcInAnotherPidNamespaceCannotBeAskedFromHere) {
    support::FakeGuest guest(::getpid(), [](const std::string&) { return "the guest stands"; });
    EXPECT_EQ(said_of({own_pid(), true, "sla-emu (docker-0123456789ab, pid 7 there)"}),
              "stop-guest of trigger t: the emulated PC sla-emu (docker-0123456789ab, pid 7 there) could not be asked: it "
              "lives in another pid namespace");
    EXPECT_EQ(guest.connections(), 0);
}

}  // namespace
}  // namespace sla::daemon
