// kill -9 while something is recorded or counted. The agent: what is on disk opens, and lacks the last second at most. The
// command: its file is whole, and what becomes of the program is what its help says.
#include "proto/base/process_stat.h"
#include "tests/support/agent_under_test.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>

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
    const auto stat = process_stat(process);
    return stat && !stat->has_ended();
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

// A script that has started a sleep, under one of the commands; with a folder of its own for temporary files.
class Script {
public:
    explicit Script(std::vector<std::string> command)
        : command_([&] {
              command.insert(command.begin(), SLA_BINARIES "/sla");
              const std::string begun = directory_.file("begun");
              command.insert(command.end(),
                             {"--", "/bin/sh", "-c", "sleep 100 & echo $$ $! > " + begun + "; wait; echo never"});
              return support::Process(command, {{"TMPDIR", temporary()}});
          }()) {}
    ~Script() {
        for (const pid_t one : {script_, sleep_}) {
            if (one > 0 && runs(one)) kill(one, SIGKILL);
        }
    }
    bool begins() {
        support::eventually(
            [&] { return !command_.is_running() || std::ifstream(directory_.file("begun")) >> script_ >> sleep_; });
        return sleep_ != 0;
    }
    bool ends() {
        return support::eventually([&] { return !runs(script_) && !runs(sleep_); });
    }
    support::Process& command() { return command_; }
    [[nodiscard]] bool leaves_nothing() const { return std::filesystem::is_empty(temporary()); }

private:
    [[nodiscard]] std::string temporary() const {
        std::filesystem::create_directories(directory_.file("tmp"));
        return directory_.file("tmp");
    }

    support::TempDir directory_;
    pid_t script_ = 0;
    pid_t sleep_ = 0;
    support::Process command_;
};

TEST(AskedToEnd, RecordEndsAScriptAndAllItStartedAndLeavesNothingButTheFile) {
    for (const int signal : {SIGTERM, SIGHUP, SIGINT}) {
        support::TempDir directory;
        Script script({"record", "-o", directory.file("f.sla")});
        ASSERT_TRUE(script.begins()) << script.command().errors();
        script.command().signal(signal);
        EXPECT_EQ(script.command().wait().code, 128 + signal) << script.command().errors();
        if (signal != SIGINT) {  // which a shell's background commands do not heed
            EXPECT_TRUE(script.ends()) << signal;
        }
        EXPECT_TRUE(script.leaves_nothing()) << signal;
        support::Process verify({SLA_BINARIES "/sla", "verify", directory.file("f.sla")});
        EXPECT_EQ(verify.wait().code, 0) << verify.output() << verify.errors();
    }
}

// As a daemon does: the recording ends with the script.
TEST(EndOfARecording, NamesWhoeverIsLeftBehindAndMarksOn) {
    support::TempDir directory;
    const std::string begun = directory.file("begun");
    const std::string script = "\"$0\" steady > /dev/null & echo $! > " + begun + "; sleep 1";
    support::Process record(
        {SLA_BINARIES "/sla", "record", "-o", directory.file("f.sla"), "--", "/bin/sh", "-c", script, SLA_TEST_MARKER}, {});
    EXPECT_EQ(record.wait().code, 0) << record.errors();
    pid_t left = 0;
    ASSERT_TRUE(std::ifstream(begun) >> left);
    EXPECT_TRUE(runs(left));
    EXPECT_NE(record.errors().find("still runs and marks: sla-test-marker (" + std::to_string(left) + ")"),
              std::string::npos)
        << record.errors();
    kill(left, SIGKILL);
    support::Process quiet(
        {SLA_BINARIES "/sla", "record", "-o", directory.file("g.sla"), "--", SLA_TEST_MARKER, "burst", "1", "1", "10"}, {});
    EXPECT_EQ(quiet.wait().code, 0) << quiet.errors();
    EXPECT_EQ(quiet.errors().find("still runs"), std::string::npos) << quiet.errors();
}

TEST(AskedToEnd, RecordDoesTheSameWhenItsTimeIsOver) {
    support::TempDir directory;
    Script script({"record", "-o", directory.file("f.sla"), "--for", "1s"});
    ASSERT_TRUE(script.begins()) << script.command().errors();
    EXPECT_EQ(script.command().wait().code, 0) << script.command().errors();
    EXPECT_TRUE(script.ends());
    EXPECT_TRUE(script.leaves_nothing());
}

TEST(AskedToEnd, CountersEndAScriptAndAllItStartedAndLeaveNothing) {
    for (const char* command : {"run", "log"}) {
        Script script({"counters", command, "--events", "task-clock", "--privilege", "user"});
        if (!script.begins()) GTEST_SKIP() << "nothing is counted here: " << script.command().errors();
        script.command().signal(SIGTERM);
        script.command().wait();
        EXPECT_TRUE(script.ends()) << command;
        EXPECT_TRUE(script.leaves_nothing()) << command;
    }
}

TEST(KilledCommand, LeavesADirectoryThatTheNextOneRemoves) {
    support::TempDir directory;
    support::TempDir temporary;
    const auto record = [&](const std::string& name, const std::vector<std::string>& program) {
        std::vector<std::string> words{SLA_BINARIES "/sla", "record", "-o", directory.file(name), "--"};
        words.insert(words.end(), program.begin(), program.end());
        return std::make_unique<support::Process>(words, std::map<std::string, std::string>{{"TMPDIR", temporary.path()}});
    };
    const auto lives = record("lives.sla", {SLA_TEST_MARKER, "steady"});
    ASSERT_TRUE(lives->wait_for_output("running"));
    const auto killed = record("killed.sla", {SLA_TEST_MARKER, "steady"});
    ASSERT_TRUE(killed->wait_for_output("running"));
    const pid_t program = child_of(killed->pid(), "sla-test-marker");
    const pid_t agent = child_of(killed->pid(), "sla-agent");
    killed->signal(SIGKILL);
    killed->wait();
    kill(program, SIGTERM);
    ASSERT_TRUE(support::eventually([&] { return !runs(agent); }));
    const auto left = [&] {
        return std::distance(std::filesystem::directory_iterator(temporary.path()), std::filesystem::directory_iterator());
    };
    EXPECT_EQ(left(), 2);
    const auto next = record("next.sla", {"/bin/true"});
    EXPECT_EQ(next->wait().code, 0) << next->errors();
    EXPECT_EQ(left(), 1) << "that of the one which still records";
    lives->signal(SIGTERM);
    lives->wait();
    EXPECT_EQ(left(), 0);
}

// A log that loses its reader or its file while a program is counted that waits to be told to go on. What a shell runs before
// and behind `sla counters log`; the exit code of that, and whether the program came to its own end.
class LostLog : public ::testing::Test {
protected:
    void SetUp() override {
        support::Process probe(
            {SLA_BINARIES "/sla", "counters", "log", "--events", "task-clock", "--privilege", "user", "--", "/bin/true"});
        if (probe.wait().code != 0) GTEST_SKIP() << "nothing is counted here: " << probe.errors();
    }
    void run(const std::string& before, const std::string& option, const std::string& behind) {
        const std::string log = SLA_BINARIES "/sla counters log --every 1ms --events task-clock --privilege user " + option +
                                " -- /bin/sh -c 'until [ -e " + file("go") + " ]; do sleep 0.01; done; : > " + file("end") +
                                "; exit 5'";
        const std::string all = "{ (" + before + log + "); echo $? > " + file("code") + "; }" + behind;
        support::Process shell({"/bin/sh", "-c", all}, {{"TMPDIR", directory_.path()}});
        const auto is_told = [&] {
            return !shell.is_running() || shell.errors().find(" runs on, and is not counted any more") != std::string::npos;
        };
        EXPECT_TRUE(support::eventually(is_told)) << shell.errors();
        std::ofstream(file("go")) << "go";
        shell.wait();
        errors_ = shell.errors();
        std::ifstream(file("code")) >> code_;
        EXPECT_TRUE(std::filesystem::exists(file("end"))) << "the program came to its own end";
    }
    [[nodiscard]] std::string file(const std::string& name) const { return directory_.file(name); }

    support::TempDir directory_;
    std::string errors_;
    int code_ = 0;
};

TEST_F(LostLog, WithoutItsReaderTheProgramRunsToItsEndAndItsExitCodeIsKept) {
    run("", "", " | head -n 2");
    EXPECT_EQ(code_, 5) << errors_;
    EXPECT_NE(errors_.find("nobody reads the log any more"), std::string::npos) << errors_;
}

TEST_F(LostLog, ThatCannotBeWrittenEndsNoProgramEither) {
    run("ulimit -f 1; ", "-o " + file("log.csv"), "");  // a block of 512 bytes
    EXPECT_EQ(code_, 3) << errors_;
    EXPECT_NE(errors_.find("File too large"), std::string::npos) << errors_;
}

}  // namespace
}  // namespace sla
