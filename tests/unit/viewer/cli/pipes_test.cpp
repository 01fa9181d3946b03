// Captures that come through a pipe, from a redirected file, from an agent: every command reads them.
#include "tests/support/capture_builder.h"
#include "tests/support/fake_agent.h"
#include "tests/unit/viewer/cli/run_sla.h"
#include "viewer/cli/interrupt.h"

#include <fcntl.h>
#include <sys/resource.h>

#include <thread>

namespace sla::cli {
namespace {

// Standard input is something else for a while.
class StandardInput {
public:
    explicit StandardInput(int fd) : before_(dup(STDIN_FILENO)) {
        dup2(fd, STDIN_FILENO);
        close(fd);
    }
    ~StandardInput() {
        dup2(before_, STDIN_FILENO);
        close(before_);
    }
    StandardInput(const StandardInput&) = delete;
    StandardInput& operator=(const StandardInput&) = delete;

private:
    int before_;
};

class Pipes : public WithDirectory {
protected:
    Pipes() {
        const auto rx = capture_.channel("net.rx");
        for (std::uint64_t i = 0; i < 5000; ++i) capture_.tick(rx, 1000 + i * 1000, static_cast<std::int64_t>(i));
        capture_.write(file("c.sla"));
    }
    // The command as it is given these bytes by another program, in pieces.
    static Outcome piped(const std::string& bytes, const std::vector<std::string>& words) {
        int ends[2] = {};
        EXPECT_EQ(pipe(ends), 0);
        std::thread other([&bytes, end = ends[1]] {
            for (std::size_t at = 0; at < bytes.size();) {
                const ssize_t written = write(end, bytes.data() + at, std::min<std::size_t>(1000, bytes.size() - at));
                if (written <= 0) break;
                at += static_cast<std::size_t>(written);
            }
            close(end);
        });
        Outcome outcome;
        {
            const StandardInput input(ends[0]);
            outcome = run_sla(words);
        }
        other.join();
        return outcome;
    }

    support::CaptureBuilder capture_{0};
};

TEST_F(Pipes, EveryCommandReadsWhatIsPipedInAsItReadsTheFile) {
    const std::string bytes = content(file("c.sla"));
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"table"},
                                               {"channels"},
                                               {"stats"},
                                               {"check", "--limit", "gap net.rx < 2us"},
                                               {"find", "net.rx > 4990"},
                                               {"verify", "--format", "csv"},
                                               {"compare", file("c.sla")}}) {
        std::vector<std::string> of_file = words;
        std::vector<std::string> of_pipe = words;
        of_file.insert(words[0] == "compare" ? of_file.end() : of_file.begin() + 1, file("c.sla"));
        of_pipe.insert(words[0] == "compare" ? of_pipe.end() : of_pipe.begin() + 1, "-");
        const Outcome expected = run_sla(of_file);
        const Outcome outcome = piped(bytes, of_pipe);
        EXPECT_EQ(outcome.code, expected.code) << words[0] << ": " << outcome.errors;
        EXPECT_EQ(outcome.out, expected.out) << words[0];
        EXPECT_FALSE(expected.out.empty()) << words[0];
    }
}

// As another program may leave it, which sets that for all who share it.
TEST_F(Pipes, APipeThatDoesNotWaitForItsWriterIsWaitedFor) {
    int ends[2] = {};
    ASSERT_EQ(pipe2(ends, O_NONBLOCK), 0);
    const std::string bytes = content(file("c.sla"));
    ASSERT_EQ(fcntl(ends[1], F_SETFL, 0), 0);
    std::thread other([&bytes, end = ends[1]] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        EXPECT_EQ(write(end, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
        close(end);
    });
    Outcome outcome;
    {
        const StandardInput input(ends[0]);
        outcome = run_sla({"check", "-", "--limit", "count net.rx == 5000"});
    }
    other.join();
    EXPECT_EQ(outcome.code, kDone) << outcome.errors;
}

TEST_F(Pipes, WritersTakeThemToo) {
    const std::string bytes = content(file("c.sla"));
    EXPECT_EQ(piped(bytes, {"cut", "-", "--to", "2ms", "-o", file("part.sla")}).code, kDone);
    EXPECT_EQ(run_sla({"verify", file("part.sla")}).code, kDone);
    EXPECT_EQ(piped(bytes, {"export", "-", "--format", "csv", "-o", file("p.csv")}).code, kDone);
    EXPECT_EQ(run_sla({"export", file("c.sla"), "--format", "csv", "-o", file("f.csv")}).code, kDone);
    EXPECT_EQ(content(file("p.csv")), content(file("f.csv")));
    const Outcome merged = piped(bytes, {"merge", file("part.sla"), "-", "-o", file("m.sla")});
    EXPECT_EQ(merged.code, kDone) << merged.errors;
    EXPECT_EQ(piped(content(file("p.csv")), {"import", "-", "-o", file("i.sla")}).code, kDone);
    EXPECT_EQ(run_sla({"verify", file("i.sla")}).code, kDone);
}

TEST_F(Pipes, ARedirectedFileIsReadWhereItIs) {
    const StandardInput input(open(file("c.sla").c_str(), O_RDONLY));
    const Outcome outcome = run_sla({"check", "-", "--limit", "count net.rx == 5000"});
    EXPECT_EQ(outcome.code, kDone) << outcome.errors;
}

TEST_F(Pipes, AnAgentsHistoryIsReadWhereAFileIsWanted) {
    support::FakeAgent agent({capture_.stream(), capture_.stream(), capture_.stream()});
    const Outcome verified = run_sla({"verify", agent.address()});
    EXPECT_EQ(verified.code, kDone) << verified.errors;
    EXPECT_NE(verified.errors.find("whole: 5000 events"), std::string::npos) << verified.errors;
    EXPECT_EQ(run_sla({"cut", agent.address(), "--to", "2ms", "-o", file("part.sla")}).code, kDone);
    EXPECT_EQ(run_sla({"merge", file("part.sla"), agent.address(), "-o", file("m.sla")}).code, kDone);
    EXPECT_EQ(run_sla({"verify", "unix:" + file("nobody.sock")}).code, kOutsideFailed);
}

TEST_F(Pipes, WhatIsNoCaptureIsSaidOfStandardInput) {
    for (const std::string& bytes : {std::string(), std::string("nonsense"), content(file("c.sla")).substr(1)}) {
        const Outcome outcome = piped(bytes, {"stats", "-"});
        EXPECT_EQ(outcome.code, kOutsideFailed);
        EXPECT_NE(outcome.errors.find("standard input"), std::string::npos) << outcome.errors;
        EXPECT_EQ(outcome.errors.find("/proc/"), std::string::npos) << outcome.errors;
    }
    const std::string whole = content(file("c.sla"));
    const Outcome cut = piped(whole.substr(0, whole.size() * 2 / 3), {"verify", "-"});
    EXPECT_EQ(cut.code, kNo);
    EXPECT_NE(cut.errors.find("standard input: not finished"), std::string::npos) << cut.errors;
}

TEST_F(Pipes, AFileThatMayNotGrowSoLargeIsAnErrorThatLeavesNothing) {
    catch_interrupts();
    struct rlimit before {};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    struct rlimit small = before;
    small.rlim_cur = 100'000;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    const Outcome outcome = run_sla({"export", file("c.sla"), "--format", "csv", "-o", file("c.csv")});
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_EQ(outcome.code, kOutsideFailed);
    EXPECT_NE(outcome.errors.find("c.csv"), std::string::npos);
    EXPECT_NE(outcome.errors.find("File too large"), std::string::npos);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(file("")), std::filesystem::directory_iterator()), 1)
        << "the capture only";
}

}  // namespace
}  // namespace sla::cli
