// Deterministic chaos from outside: the same seed is the same run by its hash, and `sla check --seeds` finds the seed at which
// a guest's planted race shows, which then shows it again.
#include "tests/integration/emu/guests.h"
#include "tests/support/agent_under_test.h"

#include <gmock/gmock.h>

#include <regex>

namespace sla {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class ChaosRuns : public testing::TestWithParam<const char*> {
protected:
    struct Ran {
        int code;
        std::string output;
        std::string errors;
    };
    [[nodiscard]] Ran run(const std::vector<std::string>& words) const {
        // A folder for the recordings on their way, so that the test sees what stays behind.
        auto environment = runs_.environment();
        environment["TMPDIR"] = temporary_.file("");
        Process process(words, environment);
        const int code = process.wait(kHang).code;
        return {code, process.output(), process.errors()};
    }
    [[nodiscard]] std::vector<std::string> racer(const std::string& cpu, std::vector<std::string> more) const {
        std::vector<std::string> words{
            SLA_BINARIES "/sla-emu", "run", SLA_GUEST_DIR "/lost_wakeup.bin", "--clock", "virtual", "--cpu", cpu};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    [[nodiscard]] Ran sweep(std::vector<std::string> words, const std::vector<std::string>& program) const {
        words.insert(words.begin(), {SLA_BINARIES "/sla", "check", "--limit", "count port.post == 2"});
        words.emplace_back("--");
        words.insert(words.end(), program.begin(), program.end());
        return run(words);
    }

    support::AgentUnderTest runs_{SLA_BINARIES};
    support::TempDir temporary_;
};

TEST_P(ChaosRuns, OneSeedHasOneHashAndAnotherHasAnother) {
    const auto hash = [&](const std::string& seed) {
        const Ran ran = run({SLA_BINARIES "/sla-emu", "run", "--demo", "--ticks", "40", "--clock", "virtual", "--cpu",
                             GetParam(), "--hash", "--debug-output", temporary_.file("text"), "--jitter", seed});
        EXPECT_EQ(ran.code, 0) << ran.errors;
        EXPECT_THAT(ran.output, StartsWith("hash "));
        return ran.output;
    };
    const std::string seven = hash("7");
    EXPECT_EQ(hash("7"), seven);
    EXPECT_NE(hash("8"), seven);
    EXPECT_NE(hash("0"), seven);
}

TEST_P(ChaosRuns, TheSweepFindsTheSeedThatLosesTheWakeUpAndItsCommandShowsItAgain) {
    EXPECT_EQ(sweep({"--seeds", "0"}, racer(GetParam(), {})).code, 0) << "without jitter it never shows";
    const std::string kept = runs_.file("kept.sla");
    const Ran found = sweep({"--seeds", "1..200", "--keep", kept}, racer(GetParam(), {}));
    ASSERT_EQ(found.code, 1) << found.output << found.errors;
    std::smatch said;
    ASSERT_TRUE(
        std::regex_search(found.output, said,
                          std::regex("^seed (\\d+) does not pass; (\\d+) seeds? below it passed\nfail +count port.post == "
                                     "2: [^\n]*\nagain: ([^\n]*)\n$")))
        << found.output;
    const std::string seed = said[1];
    EXPECT_EQ(std::stoi(said[2]), std::stoi(seed) - 1);
    EXPECT_THAT(said[3].str(), HasSubstr(" --jitter " + seed));

    const Ran again = run({"/bin/sh", "-c", said[3]});
    EXPECT_EQ(again.code, 0);
    EXPECT_THAT(again.errors, HasSubstr("nothing can wake it"));
    EXPECT_EQ(run({SLA_BINARIES "/sla", "check", kept, "--limit", "count port.post == 1"}).code, 0);
    const Ran one_by_one = sweep({"--seeds", "1..200", "--jobs", "1"}, racer(GetParam(), {"--jitter", "{seed}"}));
    EXPECT_EQ(one_by_one.output, found.output) << "however many run at a time, and wherever the seed stands";
    EXPECT_TRUE(std::filesystem::is_empty(temporary_.file(""))) << "nothing stays behind";
}

INSTANTIATE_TEST_SUITE_P(OnTheVirtualClock, ChaosRuns, testing::Values("x86emu", "unicorn"),
                         [](const auto& each) { return std::string(each.param); });

using Sweeps = ChaosRuns;

TEST_P(Sweeps, ATableHasEverySeedUpToTheOneAndARunThatFailsDoesNotPass) {
    const Ran table = sweep({"--seeds", "0..0", "--format", "csv"}, racer(GetParam(), {}));
    EXPECT_EQ(table.output, "seed,limit,channel,verdict,measured,why\n0,count port.post == 2,port.post,pass,2,\n")
        << table.errors;
    const Ran broken = sweep({"--seeds", "3..4"}, {SLA_BINARIES "/sla-emu", "run", temporary_.file("no.bin")});
    EXPECT_EQ(broken.code, 1);
    EXPECT_THAT(broken.output,
                HasSubstr("fail         the program ends with code 0: code 3; it says: sla-emu: cannot open"));
    const Ran killed = sweep({"--seeds", "3..3"}, {"/bin/sh", "-c", "kill -KILL $PPID; exit {seed}"});
    EXPECT_EQ(killed.code, 1);
    EXPECT_THAT(killed.output, HasSubstr("the program ends with code 0: its sla record was ended by signal 9 (Killed)"));
}

INSTANTIATE_TEST_SUITE_P(OfX86emu, Sweeps, testing::Values("x86emu"));

}  // namespace
}  // namespace sla
