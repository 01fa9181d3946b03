// Rows in a folder once each: as captures grow, as runs die, as days pass.
#include "viewer/archive/archive.h"

#include "tests/unit/viewer/archive/in_folder.h"

#include <gmock/gmock.h>

#include <fstream>

namespace sla::archive {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(InFolder, ACaptureIsPartsInOrderAndAManifestThatListsThem) {
    const auto report = add(rows(25), plan_of(10));
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(report->parts, 3u);
    EXPECT_EQ(report->rows, 25u);
    EXPECT_EQ(values(), up_to(25));
    const auto manifest = read_manifest(lake() + "/manifest/alpha.c1.json");
    ASSERT_TRUE(manifest.ok());
    EXPECT_EQ(*manifest, report->manifest);
    ASSERT_EQ(manifest->parts.size(), 3u);
    EXPECT_EQ(manifest->until_tick, 2501u);
    EXPECT_EQ(manifest->parts[1].first_tick, 1100u);
    EXPECT_EQ(manifest->parts[1].bytes, fs::file_size(lake() + "/" + manifest->parts[1].file));
    EXPECT_THAT(manifest->parts[1].file, HasSubstr("/host=alpha/capture=c1/part-00000000000000001100.parquet"));
}

TEST_F(InFolder, AFolderIntoWhichNothingCameGoesAgainUnlessItWasThere) {
    const auto open = [this] {
        const auto archive = Archive::open(lake());
        EXPECT_TRUE(archive.ok());
        EXPECT_TRUE(fs::exists(lake() + "/manifest"));
    };
    open();
    EXPECT_FALSE(fs::exists(lake()));
    fs::create_directory(lake());
    open();
    EXPECT_TRUE(fs::exists(lake()));
}

TEST_F(InFolder, AddedAgainItHasNothingNew) {
    ASSERT_TRUE(add(rows(25), plan_of(10)).ok());
    const auto before = files();
    const auto again = add(rows(25), plan_of(7));
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again->rows, 0u);
    EXPECT_EQ(files(), before);
}

TEST_F(InFolder, ACaptureThatGrewAddsWhatIsNew) {
    for (const std::uint64_t count : {5, 12, 12, 40}) ASSERT_TRUE(add(rows(count), plan_of(10)).ok());
    EXPECT_EQ(values(), up_to(40));
}

TEST_F(InFolder, RowsThatMayStillChangeWait) {
    AddPlan plan = plan_of(100);
    plan.until = 1001;
    ASSERT_TRUE(add(rows(25), plan).ok());
    EXPECT_EQ(values(), up_to(10));
    plan.until = store::kNever;
    ASSERT_TRUE(add(rows(25), plan).ok());
    EXPECT_EQ(values(), up_to(25));
}

TEST_F(InFolder, PartsThatAreNotFullWaitWhereThatIsAsked) {
    AddPlan plan = plan_of(10);
    plan.whole_parts = true;
    plan.until = 2601;
    ASSERT_TRUE(add(rows(25), plan).ok());
    EXPECT_EQ(values(), up_to(20));
    plan.whole_parts = false;
    ASSERT_TRUE(add(rows(25), plan).ok());
    EXPECT_EQ(values(), up_to(25));
}

TEST_F(InFolder, WhatARunLeftThatDiedIsRemovedAndWrittenAnew) {
    AddPlan plan = plan_of(10);
    plan.until = 1001;
    const auto first = add(rows(25), plan);
    ASSERT_TRUE(first.ok());
    // Dead between a part's appearance and the manifest's, and in the middle of the next part.
    const fs::path own = fs::path(lake() + "/" + first->manifest.parts[0].file).parent_path();
    fs::copy_file(lake() + "/" + first->manifest.parts[0].file, own / "part-00000000000000001100.parquet");
    std::ofstream(own / "part-00000000000000001200.parquet.part-4711") << "half";
    plan.until = store::kNever;
    ASSERT_TRUE(add(rows(25), plan).ok());
    EXPECT_EQ(values(), up_to(25));
    EXPECT_EQ(files().size(), 3u);
}

TEST_F(InFolder, PartsThatWereTakenElsewhereAreNotWrittenAgain) {
    const auto first = add(rows(10), plan_of(10));
    ASSERT_TRUE(first.ok());
    fs::remove(lake() + "/" + first->manifest.parts[0].file);
    ASSERT_TRUE(add(rows(25), plan_of(100)).ok());
    EXPECT_EQ(files().size(), 1u);
    EXPECT_EQ(values().front(), 11);
}

TEST_F(InFolder, UnreadableRowsLeaveThePartUnwritten) {
    AddPlan plan = plan_of(10);
    int asked = 0;
    plan.is_sound = [&] { return ++asked < 2; };
    const auto report = add(rows(25), plan);
    ASSERT_FALSE(report.ok());
    EXPECT_THAT(report.error().message, HasSubstr("could not be read"));
    EXPECT_EQ(values(), up_to(10));
    ASSERT_TRUE(add(rows(25), plan_of(10)).ok());
    EXPECT_EQ(values(), up_to(25));
}

TEST_F(InFolder, EachDayHasPartsOfItsOwn) {
    // Rows of a quarter of a day each, by a clock of 1 kHz.
    support::CaptureBuilder capture(0, 1e3, 40);
    const auto rx = capture.channel("rx");
    for (std::uint64_t i = 1; i <= 9; ++i) capture.value(rx, i * 21'600'000, static_cast<std::int64_t>(i));
    const auto report = add(capture, plan_of(100));
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(report->manifest.parts.size(), 3u);
    std::string before;
    for (const Part& part : report->manifest.parts) {
        constexpr std::int64_t kDay = std::int64_t{86'400} * 1'000'000'000;
        EXPECT_EQ(part.first_utc_ns / kDay, part.last_utc_ns / kDay);
        EXPECT_LT(before, part.file.substr(0, 15));
        before = part.file.substr(0, 15);
    }
    EXPECT_EQ(values(), up_to(9));
}

TEST_F(InFolder, NamesThatWouldLeaveTheFolderStayInIt) {
    AddPlan plan = plan_of(100);
    plan.host = "../../etc";
    plan.capture = "a/b";
    const auto report = add(rows(3), plan);
    ASSERT_TRUE(report.ok());
    EXPECT_THAT(report->manifest.parts[0].file, HasSubstr("/host=------etc/capture=a-b/"));
}

TEST_F(InFolder, OneWritesAtATime) {
    const auto one = Archive::open(lake());
    ASSERT_TRUE(one.ok());
    const auto other = Archive::open(lake());
    ASSERT_FALSE(other.ok());
    EXPECT_THAT(other.error().message, HasSubstr("another `sla archive`"));
}

}  // namespace
}  // namespace sla::archive
