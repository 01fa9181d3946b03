// The Pentium's own tools, on a marked program.
#include "tests/integration/counters/tools_fixture.h"

#include <gmock/gmock.h>

#include <csignal>

namespace sla {
namespace {

using testing::HasSubstr;

using ToolsOnPrograms = Tools;

TEST_F(ToolsOnPrograms, CountAWholeRunAndHoldItAgainstAnother) {
    const std::string before = directory_.file("before.json");
    const auto with = [&](std::vector<std::string> more) {
        std::vector<std::string> words{"counters", "run", "--runs", "3", "--privilege", "user", "--events", "minor-faults"};
        words.insert(words.end(), more.begin(), more.end());
        words.insert(words.end(), {"--", SLA_COUNTED});
        return sla(words);
    };
    const Ran counted = with({"--format", "json", "-o", before});
    if (counted.code != 0) GTEST_SKIP() << "no page faults are counted here: " << counted.errors;
    const Ran against = with({"--against", before, "--limit", "+20%", "--format", "csv"});
    EXPECT_EQ(against.code, 0) << against.out << against.errors;
    EXPECT_EQ(field_of(against.out, "program", "host:minor-faults", kHowField), "pass");
}

TEST_F(ToolsOnPrograms, LogWhatRunsAlready) {
    const Ran there = sla({"counters", "list", "--format", "csv"});
    if (there.out.find("\nhost:task-clock,,exact,") == std::string::npos) GTEST_SKIP() << "no task clock is counted here";
    Process program({SLA_BINARIES "/sla-example-pipeline", "--for", "20s"}, runtime_);
    ASSERT_TRUE(program.is_running());
    Process log({SLA_BINARIES "/sla", "counters", "log", "--every", "20ms", "--pid", std::to_string(program.pid()),
                 "--privilege", "user", "--events", "task-clock,page-faults", "--format", "csv"},
                runtime_);
    const auto rows = [&] { return rows_of(log.output()); };
    EXPECT_TRUE(support::eventually([&] { return rows().size() > 4 || !log.is_running(); }, kToolHang));
    program.signal(SIGTERM);
    EXPECT_EQ(log.wait(kToolHang).code, 0) << log.errors() << ": it ends with the program";
    std::uint64_t clock = 0;
    const Rows all = rows();
    for (std::size_t i = 1; i < all.size(); ++i)
        clock += all[i].size() > 2 && !all[i][2].empty() ? std::stoull(all[i][2]) : 0;
    EXPECT_GT(clock, 0U);
}

// A sample a millisecond, and the loop's own code with them.
TEST_F(ToolsOnPrograms, SampleByTimeAndShowTheCode) {
    const std::string capture = directory_.file("busy.sla");
    const Ran recorded = sla({"record", "--sample", "time:1ms", "--follow", "-o", capture, "--", SLA_BUSY});
    if (recorded.code != 0) GTEST_SKIP() << "no samples by time here: " << recorded.errors;
    const Ran places = sla({"places", capture, "--most", "1", "--format", "csv"});
    ASSERT_THAT(places.out, HasSubstr(":busy,")) << places.out;
    const Ran code = sla({"places", capture, "--annotate", "busy", "--symbols", SLA_BUSY, "--format", "csv"});
    ASSERT_EQ(code.code, 0) << code.errors;
    double share = 0;
    for (const auto& row : rows_of(code.out)) {
        if (row.size() > 4 && row[0] == "linux.sample.time") share += std::stod(row[4]);
    }
    EXPECT_GT(share, 50) << code.out;
    EXPECT_LT(share, 101) << code.out;
    EXPECT_THAT(code.out, HasSubstr("0x19660D")) << "the multiplication of its loop";
}

}  // namespace
}  // namespace sla
