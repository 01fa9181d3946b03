// sla counters: what it lists, counts and refuses. The emulated PC's part is in tests/integration/emu.
#include "viewer/cli/counters/counters.h"
#include "tests/support/fake_guest.h"
#include "tests/unit/viewer/cli/run_sla.h"
#include "viewer/cli/interrupt.h"
#include "viewer/counters/host_counters.h"
#include "viewer/counters/intervals.h"
#include "viewer/formats/table/interval_log.h"
#include "viewer/process/child.h"

#include <gmock/gmock.h>

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

namespace sla::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kHeader = "section,event,how,n,min,mean,median,max,culled,spread,subtracted,note\n";

// Some kernels count nothing for anybody.
bool counts_page_faults() {
    const auto event = counters::parse_events("page-faults", counters::World::kHost).value();
    return counters::absence_of(event.front(), counters::Privilege::kUser).empty();
}

class CountersCommand : public WithDirectory {
protected:
    std::string written(const std::string& name, const std::string& text) {
        std::ofstream(file(name)) << text;
        return file(name);
    }
};

TEST_F(CountersCommand, ListsBothWorldsAndHowWellEachEventIsKnown) {
    const Outcome list = run_sla({"counters", "list", "--format", "csv"});
    EXPECT_EQ(list.code, kDone) << list.errors;
    EXPECT_THAT(list.out, StartsWith("event,number,how,meaning\n"));
    EXPECT_THAT(list.out, HasSubstr("pentium:instructions,16h,exact,instructions executed\n"));
    EXPECT_THAT(list.out, HasSubstr("pentium:code-miss,0Eh,modelled,"));
    EXPECT_THAT(list.out, HasSubstr("pentium:external-snoops,07h,not offered,"));
    EXPECT_THAT(list.out, HasSubstr("host:page-faults,,"));
    EXPECT_THAT(list.out, HasSubstr("host:instructions,,"));
}

TEST_F(CountersCommand, CountsAProgramOverSomeRuns) {
    if (!counts_page_faults()) GTEST_SKIP() << "no page faults are counted here";
    const Outcome run = run_sla({"counters", "run", "--runs", "3", "--privilege", "user", "--events", "host:page-faults",
                                 "--format", "csv", "--", "true"});
    EXPECT_EQ(run.code, kDone) << run.errors;
    EXPECT_THAT(run.out, StartsWith(kHeader));
    EXPECT_THAT(run.out, HasSubstr("program,host:page-faults,exact,3,"));
}

TEST(RunEndings, SaysWhichRunsFailedAndHow) {
    RunEndings once;
    once.add({0, 0}, "fine");
    EXPECT_EQ(once.text("./p"), "");
    EXPECT_EQ(once.code(), 0);
    RunEndings single;
    single.add({3, 0}, "");
    EXPECT_EQ(single.text("./p"), "./p exited with code 3");
    RunEndings some;
    for (int run = 1; run <= 20; ++run) {
        const bool killed = run == 4 || run == 9;
        const bool failed = (run >= 6 && run <= 8) || run == 11 || run == 13 || run == 15 || run == 17 || run == 20;
        some.add(killed ? process::Ending{137, 9} : process::Ending{failed ? 3 : 0, 0}, killed ? "" : "words");
    }
    EXPECT_EQ(some.code(), 137) << "of the first that failed";
    EXPECT_EQ(
        some.text("./p"),
        "./p was ended by signal 9 (Killed) in runs 4 and 9, exited with code 3 in runs 6 to 8, 11, 13, 15 and 2 more, "
        "of 20 runs");
}

TEST_F(CountersCommand, EndsWithTheExitCodeOfTheFirstRunThatFailed) {
    if (!counts_page_faults()) GTEST_SKIP() << "no page faults are counted here";
    const std::string third = "echo x >> " + file("runs") + "; [ $(wc -l < " + file("runs") + ") != 3 ] || exit 5";
    const Outcome run = run_sla({"counters", "run", "--runs", "4", "--privilege", "user", "--events", "page-faults",
                                 "--format", "csv", "--", "sh", "-c", third});
    EXPECT_EQ(run.code, 5);
    EXPECT_THAT(run.out, HasSubstr("program,host:page-faults,exact,4,"));
    EXPECT_THAT(run.errors, HasSubstr("sh exited with code 5 in run 3, of 5 runs\n"));
    const std::string none =
        written("none.json", R"([{"section":"program","event":"host:page-faults","min":0,"median":0,"max":0}])");
    EXPECT_EQ(run_sla({"counters", "run", "--runs", "1", "--privilege", "user", "--events", "page-faults", "--against", none,
                       "--", "sh", "-c", "kill -9 $$"})
                  .code,
              137)
        << "more than that a limit is broken";
}

TEST_F(CountersCommand, ALogEndsWithTheProgramsExitCode) {
    if (!counts_page_faults()) GTEST_SKIP() << "no page faults are counted here";
    const auto log = [](const std::string& script) {
        return run_sla({"counters", "log", "--privilege", "user", "--events", "page-faults", "--format", "csv", "--", "sh",
                        "-c", script});
    };
    EXPECT_EQ(log("exit 0").code, 0);
    const Outcome failed = log("echo complaint; exit 7");
    EXPECT_EQ(failed.code, 7);
    EXPECT_THAT(failed.errors, HasSubstr("sh exited with code 7; it says: complaint"));
    EXPECT_THAT(failed.out, StartsWith("time_ns,interval_ns,host:page-faults,estimated\n"))
        << "the log is whole all the same";
    EXPECT_EQ(log("kill -9 $$").code, 137);
}

TEST_F(CountersCommand, KeepsWhatTheProgramPrintsFromTheTableAndReportsHowItFailed) {
    if (!counts_page_faults()) GTEST_SKIP() << "no page faults are counted here";
    const Outcome run = run_sla({"counters", "run", "--runs", "2", "--privilege", "user", "--events", "page-faults",
                                 "--format", "csv", "--", "sh", "-c", "echo printed; echo complaint >&2; exit 7"});
    EXPECT_EQ(run.code, 7) << run.errors;
    EXPECT_THAT(run.out, StartsWith(kHeader));
    EXPECT_THAT(run.out, testing::Not(HasSubstr("printed")));
    EXPECT_THAT(run.errors, HasSubstr("sh exited with code 7 in all 3 runs; the first of them says: complaint"));
}

TEST_F(CountersCommand, ALimitIsOfNothingWithoutAnEarlierTable) {
    const Outcome alone = run_sla({"counters", "run", "--limit", "+5%", "--", "true"});
    EXPECT_EQ(alone.code, 2);
    EXPECT_THAT(alone.errors, HasSubstr("--limit requires --against"));
}

TEST_F(CountersCommand, HoldsCountsAgainstAnEarlierTable) {
    if (!counts_page_faults()) GTEST_SKIP() << "no page faults are counted here";
    const auto with = [&](const std::string& before, const std::string& limit) {
        return run_sla({"counters", "run", "--runs", "2", "--privilege", "user", "--events", "page-faults", "--format",
                        "csv", "--against", before, "--limit", limit, "--", "true"});
    };
    const std::string none =
        written("none.json", R"([{"section":"program","event":"host:page-faults","min":0,"median":0,"max":0}])");
    const Outcome fails = with(none, "+1");
    EXPECT_EQ(fails.code, kNo) << fails.errors;
    EXPECT_THAT(fails.out, StartsWith("section,event,verdict,before,after,change,limit\n"));
    EXPECT_THAT(fails.out, HasSubstr("program,host:page-faults,fail,0,"));
    EXPECT_EQ(with(none, "+1000000").code, kDone);
    const Outcome near = with(
        written("wide.json", R"([{"section":"program","event":"host:page-faults","min":0,"median":0,"max":1e9}])"), "+0");
    EXPECT_EQ(near.code, kNo);
    EXPECT_THAT(near.out, HasSubstr("cannot tell"));
    EXPECT_EQ(with(written("other.json", "[]"), "+0").code, kNo) << "it has none of these events";
}

// Counted twice, 5 each time.
counters::Row five(const std::string& event) {
    counters::Row row{"program", event, "exact", {}, {}, ""};
    row.numbers.n = 2;
    row.numbers.min = row.numbers.median = row.numbers.max = 5;
    return row;
}

TEST_F(CountersCommand, WhatIsCountedNoMoreCannotBeTold) {
    CountersOptions options;
    options.against = written("both.json", R"([{"section":"program","event":"host:a","min":5,"median":5,"max":5},)"
                                           R"({"section":"program","event":"host:b","min":5,"median":5,"max":5}])");
    options.output.format = "csv";
    options.output.path = file("verdicts.csv");
    const counters::Row there = five("host:a");
    const counters::Row gone{"program", "host:b", "not present", {}, {}, "no counter"};
    EXPECT_EQ(hold_against_table({there}, options), kNo) << "not even why is said";
    EXPECT_THAT(content(file("verdicts.csv")), HasSubstr("program,host:b,cannot tell,5,,,+5%\n"));
    EXPECT_EQ(hold_against_table({there, gone}, options), kNo);
    EXPECT_THAT(content(file("verdicts.csv")),
                HasSubstr("program,host:a,pass,5,5,0,+5%\nprogram,host:b,cannot tell,5,,,+5%\n"));
    EXPECT_EQ(hold_against_table({gone}, options), kNo);
}

// What --events leaves out is no question; a ratio is one where both that it is made of are counted.
TEST_F(CountersCommand, WhatWasNotToBeCountedNowIsNotHeldAgainstAnything) {
    CountersOptions options;
    options.against = written("more.json", R"([{"section":"program","event":"host:cycles","min":5,"median":5,"max":5},)"
                                           R"({"section":"program","event":"host:instructions","min":5,"median":5,"max":5},)"
                                           R"({"section":"program","event":"host:cpi","min":1,"median":1,"max":1}])");
    options.output.format = "csv";
    options.output.path = file("verdicts.csv");
    const counters::Row cycles = five("host:cycles");
    const counters::Row instructions = five("host:instructions");
    options.events = "host:cycles";
    EXPECT_EQ(hold_against_table({cycles}, options), kDone);
    options.events = "host:cycles,host:instructions";
    EXPECT_EQ(hold_against_table({cycles, instructions}, options), kNo);
    EXPECT_THAT(content(file("verdicts.csv")), HasSubstr("program,host:cpi,cannot tell,1,,,+5%\n"));
}

TEST_F(CountersCommand, NamesTheCountsOfALogThatAreEstimates) {
    auto log = formats::IntervalLog::open({"host:cycles", "host:branches", "host:page-faults"}, formats::Format::kCsv,
                                          file("log.csv"));
    ASSERT_TRUE(log.ok());
    const counters::EventCounts counts{1, 2, std::nullopt};
    ASSERT_TRUE(log->add(2000, 2000, counts, std::vector<std::size_t>{0, 1}).ok());
    ASSERT_TRUE(log->add(4000, 2000, counts, {}).ok());
    ASSERT_TRUE(log->finish().ok());
    EXPECT_EQ(content(file("log.csv")),
              "time_ns,interval_ns,host:cycles,host:branches,host:page-faults,estimated\n"
              "2.000,2.000,1,2,,host:cycles host:branches\n4.000,2.000,1,2,,\n");
}

TEST_F(CountersCommand, ReadsItsOwnTableAgain) {
    if (!counts_page_faults()) GTEST_SKIP() << "no page faults are counted here";
    const std::string before = file("before.json");
    ASSERT_EQ(run_sla({"counters", "run", "--runs", "2", "--privilege", "user", "--events", "page-faults", "-o", before,
                       "--", "true"})
                  .code,
              kDone);
    EXPECT_EQ(run_sla({"counters", "run", "--runs", "2", "--privilege", "user", "--events", "page-faults", "--against",
                       before, "--limit", "+100%", "--", "true"})
                  .code,
              kDone);
}

std::vector<std::vector<std::string>> rows_in(const std::string& csv) {
    std::vector<std::vector<std::string>> out;
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line);) {
        out.emplace_back();
        std::istringstream fields(line);
        for (std::string field; std::getline(fields, field, ',');) out.back().push_back(field);
    }
    return out;
}

TEST_F(CountersCommand, LogsIntervalsThatAddUpToTheWholeProgram) {
    if (!counts_page_faults()) GTEST_SKIP() << "no page faults are counted here";
    const std::string script = "for i in 1 2 3; do sleep 0.05; done";
    const Outcome log = run_sla({"counters", "log", "--every", "20ms", "--privilege", "user", "--events",
                                 "page-faults,minor-faults", "--format", "csv", "--", "sh", "-c", script});
    ASSERT_EQ(log.code, kDone) << log.errors;
    const auto rows = rows_in(log.out);
    ASSERT_GE(rows.size(), 2U) << log.out;
    EXPECT_EQ(rows[0],
              (std::vector<std::string>{"time_ns", "interval_ns", "host:page-faults", "host:minor-faults", "estimated"}));
    std::uint64_t faults = 0;
    double intervals = 0;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        ASSERT_EQ(rows[i].size(), 4U) << "nothing is estimated";
        faults += std::stoull(rows[i][2]);
        intervals += std::stod(rows[i][1]);
    }
    EXPECT_GE(faults, 4 * 50U) << "a shell and three programs; each has some dozens at its start alone";
    EXPECT_NEAR(intervals, std::stod(rows.back()[0]), 10.0 * static_cast<double>(rows.size()))
        << "no time between intervals";
    EXPECT_GE(intervals, 150e6) << "up to the program's end";
}

TEST_F(CountersCommand, LogsAProcessThatRunsUntilItsEnd) {
    if (!counts_page_faults()) GTEST_SKIP() << "no page faults are counted here";
    process::ChildOptions how;
    how.argv = {"sh", "-c", "sleep 0.3; exit 0"};
    auto child = process::Child::start(how);
    ASSERT_TRUE(child.ok());
    const Outcome log = run_sla({"counters", "log", "--every", "10s", "--pid", std::to_string(child->pid()), "--privilege",
                                 "user", "--events", "page-faults", "--format", "json"});
    EXPECT_EQ(log.code, kDone) << log.errors;
    EXPECT_THAT(log.out, HasSubstr("\"host:page-faults\":")) << "one interval, which its end cut short";
    EXPECT_THAT(log.out, StartsWith("["));
    EXPECT_EQ(log.out.substr(log.out.size() - 2), "]\n");
}

TEST_F(CountersCommand, RefusesLogsOfNothingOrOfTooMuch) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes = {
        {{}, "of what?"},
        {{"--pid", "1", "--", "true"}, "of what?"},
        {{"--every", "0s", "--", "true"}, "at least 1ms"},
        {{"--every", "soon", "--", "true"}, "--every"},
        {{"--events", "nonsense", "--", "true"}, "no event 'nonsense'"},
        {{"--events", "pentium:16", "--", "true"}, "emulated PC"},
        {{"--events", "pentium:07", "--pid", "1"}, "not offered"},
        {{"--events", "page-faults", "--privilege", "user", "--pid", "1073741823"}, "no process"},
        {{"--events", "pentium:16", "--pid", std::to_string(getpid())}, "no emulated PC"},
        {{"--events", "page-faults", "--privilege", "user", "--", file("nothing")}, "cannot start"},
    };
    for (const auto& [words, says] : mistakes) {
        std::vector<std::string> all{"counters", "log"};
        all.insert(all.end(), words.begin(), words.end());
        const Outcome outcome = run_sla(all);
        EXPECT_NE(outcome.code, kDone) << says;
        EXPECT_THAT(outcome.errors, HasSubstr(says));
        EXPECT_EQ(outcome.out, "") << says;
    }
}

TEST_F(CountersCommand, RefusesWhatItCannotDoBeforeAnythingRuns) {
    const std::string marker = file("ran");
    const std::string touch = "touch " + marker;
    const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes = {
        {{"run", "--events", "nonsense"}, "there is no event 'nonsense'"},
        {{"run", "--events", "pentium:16"}, "emulated PC"},
        {{"run", "--limit", "5%", "--against", written("a.json", "[]")}, "is no change"},
        {{"run", "--limit", "+5x", "--against", written("a.json", "[]")}, "is no change"},
        {{"run", "--limit", "+nan", "--against", written("a.json", "[]")}, "is no change"},
        {{"run", "--against", file("not-there.json")}, "cannot open"},
        {{"run", "--against", written("b.json", "{\"a\":")}, "is no table"},
        {{"run", "--against", written("c.json", "[[3]]")}, "is no table"},
        {{"run", "--runs", "0"}, "--runs"},
        {{"run", "--format", "pdf"}, "pdf"},
        {{"sweep"}, "which section?"},
        {{"sweep", "--range", "0:0..0:1"}, "emulated PC"},
    };
    for (const auto& [words, says] : mistakes) {
        std::vector<std::string> all{"counters"};
        all.insert(all.end(), words.begin(), words.end());
        all.insert(all.end(), {"--", "sh", "-c", touch});
        const Outcome outcome = run_sla(all);
        EXPECT_GE(outcome.code, kWrongUse) << says;
        EXPECT_THAT(outcome.errors, HasSubstr(says));
        EXPECT_EQ(outcome.out, "") << says;
    }
    EXPECT_FALSE(std::ifstream(marker).good()) << "something ran";
    EXPECT_EQ(run_sla({"counters", "run"}).code, kWrongUse);
    EXPECT_EQ(run_sla({"counters"}).code, kWrongUse);
    const Outcome gone = run_sla({"counters", "run", "--", file("no-such-program")});
    EXPECT_EQ(gone.code, kOutsideFailed);
    EXPECT_THAT(gone.errors, HasSubstr("no such program"));
}

// The first Ctrl-C asks for the last look; those that come while the PC answers do not take it away.
TEST_F(CountersCommand, ALogHasItsLastLookAtAnEmulatedPcHoweverOftenItIsInterrupted) {
    setenv("SLA_RUNTIME_DIR", file("").c_str(), 1);
    catch_interrupts();
    const pthread_t asks = pthread_self();
    std::atomic<int> looks = 0;
    support::FakeGuest pc(getpid(), [&](const std::string&) -> std::string {
        const int look = ++looks;
        for (int i = 0; look > 1 && i < 200; ++i) {
            pthread_kill(asks, SIGINT);
            std::this_thread::yield();
        }
        return "16 exact " + std::to_string(100 * look) + "\n";
    });
    const Outcome log = run_sla({"counters", "log", "--every", "1ms", "--events", "pentium:16", "--format", "csv", "--pid",
                                 std::to_string(getpid())});
    forget_interrupts();
    unsetenv("SLA_RUNTIME_DIR");
    EXPECT_EQ(log.code, kDone) << log.errors;
    std::uint64_t counted = 0;
    const auto rows = rows_in(log.out);
    ASSERT_GE(rows.size(), 2U) << log.out;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        if (rows[i].size() > 2 && !rows[i][2].empty()) counted += std::stoull(rows[i][2]);
    }
    ASSERT_GT(rows.back().size(), 2U) << "the last look is known: " << log.out;
    EXPECT_EQ(counted, 100U * static_cast<unsigned>(looks - 1)) << log.out;
}

}  // namespace
}  // namespace sla::cli
