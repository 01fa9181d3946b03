// Captures of other tools' files, merged: nobody knows by which counter they were stamped.
#include "tests/unit/viewer/cli/run_sla.h"
#include "viewer/ingest/file_source.h"

#include <filesystem>
#include <fstream>

namespace sla::cli {
namespace {

constexpr std::int64_t kPsPerHour = 3'600'000'000'000'000;

class MergeImported : public WithDirectory {
protected:
    void import(const std::string& name, const std::string& content, const std::string& to) const {
        std::ofstream(file(name)) << content;
        const Outcome outcome = run_sla({"import", file(name), "-o", file(to)});
        ASSERT_EQ(outcome.code, kDone) << outcome.errors;
    }
    [[nodiscard]] Outcome merge() const { return run_sla({"merge", file("a.sla"), file("b.sla"), "-o", file("c.sla")}); }
    void expect_no_common_clock() const {
        const Outcome outcome = merge();
        EXPECT_EQ(outcome.code, kOutsideFailed);
        EXPECT_NE(outcome.errors.find("share no clock"), std::string::npos) << outcome.errors;
        EXPECT_FALSE(std::filesystem::exists(file("c.sla")));
    }
};

TEST_F(MergeImported, FilesWithTicksOfDifferentLengthsShareNoCounter) {
    import("a.vcd", "$timescale 1 us $end\n$var wire 1 ! clk $end\n$enddefinitions $end\n#0\n0!\n#5\n1!\n", "a.sla");
    import("b.vcd", "$timescale 1 ns $end\n$var wire 1 ! clk $end\n$enddefinitions $end\n#0\n0!\n#7\n1!\n", "b.sla");
    expect_no_common_clock();
}

TEST_F(MergeImported, ShortAndLongTablesShareNoCounter) {
    import("a.csv", "time,channel,value\n0,a,1\n0.000001,a,2\n", "a.sla");
    import("b.csv", "time,channel,value\n0,b,1\n400000,b,2\n", "b.sla");
    expect_no_common_clock();
}

TEST_F(MergeImported, FilesThatSayTheTimeOfDayAreAlignedByIt) {
    import("a.csv", "time,channel,value\n1700000000,a,1\n1700000001,a,2\n", "a.sla");
    import("b.csv", "time,channel,value\n1700003600,b,1\n1700003601,b,2\n", "b.sla");
    const Outcome outcome = merge();
    ASSERT_EQ(outcome.code, kDone) << outcome.errors;
    EXPECT_NE(outcome.errors.find("as far as is known another machine"), std::string::npos) << outcome.errors;
    store::Session merged;
    ASSERT_TRUE(ingest::load_file(file("c.sla"), merged).ok());
    const store::Lane* a = merged.lane_named("a");
    const store::Lane* b = merged.lane_named("b");
    ASSERT_NE(a, nullptr);
    ASSERT_NE(b, nullptr);
    const std::int64_t apart = merged.clock().to_ps(b->tick(0)) - merged.clock().to_ps(a->tick(0));
    EXPECT_NEAR(static_cast<double>(apart), static_cast<double>(kPsPerHour), 1e6);
}

TEST_F(MergeImported, PartsOfOneImportedFileBecomeItAgain) {
    import("whole.csv", "time,channel,value\n0,a,1\n1,a,2\n2,a,3\n3,a,4\n", "whole.sla");
    ASSERT_EQ(run_sla({"cut", file("whole.sla"), "--until", "1500ms", "-o", file("a.sla")}).code, kDone);
    ASSERT_EQ(run_sla({"cut", file("whole.sla"), "--from", "1500ms", "-o", file("b.sla")}).code, kDone);
    const Outcome outcome = merge();
    ASSERT_EQ(outcome.code, kDone) << outcome.errors;
    store::Session merged;
    ASSERT_TRUE(ingest::load_file(file("c.sla"), merged).ok());
    EXPECT_EQ(merged.events(), 4U);
}

}  // namespace
}  // namespace sla::cli
