// kill -9 while something is recorded or counted. The agent: what is on disk opens, and lacks the last second at most. The
// command: its file is whole, and what becomes of the program is what its help says.
#include "tests/support/agent_under_test.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>

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

// Its parent may have died before, so that nobody asks how it ended.
bool runs(pid_t process) {
    std::ifstream in("/proc/" + std::to_string(process) + "/stat");
    std::string line;
    return std::getline(in, line) && line[line.rfind(')') + 2] != 'Z';
}

// The child of `parent` that is called so, as /proc has it (15 characters); 0: there is none.
pid_t child_of(pid_t parent, const std::string& name) {
    const std::string of_parent = "/proc/" + std::to_string(parent);
    std::ifstream children(of_parent + "/task/" + std::to_string(parent) + "/children");
    for (pid_t child = 0; children >> child;) {
        std::ifstream in("/proc/" + std::to_string(child) + "/comm");
        std::string comm;
        if (std::getline(in, comm) && comm == name.substr(0, 15)) return child;
    }
    return 0;
}

TEST(KilledCommand, OfRecordLeavesTheProgramRunningAndAWholeFile) {
    support::TempDir directory;
    support::Process record({SLA_BINARIES "/sla", "record", "-o", directory.file("f.sla"), "--", SLA_TEST_MARKER, "steady"},
                            {{"TMPDIR", directory.path()}});
    ASSERT_TRUE(record.wait_for_output("running"));
    const pid_t program = child_of(record.pid(), "sla-test-marker");
    const pid_t agent = child_of(record.pid(), "sla-agent");
    ASSERT_GT(program, 0);
    ASSERT_GT(agent, 0);
    record.signal(SIGKILL);
    record.wait();
    EXPECT_TRUE(support::eventually([&] { return !runs(agent); }));
    EXPECT_TRUE(runs(program)) << "it is the user's, not the command's";
    kill(program, SIGTERM);
    support::Process verify({SLA_BINARIES "/sla", "verify", directory.file("f.sla")});
    EXPECT_EQ(verify.wait().code, 0) << verify.output() << verify.errors();
    EXPECT_TRUE(support::eventually([&] { return !runs(program); }));
}

TEST(KilledCommand, OfCountersEndsTheProgramThatItCounted) {
    for (const char* command : {"run", "log"}) {
        support::TempDir directory;
        const std::string begun = directory.file("begun");
        support::Process counters({SLA_BINARIES "/sla", "counters", command, "--events", "task-clock", "--privilege", "user",
                                   "--", "/bin/sh", "-c", "echo $$ > " + begun + "; exec sleep 100"},
                                  {{"TMPDIR", directory.path()}});
        pid_t program = 0;
        ASSERT_TRUE(support::eventually([&] { return !counters.is_running() || std::ifstream(begun) >> program; }));
        if (program == 0) GTEST_SKIP() << "nothing is counted here: " << counters.errors();
        counters.signal(SIGKILL);
        counters.wait();
        EXPECT_TRUE(support::eventually([&] { return !runs(program); })) << command;
        kill(program, SIGKILL);
    }
}

}  // namespace
}  // namespace sla
