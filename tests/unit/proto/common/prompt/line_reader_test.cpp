// Lines typed at a terminal of our own, with keys; and what outlives the program.
#include "proto/common/prompt/line_reader.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <pty.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace sla::prompt {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kUp = "\033[A";
constexpr const char* kHistory = "typed_history";

// A program at a terminal that says what was typed, line by line.
class Terminal {
public:
    explicit Terminal(const std::string& state) {
        int master = -1;
        child_ = ::forkpty(&master, nullptr, nullptr, nullptr);
        if (child_ == 0) {
            ::setenv("XDG_STATE_HOME", state.c_str(), 1);
            ::setenv("TERM", "xterm", 1);
            echo();
        }
        master_ = master;
        wait_for("? ");
    }
    ~Terminal() {
        ::close(master_);
        ::waitpid(child_, nullptr, 0);
    }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    // Once keys are taken one by one: the prompt is there a moment before that.
    void type(const std::string& keys) {
        for (termios now{}; ::tcgetattr(master_, &now) == 0 && (now.c_lflag & ICANON) != 0;) ::sched_yield();
        EXPECT_EQ(::write(master_, keys.data(), keys.size()), ssize_t(keys.size()));
    }
    // Reads until it is there, or the program ends.
    void wait_for(const std::string& text) {
        while (said_.find(text) == std::string::npos) {
            pollfd ready{master_, POLLIN, 0};
            char bytes[512];
            constexpr int kHang = 9000;  // ms
            if (::poll(&ready, 1, kHang) != 1) break;
            const ssize_t count = ::read(master_, bytes, sizeof bytes);
            if (count <= 0) break;
            said_.append(bytes, static_cast<std::size_t>(count));
        }
        EXPECT_THAT(said_, HasSubstr(text));
        said_.erase(0, std::min(said_.find(text), said_.size()) + text.size());
    }

private:
    [[noreturn]] static void echo() {
        const auto lines = make_line_reader(kHistory);
        while (const auto line = lines->read("? ")) {
            if (lines->was_cancelled()) continue;
            std::printf("(%s)\n", line->c_str());
            std::fflush(stdout);
            lines->remember(*line);
        }
        ::_exit(0);
    }

    pid_t child_ = -1;
    int master_ = -1;
    std::string said_;
};

class Prompt : public testing::Test {
protected:
    void SetUp() override {
        std::string path = testing::TempDir() + "sla-prompt-XXXXXX";
        ASSERT_NE(::mkdtemp(path.data()), nullptr);
        state_ = path;
    }
    void TearDown() override { std::filesystem::remove_all(state_); }
    [[nodiscard]] std::string kept() const {
        std::ifstream in(state_ + "/sla/" + kHistory);
        return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    }

    std::string state_;
};

TEST_F(Prompt, ArrowKeysBringEarlierLinesOfThisRunAndOfThoseBefore) {
    {
        Terminal first(state_);
        first.type("regs\r");
        first.wait_for("(regs)\r\n? ");
        first.type("rdmsr 11h\r");
        first.wait_for("(rdmsr 11h)\r\n? ");
        first.type(std::string(kUp) + kUp + "\r");
        first.wait_for("(regs)\r\n? ");
    }
    EXPECT_THAT(kept(), HasSubstr("regs"));
    struct stat info {};
    ASSERT_EQ(::stat((state_ + "/sla/" + kHistory).c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777U, 0600U) << "the owner's only";
    Terminal second(state_);
    second.type(std::string(kUp) + kUp + "\r");
    second.wait_for("(rdmsr 11h)");
}

TEST_F(Prompt, ALineIsKeptAtOnce) {
    Terminal terminal(state_);
    terminal.type("step\r");
    terminal.wait_for("? ");
    EXPECT_THAT(kept(), HasSubstr("step")) << "what is asked may be what ends the program";
}

// The test runs in the C locale, as a container does.
TEST_F(Prompt, LettersBeyondAsciiAreTakenAndKept) {
    const std::string text = "grün € 漢字 😀";
    {
        Terminal first(state_);
        first.type(text + "\r");
        first.wait_for("(" + text + ")\r\n? ");
        first.type("漢x\177\177字\r");
        first.wait_for("(字)\r\n? ");
    }
    Terminal second(state_);
    second.type(std::string(kUp) + kUp + "\r");
    second.wait_for("(" + text + ")");
}

TEST_F(Prompt, CtrlCThrowsTheLineAwayAndCtrlDEnds) {
    Terminal terminal(state_);
    terminal.type("reset\003go\r");
    terminal.wait_for("(go)");
    EXPECT_THAT(kept(), Not(HasSubstr("reset")));
    terminal.type("\004");
}

// As another program may leave it, which sets that for all who share it.
TEST(PipedLines, APipeThatDoesNotWaitForItsWriterIsWaitedFor) {
    int ends[2] = {};
    ASSERT_EQ(::pipe2(ends, O_NONBLOCK), 0);
    const int before = ::dup(STDIN_FILENO);
    ::dup2(ends[0], STDIN_FILENO);
    std::thread other([end = ends[1]] {
        for (const char* piece : {"SELECT", " 1\nSELECT 2"}) {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            EXPECT_GT(::write(end, piece, std::strlen(piece)), 0);
        }
        ::close(end);
    });
    const auto lines = make_line_reader(kHistory);
    EXPECT_EQ(lines->read("? "), "SELECT 1");
    EXPECT_EQ(lines->read("? "), "SELECT 2");
    EXPECT_EQ(lines->read("? "), std::nullopt);
    other.join();
    ::dup2(before, STDIN_FILENO);
    ::close(before);
    ::close(ends[0]);
}

}  // namespace
}  // namespace sla::prompt
