// `sla counters sweep` of a marked program: what its sections count by SLA_COUNT_BEGIN and SLA_COUNT_END.
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

Swept sweep(const std::vector<std::string>& options, const std::string& program) {
    std::vector<std::string> words{SLA_BINARIES "/sla", "counters", "sweep", "--format", "csv", "--privilege", "user"};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", program});
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

TEST(MarkedProgram, WhatMarkersDoNotReadIsSaid) {
    const Swept swept = sweep({"--section", "app.work", "--runs", "1", "--events", "migrations,minor-faults"}, SLA_COUNTED);
    ASSERT_EQ(swept.code, 0) << swept.errors;
    const auto row = swept.row("app.work", "host:migrations");
    ASSERT_FALSE(row.empty()) << swept.out;
    EXPECT_NE(row[kHow], "exact");
}

TEST(MarkedProgram, AProgramWithoutSuchSectionsIsToldSo) {
    const Swept swept = sweep({"--section", "app.work", "--runs", "1", "--events", "minor-faults"}, "true");
    EXPECT_EQ(swept.code, 1);
    EXPECT_THAT(swept.errors, HasSubstr("nothing was counted of section 'app.work'"));
}

}  // namespace
}  // namespace sla
