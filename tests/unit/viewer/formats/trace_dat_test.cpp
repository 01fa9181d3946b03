// trace-cmd's own files: read by trace-cmd, whose end by a damaged one is reported and harms nobody.
#include "tests/support/trace_dat.h"

#include "tests/unit/viewer/formats/imported.h"
#include "viewer/process/programs.h"

#include <random>

namespace sla::formats {
namespace {

class TraceDat : public WithFiles {
protected:
    void SetUp() override {
        if (!process::program_exists("trace-cmd")) GTEST_SKIP() << "trace-cmd is not installed";
    }
    static std::string small() {
        return support::trace_dat({{{1'000'000'000'001, 41, 7}, {1'000'000'002'000, 42, -8}}, {{1'000'000'000'500, 42, 9}}});
    }
};

TEST_F(TraceDat, ComesInToTheNanosecondWithItsTasks) {
    store::Session session;
    take_in_bytes(small(), session);
    EXPECT_EQ(reported(session, "ping"), "text 'number=7' @0\ntext 'number=9' @499\ntext 'number=-8' @1999\n");
    const store::Lane& ping = *session.lane_named("ping");
    EXPECT_EQ(session.thread(ThreadId{ping.thread(0)})->name, "worker");
    EXPECT_EQ(session.thread(ThreadId{ping.thread(1)})->tid, 42u);
}

TEST_F(TraceDat, OneWithoutAnEventOrCutOffIsAnErrorAndLeavesNothing) {
    const std::string whole = small();
    for (const std::size_t size :
         {std::size_t{10}, std::size_t{20}, std::size_t{300}, std::size_t{1200}, std::size_t{4096}}) {
        const auto report = import_bytes(whole.substr(0, size), ImportFormat::kTraceDat);
        ASSERT_FALSE(report.ok()) << size;
        EXPECT_FALSE(std::filesystem::exists(file("imported.sla")));
    }
    const auto garbage = import_bytes("no trace at all", ImportFormat::kTraceDat);
    ASSERT_FALSE(garbage.ok());
    EXPECT_NE(garbage.error().message.find("trace-cmd could not read it"), std::string::npos) << garbage.error().message;
}

// Some of these end trace-cmd by a signal.
TEST_F(TraceDat, DamagedAnywhereItIsReadOrRefused) {
    const std::string whole = small();
    std::mt19937 random(1);
    int refused = 0;
    for (int i = 0; i < 60; ++i) {
        std::string bytes = whole;
        for (int changes = 0; changes < 3; ++changes) bytes[12 + random() % 1300] = static_cast<char>(random());
        const auto report = import_bytes(bytes, ImportFormat::kTraceDat);
        refused += report.ok() ? 0 : 1;
        EXPECT_EQ(std::filesystem::exists(file("imported.sla")), report.ok());
        std::filesystem::remove(file("imported.sla"));
    }
    EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace sla::formats
