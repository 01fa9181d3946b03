// `sla archive` killed at any moment and run again: every row is there once.
#include "tests/integration/lake/lake_fixture.h"
#include "tests/support/lake_rows.h"

#include <gmock/gmock.h>

#include <csignal>
#include <random>
#include <thread>

namespace sla {
namespace {

using testing::HasSubstr;

class Archived : public Lake {
protected:
    // Rows that are all different, on channels that take turns, over an hour.
    void write_capture(std::int64_t rows) {
        support::CaptureBuilder capture(1'000'000, 1e9, 70);
        const auto a = capture.channel("a");
        const auto b = capture.channel("b");
        for (std::int64_t i = 0; i < rows; ++i)
            capture.value(i % 3 == 0 ? a : b, 1'000'000 + static_cast<std::uint64_t>(i) * 100'000, i);
        capture.gap(a, 1'000'000 + static_cast<std::uint64_t>(rows) * 100'000, 412);
        capture.write(file("c.sla"));
    }
    [[nodiscard]] std::vector<std::string> rows() const {
        return support::bare_rows(sla({"table", file("c.sla"), "--format", "csv"}));
    }
    [[nodiscard]] std::vector<std::string> rows_of_lake() const {
        return support::rows_of_lake(SLA_BINARIES "/sla", file("lake"), file("back.sla"));
    }
};

TEST_F(Archived, KilledAtRandomMomentsEveryRowIsThereOnce) {
    write_capture(16'000);
    const std::vector<std::string> words = {SLA_BINARIES "/sla", "archive",     file("c.sla"),
                                            file("lake"),        "--part-rows", "500"};
    const auto begin = std::chrono::steady_clock::now();
    sla({"archive", file("c.sla"), file("other"), "--part-rows", "500"});
    const auto whole = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin);
    auto span = whole / 4;  // within which it is killed
    std::mt19937 random(11);
    int killed = 0;
    for (bool is_done = false; !is_done;) {
        support::Process process(words);
        if (killed < 30) {
            std::this_thread::sleep_for(span * (random() % 1000) / 1000);
            process.signal(SIGKILL);
        }
        const support::Exit exit = process.wait();
        is_done = exit.code == 0;
        killed += exit.signal == SIGKILL ? 1 : 0;
        ASSERT_TRUE(is_done || exit.signal == SIGKILL) << process.errors();
        if (!is_done || killed > 3) continue;
        // The run whose time was taken was held up: once more, with less time for each.
        std::filesystem::remove_all(file("lake"));
        span /= 2;
        killed = 0;
        is_done = false;
    }
    EXPECT_TRUE(rows_of_lake() == rows()) << rows_of_lake().size() << " of " << rows().size();
    if (!missing_readers().empty()) return;
    const auto reported = reported_by_sla(file("c.sla"));
    EXPECT_THAT(asked("duckdb", file("lake") + "/**/*.parquet"), testing::IsSupersetOf(reported));
}

TEST_F(Archived, WhatCannotBeArchivedIsRefusedWithWhatCan) {
    std::string output;
    std::string errors;
    EXPECT_EQ(run({SLA_BINARIES "/sla", "archive", "unix:/nowhere", file("lake")}, output, errors).code, 2);
    EXPECT_THAT(errors, HasSubstr("cannot be archived"));
    EXPECT_EQ(run({SLA_BINARIES "/sla", "archive", file("none.sla"), file("lake")}, output, errors).code, 3);
    std::ofstream(file("plain")) << "a file";
    EXPECT_EQ(run({SLA_BINARIES "/sla", "archive", file("none.sla"), file("plain")}, output, errors).code, 3);
}

TEST_F(Archived, ADamagedManifestStopsBeforeAnythingIsWritten) {
    write_capture(100);
    sla({"archive", file("c.sla"), file("lake")});
    for (const auto& entry : std::filesystem::directory_iterator(file("lake") + "/manifest"))
        std::ofstream(entry.path(), std::ios::trunc) << "{";
    std::string output;
    std::string errors;
    EXPECT_EQ(run({SLA_BINARIES "/sla", "archive", file("c.sla"), file("lake")}, output, errors).code, 3);
    EXPECT_THAT(errors, HasSubstr("no manifest"));
    EXPECT_TRUE(rows_of_lake() == rows());
}

TEST_F(Archived, IsAskedInSqlAsTheCaptureIs) {
    write_capture(4000);
    sla({"archive", file("c.sla"), file("lake"), "--part-rows", "500"});
    for (const std::string question :
         {"SELECT channel, kind, count(*), sum(value), min(time_ps), max(utc_ns) FROM events GROUP BY channel, kind",
          "SELECT tick, channel, value, thread, source FROM events WHERE time_ns BETWEEN ns('100ms') AND ns('103ms')",
          "SELECT max(delta_ns), max(value) FROM events WHERE tick > 200000000",
          "SELECT count(*), max(width_ns) FROM pairs('*', '*')", "SELECT channel, lost, tick FROM gaps",
          "SELECT channel, events, lost FROM channels ORDER BY channel"}) {
        EXPECT_EQ(sla({"sql", file("lake"), question}), sla({"sql", file("c.sla"), question})) << question;
    }
    EXPECT_TRUE(support::bare_rows(sla({"table", file("lake"), "--format", "csv"})) == rows());
}

TEST_F(Archived, WhatIsMissingOrContradictsTheManifestIsNoAnswer) {
    write_capture(3000);
    sla({"archive", file("c.sla"), file("lake"), "--part-rows", "1000"});
    std::string part;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(file("lake"))) {
        if (entry.path().extension() == ".parquet") part = std::max(part, entry.path().string());
    }
    std::filesystem::rename(part, file("elsewhere"));
    std::string output;
    std::string errors;
    EXPECT_EQ(run({SLA_BINARIES "/sla", "sql", file("lake"), "SELECT damages > 0 FROM captures"}, output, errors).code, 0);
    EXPECT_THAT(output, HasSubstr("\n1"));
    EXPECT_THAT(errors, HasSubstr("rows are left out"));
    EXPECT_EQ(run({SLA_BINARIES "/sla", "stats", file("lake")}, output, errors).code, 3);
    EXPECT_THAT(errors, HasSubstr("is not whole"));
    std::filesystem::resize_file(file("elsewhere"), 1000);
    std::filesystem::rename(file("elsewhere"), part);
    EXPECT_EQ(run({SLA_BINARIES "/sla", "sql", file("lake"), "SELECT 1"}, output, errors).code, 3);
    EXPECT_THAT(errors, HasSubstr(part));
}

}  // namespace
}  // namespace sla
