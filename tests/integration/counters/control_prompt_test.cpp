// The prompt of `sla-emu control` at a terminal: arrow keys, and a history that is kept between runs; and over a pipe.
#include "tests/support/process.h"

#include <gmock/gmock.h>
#include <poll.h>
#include <pty.h>
#include <sched.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

namespace sla {
namespace {

using support::Process;
using testing::HasSubstr;

constexpr const char* kArrowUp = "\033[A";

// `sla-emu control` at a terminal of the test's own.
class ControlPrompt {
public:
    ControlPrompt(const std::string& process, const std::map<std::string, std::string>& environment) {
        child_ = ::forkpty(&terminal_, nullptr, nullptr, nullptr);
        if (child_ != 0) return;
        for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
        ::setenv("TERM", "xterm", 1);
        ::execl(SLA_BINARIES "/sla-emu", "sla-emu", "control", process.c_str(), nullptr);
        ::_exit(127);
    }
    ~ControlPrompt() {
        ::close(terminal_);
        ::kill(child_, SIGKILL);
        ::waitpid(child_, nullptr, 0);
    }
    ControlPrompt(const ControlPrompt&) = delete;
    ControlPrompt& operator=(const ControlPrompt&) = delete;

    // Once keys are taken one by one: the prompt is there a moment before that.
    void type(const std::string& keys) const {
        for (termios now{}; ::tcgetattr(terminal_, &now) == 0 && (now.c_lflag & ICANON) != 0;) ::sched_yield();
        EXPECT_EQ(::write(terminal_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
    }
    // What it said up to and with that; then that is behind us.
    std::string wait_for(const std::string& text) {
        constexpr int kTimeout = 60'000;  // ms
        while (said_.find(text) == std::string::npos) {
            pollfd ready{terminal_, POLLIN, 0};
            char bytes[1024];
            const ssize_t count = ::poll(&ready, 1, kTimeout) == 1 ? ::read(terminal_, bytes, sizeof bytes) : 0;
            if (count <= 0) break;
            said_.append(bytes, static_cast<std::size_t>(count));
        }
        const std::size_t found = said_.find(text);
        EXPECT_NE(found, std::string::npos) << "no \"" << text << "\" in: " << said_;
        const std::size_t end = std::min(found, said_.size() - std::min(said_.size(), text.size())) + text.size();
        const std::string until = said_.substr(0, end);
        said_.erase(0, end);
        return until;
    }

private:
    int terminal_ = -1;
    pid_t child_ = -1;
    std::string said_;
};

class PromptOfControl : public testing::Test {
protected:
    void SetUp() override {
        const auto answers = [&] {
            Process asks({SLA_BINARIES "/sla-emu", "control", process(), "cr0"}, environment_);
            return asks.wait().code == 0;
        };
        ASSERT_TRUE(support::eventually([&] { return answers() || !pc_.is_running(); }, std::chrono::seconds(60)));
    }
    [[nodiscard]] std::string process() const { return std::to_string(pc_.pid()); }

    support::TempDir directory_;
    std::map<std::string, std::string> environment_{{"SLA_RUNTIME_DIR", directory_.file("run")},
                                                    {"XDG_STATE_HOME", directory_.file("state")}};
    Process pc_{{SLA_BINARIES "/sla-emu", "run", "--demo"}, environment_};
};

TEST_F(PromptOfControl, BringsCommandsBackByArrowsAndKeepsThemForTheNextRun) {
    {
        ControlPrompt prompt(process(), environment_);
        prompt.wait_for("sla-emu> ");
        prompt.type("wrmsr 12h 77h\r");
        prompt.wait_for("sla-emu> ");
        prompt.type("rdmsr 12h\r");
        prompt.wait_for("12h 0000000000000077");
        prompt.type("wrmsr 12h 99h\r");
        prompt.wait_for("sla-emu> ");
        prompt.wait_for("sla-emu> ");
        prompt.type(std::string(kArrowUp) + kArrowUp + "\r");  // rdmsr 12h
        prompt.wait_for("12h 0000000000000099");
        prompt.type("quit\r");
    }
    ControlPrompt prompt(process(), environment_);
    prompt.wait_for("sla-emu> ");
    prompt.type(std::string(kArrowUp) + "\r");
    prompt.wait_for("12h 0000000000000099");
    prompt.type("\004");
    std::ifstream kept(directory_.file("state/sla/control_history"));
    const std::string text((std::istreambuf_iterator<char>(kept)), std::istreambuf_iterator<char>());
    EXPECT_THAT(text, HasSubstr("rdmsr"));
}

// Sent to a PC that does not answer it would be done later, when nobody reckons with it.
TEST_F(PromptOfControl, SaysThatAPcIsStoppedAndDoesNotAskIt) {
    pc_.signal(SIGSTOP);
    ASSERT_TRUE(support::eventually([&] {
        std::ifstream in("/proc/" + process() + "/stat");
        std::string line;
        return std::getline(in, line) && line[line.rfind(')') + 2] == 'T';
    }));
    Process asks({SLA_BINARIES "/sla-emu", "control", process(), "wrmsr 12h 55h"}, environment_);
    EXPECT_EQ(asks.wait(std::chrono::seconds(10)).code, 3);
    EXPECT_THAT(asks.errors(), HasSubstr("of process " + process() + " does not answer: its process is stopped"));
    pc_.signal(SIGCONT);
    Process again({SLA_BINARIES "/sla-emu", "control", process(), "rdmsr 12h"}, environment_);
    EXPECT_EQ(again.wait().code, 0) << again.errors();
    EXPECT_THAT(again.output(), HasSubstr("12h 0000000000000000"));
}

TEST_F(PromptOfControl, TakesPlainLinesFromAPipe) {
    Process piped(
        {"/bin/sh", "-c", "printf 'rdmsr 12h\\n\\nnonsense\\ncr0' | " SLA_BINARIES "/sla-emu control " + process()},
        environment_);
    EXPECT_EQ(piped.wait().code, 0) << piped.errors();
    EXPECT_THAT(piped.output(), HasSubstr("12h 0000000000000000\ncr0 "));
    EXPECT_THAT(piped.errors(), HasSubstr("there is no command \"nonsense\""));
    std::ifstream kept(directory_.file("state/sla/control_history"));
    EXPECT_FALSE(kept.good()) << "a script's lines are nobody's history";
}

TEST(HelpOfControl, NeedsNoPcThatRuns) {
    support::TempDir nobody;
    Process help({SLA_BINARIES "/sla-emu", "control", "help"}, {{"SLA_RUNTIME_DIR", nobody.file("run")}});
    EXPECT_EQ(help.wait().code, 0) << help.errors();
    EXPECT_THAT(help.output(), HasSubstr("reverse-step [COUNT]"));
}

}  // namespace
}  // namespace sla
