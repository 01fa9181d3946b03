// What was gone before a run came stands between the parts, counted once.
#include "viewer/archive/losses.h"

#include "tests/unit/viewer/archive/in_folder.h"
#include "viewer/archive/archive_reader.h"

#include <gmock/gmock.h>

namespace sla::archive {
namespace {

using testing::HasSubstr;

class ArchiveLosses : public InFolder {
protected:
    // Rows [first, last] of `rx` (InFolder::rows), as if those before had expired.
    static support::CaptureBuilder rows_from(std::uint64_t first, std::uint64_t last) {
        support::CaptureBuilder capture(0, 1e9, 40);
        const auto rx = capture.channel("rx");
        for (std::uint64_t i = first; i <= last; ++i) capture.value(rx, i * 100, static_cast<std::int64_t>(i));
        return capture;
    }
    // Nothing is there of "rx" any more; a channel that is new has five events.
    static support::CaptureBuilder new_channel_alone() {
        support::CaptureBuilder capture(0, 1e9, 40);
        capture.channel("rx");
        const auto tx = capture.channel("tx");
        for (std::uint64_t i = 31; i <= 35; ++i) capture.value(tx, i * 100, 1);
        return capture;
    }
    static AddPlan plan_with(Ordinals rx, std::optional<std::uint64_t> published = std::nullopt, bool is_over = false) {
        AddPlan plan = plan_of(10);
        plan.found = {{{ChannelId{1}, rx}}, std::nullopt, published, is_over};
        return plan;
    }
    // Nothing of the capture can be read any more.
    Result<AddReport> add_nothing(std::uint64_t published) {
        auto archive = Archive::open(lake());
        if (!archive.ok()) return archive.error();
        AddPlan plan = plan_of(10);
        plan.found = {{}, std::nullopt, published, true};
        return archive->add(store::Session(), plan);
    }
    [[nodiscard]] std::string manifest_path() const { return lake() + "/manifest/alpha.c1.json"; }
    // What the archive is, read as one capture.
    void read(store::Session& session) {
        const auto captures = captures_of(lake());
        ASSERT_TRUE(captures.ok()) << captures.error().message;
        const std::string back = folder_ / "capture.sla";
        fs::remove(back);
        const auto report = read_capture(captures->front(), {}, back);
        ASSERT_TRUE(report.ok()) << report.error().message;
        ASSERT_TRUE(ingest::load(back, session).ok());
    }
    // Every loss row: "channel tick..until lost cause".
    std::vector<std::string> losses() {
        store::Session session;
        read(session);
        std::vector<std::string> out;
        for (const store::Lane* lane : session.lanes()) {
            for (const store::Gap& gap : lane->gaps()) {
                out.push_back(lane->channel().name + " " + std::to_string(gap.tick) + ".." + std::to_string(gap.until_tick) +
                              " " + std::to_string(gap.lost) + " " + wire::loss_cause_name(gap.cause));
            }
        }
        return out;
    }
    std::uint64_t events() {
        store::Session session;
        read(session);
        return session.events();
    }
};

TEST_F(ArchiveLosses, RowsThatWereGoneBetweenTwoRunsAreALossRow) {
    ASSERT_TRUE(add(rows(10), plan_with({0, 10}, 10)).ok());
    const auto report = add(rows_from(21, 30), plan_with({20, 30}, 30));
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(report->lost, 10u);
    EXPECT_EQ(report->rows, 10u);
    EXPECT_THAT(losses(), testing::ElementsAre("rx 1001..2100 10 lagged"));
    EXPECT_EQ(events(), 20u);
    ASSERT_EQ(report->manifest.parts.size(), 3u);
    EXPECT_EQ(report->manifest.parts[1].lost, 10u);
    EXPECT_EQ(report->manifest.taken->events, 30u);
    const auto before = files();
    const auto again = add(rows_from(25, 30), plan_with({24, 30}, 30));
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again->lost, 0u);
    EXPECT_EQ(files(), before);
}

TEST_F(ArchiveLosses, WithoutARegistryTheOrdinalsTell) {
    ASSERT_TRUE(add(rows(10), plan_with({0, 10})).ok());
    const auto report = add(rows_from(14, 20), plan_with({13, 20}));
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->lost, 3u);
}

// Between the part and the manifest, and before either.
TEST_F(ArchiveLosses, ARunThatDiesLeavesALossToTheNextOneOnce) {
    ASSERT_TRUE(add(rows(10), plan_with({0, 10}, 10)).ok());
    fs::copy_file(manifest_path(), folder_ / "manifest_of_before");
    ASSERT_TRUE(add(rows_from(21, 30), plan_with({20, 30}, 30)).ok());
    const auto whole = files();
    fs::copy_file(folder_ / "manifest_of_before", manifest_path(), fs::copy_options::overwrite_existing);
    fs::remove(lake() + "/" + whole.back());
    const auto again = add(rows_from(21, 30), plan_with({20, 30}, 30));
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again->lost, 10u);
    EXPECT_EQ(files(), whole);
    EXPECT_THAT(losses(), testing::ElementsAre("rx 1001..2100 10 lagged"));
}

TEST_F(ArchiveLosses, OfChannelsOfWhichNothingIsThereTheRegistryTellsTheSum) {
    ASSERT_TRUE(add(rows(10), plan_with({0, 10}, 10)).ok());
    const support::CaptureBuilder later = new_channel_alone();
    AddPlan plan = plan_with({0, 0}, 22);
    plan.found.channels = {{ChannelId{2}, {0, 5}}};
    const auto report = add(later, plan);
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(report->lost, 7u);
    EXPECT_THAT(losses(), testing::ElementsAre("sla.expired 1001..1001 7 lagged"));
}

// Its first rows may have gone before the first run: the registry bounds how many went since.
TEST_F(ArchiveLosses, AChannelThatIsNewAndBeginsLateHasLostNoMoreThanWasPublished) {
    ASSERT_TRUE(add(rows(10), plan_with({0, 10}, 10)).ok());
    const support::CaptureBuilder later = new_channel_alone();
    AddPlan plan = plan_with({0, 0}, 19);
    plan.found.channels = {{ChannelId{2}, {100, 105}}};
    ASSERT_TRUE(add(later, plan).ok());
    EXPECT_THAT(losses(), testing::ElementsAre("tx 1001..3100 4 lagged"));
}

TEST_F(ArchiveLosses, AsLongAsArchivedRowsAreThereAChannelThatBeginsLateHasLostItsRowsBefore) {
    ASSERT_TRUE(add(rows(10), plan_with({0, 10}, 10)).ok());
    support::CaptureBuilder later = rows_from(9, 10);
    const auto tx = later.channel("tx");
    for (std::uint64_t i = 31; i <= 35; ++i) later.value(tx, i * 100, 1);
    AddPlan plan = plan_with({8, 10}, 19);
    plan.found.channels[ChannelId{2}] = {100, 105};
    const auto report = add(later, plan);
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(report->lost, 0u);
}

// The newest rows may be on their way, counted and not to be read yet.
TEST_F(ArchiveLosses, WhatIsPublishedBehindRowsThatAreStillThereIsNoLoss) {
    ASSERT_TRUE(add(rows(10), plan_with({0, 10}, 10)).ok());
    auto report = add(rows_from(5, 12), plan_with({4, 12}, 50));
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->lost, 0u);
    report = add(rows_from(5, 12), plan_with({4, 12}, 50, true));
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->lost, 38u) << "its last word";
    EXPECT_EQ(report->manifest.taken->events, 50u);
}

TEST_F(ArchiveLosses, WhatWasGoneBeforeTheFirstRunIsSaidAndNoLoss) {
    const auto report = add(rows_from(21, 30), plan_with({20, 30}, 34));
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->before, 24u);
    EXPECT_EQ(report->lost, 0u);
    EXPECT_TRUE(losses().empty());
    const auto next = add(rows_from(31, 40), plan_with({30, 40}, 44));
    ASSERT_TRUE(next.ok());
    EXPECT_EQ(next->before, 0u);
    EXPECT_EQ(next->lost, 0u);
}

TEST_F(ArchiveLosses, ALossStandsAtATickOfItsOwn) {
    ASSERT_TRUE(add(rows(10), plan_with({0, 10})).ok());
    support::CaptureBuilder later(0, 1e9, 40);
    const auto rx = later.channel("rx");
    const auto tx = later.channel("tx");
    for (std::uint64_t tick = 1001; tick <= 1003; ++tick) later.value(tx, tick, 1);
    later.value(rx, 3000, 30);
    AddPlan plan = plan_with({29, 30});
    plan.found.channels[ChannelId{2}] = {0, 3};
    const auto report = add(later, plan);
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_THAT(losses(), testing::ElementsAre("rx 1004..3000 19 lagged"));
    EXPECT_EQ(events(), 14u);
}

TEST_F(ArchiveLosses, ALossBehindWhatIsFinalWaits) {
    ASSERT_TRUE(add(rows(10), plan_with({0, 10})).ok());
    AddPlan plan = plan_with({20, 30});
    plan.until = 1001;
    auto report = add(rows_from(21, 30), plan);
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->lost, 0u);
    plan.until = 1002;
    plan.whole_parts = true;
    report = add(rows_from(21, 30), plan);
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->lost, 10u);
    EXPECT_EQ(report->rows, 0u);
}

TEST_F(ArchiveLosses, WhereNothingIsLeftTheEndIsALossByTheClockOfTheParts) {
    ASSERT_TRUE(add(rows(10), plan_with({0, 10}, 10)).ok());
    store::Session before;
    read(before);
    const auto report = add_nothing(25);
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(report->lost, 15u);
    EXPECT_THAT(losses(), testing::ElementsAre("sla.expired 1001..1001 15 lagged"));
    store::Session after;
    read(after);
    EXPECT_EQ(after.clock().to_ps(1234), before.clock().to_ps(1234));
    EXPECT_EQ(add_nothing(25)->lost, 0u);
    for (const std::string& file : files()) fs::remove(lake() + "/" + file);
    const auto moved = add_nothing(30);
    ASSERT_FALSE(moved.ok());
    EXPECT_THAT(moved.error().message, HasSubstr("no part is in"));
}

TEST_F(ArchiveLosses, WhereNothingIsLeftAndNothingIsArchivedItIsSaidAndNothingWritten) {
    const auto report = add_nothing(25);
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(report->before, 25u);
    EXPECT_TRUE(report->manifest.parts.empty());
    EXPECT_TRUE(files().empty());
    EXPECT_FALSE(fs::exists(manifest_path()));
}

// Its rows would count time from their first tick, and be called by no names.
TEST_F(ArchiveLosses, WhereTheBeginningGoesWhileItIsReadNothingIsWritten) {
    AddPlan plan = plan_with({0, 10}, 10);
    plan.found.origin_tick = 7;
    const auto refused = add(rows(10), plan);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::kUnavailable);
    EXPECT_THAT(refused.error().message, HasSubstr("went while it was read"));
    EXPECT_TRUE(files().empty());
    plan.found.origin_tick = 0;
    EXPECT_TRUE(add(rows(10), plan).ok());
}

TEST_F(ArchiveLosses, AnIndexTellsOrdinalsAndTheBeginning) {
    const std::string path = folder_ / "capture.sla";
    rows_from(3, 9).write(path);
    const auto index = capture::CaptureIndex::open(path);
    ASSERT_TRUE(index.ok()) << index.error().message;
    const Found found = found_in(*index);
    EXPECT_EQ(found.origin_tick, 0u);
    ASSERT_EQ(found.channels.size(), 1u);
    EXPECT_EQ(found.channels.at(ChannelId{1}).first, 0u);
    EXPECT_EQ(found.channels.at(ChannelId{1}).end, 7u);
    EXPECT_FALSE(found.published.has_value());
}

// It did not count: its rows, and losses, are no less than what it took.
TEST_F(ArchiveLosses, BehindAManifestOfAVersionBeforeTheRegistryTells) {
    ASSERT_TRUE(add(rows(10), plan_with({0, 10}, 10)).ok());
    auto manifest = read_manifest(manifest_path());
    ASSERT_TRUE(manifest.ok());
    manifest->taken.reset();
    ASSERT_TRUE(write_manifest(*manifest, manifest_path()).ok());
    const auto report = add(rows_from(21, 30), plan_with({20, 30}, 30));
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->lost, 10u);
    EXPECT_THAT(losses(), testing::ElementsAre("sla.expired 1001..1001 10 lagged"));
}

}  // namespace
}  // namespace sla::archive
