// `sla-emu control` as people type it: addresses, files, scripts; and what does not answer is not waited for for ever.
#include "tests/integration/emu/guests.h"
#include "tests/support/agent_under_test.h"
#include "tests/support/fake_guest.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>

namespace sla {
namespace {

using testing::HasSubstr;

class ControlCommand : public testing::Test {
protected:
    // Typed in a directory of the test's own.
    std::string answer(const std::string& words) const {
        Process asks({"/bin/sh", "-c", "cd '" + runs_.file("") + "' && exec " SLA_BINARIES "/sla-emu control " + words},
                     runs_.environment());
        const int code = asks.wait(kHang).code;
        return code == 0 ? asks.output() : std::to_string(code) + ": " + asks.errors();
    }
    // That listens at its socket.
    void start(std::vector<std::string> more = {}) {
        std::vector<std::string> words{
            SLA_BINARIES "/sla-emu", "run", "--demo", "--ticks", "0", "--clock", "virtual", "--debug-output",
            runs_.file("debug.txt")};
        words.insert(words.end(), more.begin(), more.end());
        pc_.emplace(words, runs_.environment());
        ASSERT_TRUE(support::eventually([&] { return answer("pause").find("the guest stands") == 0; }, kHang))
            << pc_->errors();
    }

    support::AgentUnderTest runs_{SLA_BINARIES};
    std::optional<Process> pc_;
};

TEST_F(ControlCommand, FilesAreThoseOfTheDirectoryWhereTheyAreNamed) {
    start();
    EXPECT_THAT(answer("'save here with blanks'"), HasSubstr("saved to " + runs_.file("here with blanks")));
    EXPECT_TRUE(std::filesystem::exists(runs_.file("here with blanks")));
    EXPECT_THAT(answer("'load here with blanks'"), HasSubstr("the guest stands"));
    EXPECT_THAT(answer("'save '"), HasSubstr("write save FILE"));
}

TEST_F(ControlCommand, ASocketIsAnAddressHoweverItsPathIsWritten) {
    start();
    std::filesystem::create_directory(runs_.file("sub"));
    std::filesystem::create_symlink(runs_.runtime() + "/emu-" + std::to_string(pc_->pid()) + ".control",
                                    runs_.file("sub/pc"));
    EXPECT_THAT(answer("sub/pc cr0"), HasSubstr("cr0 "));
    EXPECT_THAT(answer("./sub/pc cr0"), HasSubstr("cr0 "));
    EXPECT_THAT(answer("./sub/none cr0"), HasSubstr("no emulated PC listens at "));
    EXPECT_THAT(answer("x/8i"), HasSubstr("f000:"));
}

TEST_F(ControlCommand, ScriptsHaveCommentsAndMustBeFiles) {
    start();
    std::ofstream(runs_.file("script")) << "# one\n  # another\n\n cr0\n";
    EXPECT_THAT(answer("-f script"), testing::StartsWith("cr0 "));
    EXPECT_THAT(answer("-f ."), HasSubstr("2: sla-emu: cannot read .: it is a directory"));
    EXPECT_THAT(answer("-f nosuch"), HasSubstr("3: sla-emu: cannot read nosuch: No such file"));
    EXPECT_THAT(answer("\"$(printf 'cr0\\ncr3')\" regs"), HasSubstr("a command is one line"));
    EXPECT_THAT(answer("\"$(head -c 5000 /dev/zero | tr '\\0' x)\""), HasSubstr("a command has at most 4096 bytes"));
}

TEST_F(ControlCommand, AScriptCanTellThatTheGuestDidNotComeWhereItShould) {
    start({"--history-memory", "16"});
    EXPECT_THAT(answer("'run-to-event port.post'"), HasSubstr("the guest stands")) << "it may not have begun before";
    EXPECT_THAT(answer("'reverse-to 0:1234'"), testing::StartsWith("1: sla-emu: the guest did not come by there between "));
    EXPECT_THAT(answer("'reverse-to-event port.pots'"), HasSubstr("(did you mean 'port.post'?)"));
    EXPECT_THAT(answer("'reverse-to-event port.pots'"), testing::StartsWith("1: sla-emu: it did not happen between "));
    const auto wait_there = [&](const std::function<void()>& meanwhile) {
        std::optional<Process> waits;
        const auto is_waiting = [&] {  // a step that was asked for a moment earlier keeps it out
            if (!waits || !waits->is_running())
                waits.emplace(std::vector<std::string>{SLA_BINARIES "/sla-emu", "control", "run-to 0:1234"},
                              runs_.environment());
            return answer("step").find("somebody waits already") != std::string::npos;
        };
        EXPECT_TRUE(support::eventually(is_waiting, kHang));
        meanwhile();
        EXPECT_EQ(waits->wait(kHang).code, 1);
        return waits->errors();
    };
    EXPECT_THAT(wait_there([&] { answer("pause"); }),
                HasSubstr("the guest stopped before it came to 0:1234\nthe guest stands"));
    EXPECT_THAT(wait_there([&] { pc_->signal(SIGINT); }), HasSubstr("the run ended before it came to 0:1234"));
}

// Whoever writes there waits until the guest, which does not read, comes round to it.
TEST_F(ControlCommand, ATerminalHoldsBackWhatTheGuestDoesNotTake) {
    start({"--serial", "pty"});
    const std::string said = pc_->errors();
    const std::size_t at = said.find("/dev/pts/");
    ASSERT_NE(at, std::string::npos) << said;
    const std::string path = said.substr(at, said.find('\n', at) - at);
    const int terminal = ::open(path.c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    ASSERT_GE(terminal, 0) << path;
    const std::string chunk(1024, 'x');
    for (int round = 0; round < 20; ++round) {
        while (::write(terminal, chunk.data(), chunk.size()) > 0) continue;
        answer("'run-to-event 20 x irq.0.isr begins'");  // 20 ms of the guest's
    }
    EXPECT_THAT(answer("'state com1'"), HasSubstr("arriving.bytes 0000000000001000\n"));
    EXPECT_THAT(answer("'save held back'"), HasSubstr("saved to "));
    EXPECT_THAT(answer("'load held back'"), HasSubstr("the guest stands"));
    ::close(terminal);
}

// Others might leave sockets there.
TEST_F(ControlCommand, ARuntimeDirectoryThatOthersMayWriteToIsNotLookedInto) {
    std::filesystem::create_directory(runs_.file("open"));
    std::filesystem::permissions(runs_.file("open"), std::filesystem::perms::all);
    auto environment = runs_.environment();
    environment["SLA_RUNTIME_DIR"] = runs_.file("open");
    for (const std::vector<std::string>& words : {std::vector<std::string>{"regs"}, {"4711", "regs"}}) {
        std::vector<std::string> typed{SLA_BINARIES "/sla-emu", "control"};
        typed.insert(typed.end(), words.begin(), words.end());
        Process asks(typed, environment);
        EXPECT_EQ(asks.wait(kHang).code, 3);
        EXPECT_THAT(asks.errors(), HasSubstr("must be yours and closed to others"));
    }
    const auto run = [&](const std::vector<std::string>& more, int code) {
        std::vector<std::string> words{SLA_BINARIES "/sla-emu", "run", "--demo", "--ticks", "3", "--clock", "virtual"};
        words.insert(words.end(), more.begin(), more.end());
        Process pc(words, environment);
        EXPECT_EQ(pc.wait(kHang).code, code);
        return pc.errors();
    };
    EXPECT_THAT(run({}, 0), HasSubstr("`sla-emu control` will not reach this run"));
    EXPECT_THAT(run({"--stop-at", "port.post"}, 3), HasSubstr("--stop-at: nobody could let the guest go on again"));
}

TEST_F(ControlCommand, ARunThatEndsBeforeItsStopSaysSoAndWhetherTheChannelWasThere) {
    const auto run = [&](const std::string& event) {
        Process pc({SLA_BINARIES "/sla-emu", "run", "--demo", "--ticks", "3", "--clock", "virtual", "--stop-at", event},
                   runs_.environment());
        EXPECT_EQ(pc.wait(kHang).code, 0);
        return pc.errors();
    };
    EXPECT_THAT(run("port.post == 7777"), HasSubstr("nothing stopped the guest: 'port.post == 7777' did not happen\n"));
    EXPECT_THAT(run("nonsense"), HasSubstr("'nonsense' did not happen, and not all channels that it names were there"));
}

// One that stands still for a debugger, or hangs.
TEST_F(ControlCommand, CountersThatAreLoggedEndOnRequestThoughThePcDoesNotAnswer) {
    ::setenv("SLA_RUNTIME_DIR", runs_.file("").c_str(), 1);
    std::atomic<bool> is_over = false;
    {
        support::FakeGuest hangs(::getpid(), [&](const std::string&) -> std::string {
            while (!is_over) support::pause_briefly();
            return "";
        });
        Process log({SLA_BINARIES "/sla", "counters", "log", "--pid", std::to_string(::getpid()), "--events", "pentium:16",
                     "--every", "10ms"});
        EXPECT_TRUE(support::eventually([&] { return !hangs.commands().empty() || !log.is_running(); }, kHang));
        log.signal(SIGTERM);
        EXPECT_EQ(log.wait(kHang).code, 0) << log.errors();
        is_over = true;
    }
    ::unsetenv("SLA_RUNTIME_DIR");
}

TEST(RunCommand, WhatCannotBeIsRefusedBeforeTheGuestRuns) {
    const auto refused = [](std::vector<std::string> more) {
        std::vector<std::string> words{SLA_BINARIES "/sla-emu", "run", "--demo", "--ticks", "0", "--clock", "virtual"};
        words.insert(words.end(), more.begin(), more.end());
        Process run(words);
        EXPECT_NE(run.wait(kHang).code, 0);
        EXPECT_EQ(run.output(), "");
        return run.errors();
    };
    EXPECT_THAT(refused({"--append", "x"}), HasSubstr("--append is for --kernel and --com"));
    EXPECT_THAT(refused({"--jitter", "-1"}), HasSubstr("--jitter"));
    EXPECT_THAT(refused({"--counts", "/nowhere/counts"}), HasSubstr("cannot write counts to /nowhere/counts"));
    EXPECT_THAT(refused({"--counts", "/tmp"}), HasSubstr("cannot write counts to /tmp"));
    EXPECT_THAT(refused({"--screen", "/nowhere/screen.txt"}), HasSubstr("cannot write the screen to /nowhere/screen.txt"));
    for (const char* other : {"--kernel", "--com", "--bios"})
        EXPECT_THAT(refused({other, "/dev/null"}), HasSubstr("--demo"));
}

TEST(RunCommand, WhatTheGuestSentAndFoundNoPlaceIsSaid) {
    Process run(
        {SLA_BINARIES "/sla-emu", "run", "--demo", "--ticks", "3", "--clock", "virtual", "--debug-output", "/dev/full"});
    EXPECT_EQ(run.wait(kHang).code, 3);
    EXPECT_THAT(run.errors(), HasSubstr("the guest's text could not all be written to /dev/full"));
}

// `sla-emu run ... | head -1`
TEST(RunCommand, AReaderOfTheGuestsTextThatHasSeenEnoughEndsNoRun) {
    const support::TempDir directory;
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    close(ends[0]);
    const std::string text = "/proc/self/fd/" + std::to_string(ends[1]);
    Process run({SLA_BINARIES "/sla-emu", "run", "--demo", "--ticks", "3", "--clock", "virtual", "--cpu", "x86emu",
                 "--debug-output", text, "--counts", directory.file("counts.json")});
    EXPECT_EQ(run.wait(kHang).code, 0) << run.errors();
    close(ends[1]);
    EXPECT_TRUE(std::filesystem::exists(directory.file("counts.json"))) << "it came to its end";
}

}  // namespace
}  // namespace sla
