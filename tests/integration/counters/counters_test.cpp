// `sla counters sweep` of a marked program: what its sections count by SLA_COUNT_BEGIN and SLA_COUNT_END.
#include "tests/support/agent_under_test.h"
#include "tests/support/process.h"

#include <gmock/gmock.h>

#include <map>
#include <sstream>
#include <vector>

namespace sla {
namespace {

using support::Process;
using testing::HasSubstr;

constexpr std::chrono::seconds kHang{180};

struct Swept {
    int code = 0;
    std::string out;
    std::string errors;

    // The fields of a row behind its first two; empty: there is none.
    [[nodiscard]] std::vector<std::string> row(const std::string& section, const std::string& event) const {
        std::istringstream lines(out);
        for (std::string line; std::getline(lines, line);) {
            const std::string head = section + "," + event + ",";
            if (!line.starts_with(head)) continue;
            std::istringstream fields(line.substr(head.size()));
            std::vector<std::string> found;
            for (std::string field; std::getline(fields, field, ',');) found.push_back(field);
            return found;
        }
        return {};
    }
};

Swept sweep(const std::vector<std::string>& options, const std::string& program,
            const std::vector<std::string>& words_of_it = {}) {
    std::vector<std::string> words{SLA_BINARIES "/sla", "counters", "sweep", "--format", "csv", "--privilege", "user"};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", program});
    words.insert(words.end(), words_of_it.begin(), words_of_it.end());
    Process process(words);
    const int code = process.wait(kHang).code;
    return {code, process.output(), process.errors()};
}

// how, n, min, mean, median, max, culled, spread, subtracted
enum Field { kHow, kN, kMin, kMean, kMedian };

TEST(MarkedProgram, SectionsCountTheirPageFaultsAsHandsDo) {
    const Swept swept =
        sweep({"--section", "app.*", "--runs", "2", "--events", "minor-faults,context-switches,task-clock"}, SLA_COUNTED);
    ASSERT_EQ(swept.code, 0) << swept.errors;
    const auto work = swept.row("app.work", "host:minor-faults");
    ASSERT_GT(work.size(), kMedian) << swept.out;
    EXPECT_EQ(work[kHow], "exact");
    EXPECT_EQ(work[kN], "10") << "five turns in each of two runs";
    EXPECT_EQ(work[kMin], "64");
    EXPECT_EQ(work[kMedian], "64");
    const auto empty = swept.row("app.empty", "host:minor-faults");
    ASSERT_GT(empty.size(), kMedian);
    EXPECT_EQ(empty[kMedian], "0");
    const auto clock = swept.row("app.work", "host:task-clock");
    ASSERT_GT(clock.size(), kMedian) << "the odd one of three has a run of its own";
    EXPECT_EQ(clock[kN], "10");
    EXPECT_GT(std::stod(clock[kMedian]), 0);
}

TEST(MarkedProgram, AThreadsFirstSectionCountsNothingOfItsFirstMarker) {
    const Swept swept =
        sweep({"--section", "app.*", "--runs", "3", "--events", "minor-faults,task-clock"}, SLA_COUNTED, {"1"});
    ASSERT_EQ(swept.code, 0) << swept.errors;
    const auto empty = swept.row("app.empty", "host:minor-faults");
    const auto work = swept.row("app.work", "host:minor-faults");
    ASSERT_GT(empty.size(), kMedian) << swept.out;
    ASSERT_GT(work.size(), kMedian) << swept.out;
    EXPECT_EQ(empty[kN], "3") << "one in each run";
    EXPECT_LE(std::stod(empty[kMedian]), 1);
    EXPECT_GE(std::stod(work[kMedian]), 63);
    EXPECT_LE(std::stod(work[kMedian]), 65);
}

TEST(MarkedProgram, SectionsAreCountedByTheProgramAndNotByTheKernel) {
    Process asked(
        {SLA_BINARIES "/sla", "counters", "sweep", "--privilege", "kernel", "--section", "app.work", "--", SLA_COUNTED});
    EXPECT_EQ(asked.wait(kHang).code, 2);
    EXPECT_THAT(asked.errors(), HasSubstr("counted by the program itself"));
}

TEST(MarkedProgram, WhatMarkersDoNotReadIsSaid) {
    const Swept swept = sweep({"--section", "app.work", "--runs", "1", "--events", "migrations,minor-faults"}, SLA_COUNTED);
    ASSERT_EQ(swept.code, 0) << swept.errors;
    const auto row = swept.row("app.work", "host:migrations");
    ASSERT_FALSE(row.empty()) << swept.out;
    EXPECT_NE(row[kHow], "exact");
}

TEST(MarkedProgram, AProgramWithoutSuchSectionsGetsAnError) {
    const Swept swept = sweep({"--section", "app.work", "--runs", "1", "--events", "minor-faults"}, "true");
    EXPECT_EQ(swept.code, 1);
    EXPECT_THAT(swept.errors, HasSubstr("nothing was counted of section 'app.work'"));
}

TEST(MarkedProgram, AnErrorSaysWhatIsWrongWithItsSections) {
    const Swept plain = sweep({"--section", "app.plain", "--runs", "2", "--events", "minor-faults"}, SLA_COUNTED);
    EXPECT_EQ(plain.code, 1);
    EXPECT_THAT(plain.errors, HasSubstr("'app.plain': of its spans 10 without counters at both ends"));
    const Swept pattern = sweep({"--section", "*", "--runs", "1", "--events", "minor-faults"}, "true");
    EXPECT_EQ(pattern.code, 1);
    EXPECT_THAT(pattern.errors, HasSubstr("nothing was counted of section '*'"));
}

// The sum of a column of a log, the third.
std::uint64_t logged(const std::string& csv) {
    std::istringstream lines(csv);
    std::uint64_t sum = 0;
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        const std::size_t second = line.find(',') + 1;
        sum += std::stoull(line.substr(line.find(',', second) + 1));
    }
    return sum;
}

class Log : public testing::Test {
protected:
    void SetUp() override {
        Process list({SLA_BINARIES "/sla", "counters", "list", "--format", "csv"});
        ASSERT_EQ(list.wait(kHang).code, 0);
        if (list.output().find("\nhost:minor-faults,,exact,") == std::string::npos)
            GTEST_SKIP() << "no page faults are counted here";
    }
    const std::vector<std::string> words_{SLA_BINARIES "/sla", "counters",    "log",  "--every",  "5ms",
                                          "--lanes",           "--privilege", "user", "--events", "minor-faults",
                                          "--format",          "csv",         "--",   SLA_COUNTED};
};

TEST_F(Log, PutsEachIntervalOnALaneOfTheAgentToo) {
    support::AgentUnderTest agent(SLA_BINARIES);
    ASSERT_TRUE(agent.start());
    Process log(words_, agent.environment());
    ASSERT_EQ(log.wait(kHang).code, 0) << log.errors();
    ASSERT_EQ(agent.stop(), 0);
    const auto session = agent.load();
    std::uint64_t on_lane = 0;
    for (const store::Lane* lane : session->lanes()) {
        if (lane->channel().name != "pmc.host.minor-faults") continue;
        for (std::uint64_t row = 0; row < lane->size(); ++row) on_lane += (*lane)[row].value;
    }
    EXPECT_GE(logged(log.output()), 5U * 64) << log.output();
    EXPECT_EQ(on_lane, logged(log.output()));
}

TEST_F(Log, ThatWasHeldUpMakesUpForNoInterval) {
    Process log({SLA_BINARIES "/sla", "counters", "log", "--every", "20ms", "--events", "minor-faults", "--privilege",
                 "user", "--format", "csv", "--", "/bin/sh", "-c",
                 "kill -STOP $PPID; sleep 0.6; kill -CONT $PPID; sleep 0.2"});
    ASSERT_EQ(log.wait(kHang).code, 0) << log.errors();
    std::istringstream lines(log.output());
    std::vector<double> milliseconds;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t second = line.find(',') + 1;
        if (line[0] != 't') milliseconds.push_back(std::stod(line.substr(second)) / 1e6);
    }
    ASSERT_FALSE(milliseconds.empty());
    milliseconds.pop_back();  // as long as the program still ran
    EXPECT_THAT(milliseconds, testing::Contains(testing::Gt(300.0)));
    EXPECT_THAT(milliseconds, testing::Each(testing::Gt(10.0))) << log.output();
}

TEST_F(Log, GoesOnWithoutLanesWhereNoAgentIs) {
    support::TempDir nobody;
    Process log(words_, {{"SLA_RUNTIME_DIR", nobody.path()}});
    EXPECT_EQ(log.wait(kHang).code, 0);
    EXPECT_THAT(log.errors(), HasSubstr("the log goes on without lanes"));
    EXPECT_GE(logged(log.output()), 5U * 64) << log.output();
}

}  // namespace
}  // namespace sla
