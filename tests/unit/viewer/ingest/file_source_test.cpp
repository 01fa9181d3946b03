#include "viewer/ingest/file_source.h"

#include "tests/support/capture_builder.h"
#include "tests/support/damaged_chunk.h"
#include "tests/support/temporary_path.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace sla::ingest {
namespace {

class FileSourceTest : public ::testing::Test {
protected:
    const support::TemporaryPath temporary_{"file_source.sla"};
    const std::filesystem::path& path_ = temporary_.path;
};

TEST_F(FileSourceTest, AFileGivesWhatTheStreamGave) {
    support::CaptureBuilder capture;
    support::add_mixed(capture, 8, 2000);
    store::Session direct;
    capture.fill(direct);
    capture.write(path_);
    store::Session loaded;
    double last = 0;
    ASSERT_TRUE(load_file(path_, loaded, [&](double now) { return (last = now) >= 0; }).ok());
    EXPECT_EQ(last, 1.0);
    EXPECT_EQ(loaded.events(), direct.events());
    EXPECT_EQ(loaded.lost(), direct.lost());
    EXPECT_EQ(loaded.last_tick(), direct.last_tick());
    EXPECT_EQ(loaded.damage_count(), 0u);
    EXPECT_TRUE(loaded.ended());
}

TEST_F(FileSourceTest, ACutOffFileGivesItsBeginningAndSaysSo) {
    support::CaptureBuilder capture;
    support::add_mixed(capture, 8, 20000);
    capture.write(path_);
    std::filesystem::resize_file(path_, std::filesystem::file_size(path_) / 2);
    store::Session session;
    ASSERT_TRUE(load_file(path_, session).ok());
    EXPECT_GT(session.damage_count(), 0u);
    EXPECT_TRUE(session.ended());
    EXPECT_EQ(session.final_tick(), store::kNever);
}

// Nothing is missing before a note's tick: what was checked up to there is whole.
TEST_F(FileSourceTest, DamageStandsBehindAllThatIsWhole) {
    support::CaptureBuilder capture;
    support::add_mixed(capture, 8, 60000);
    capture.write(path_);
    const auto bytes = std::filesystem::file_size(path_);
    std::filesystem::resize_file(path_, bytes * 3 / 4);
    const auto first_missing = [&](const FileOptions& options) -> std::uint64_t {
        store::Session session;
        EXPECT_TRUE(load_file(path_, session, {}, options).ok());
        EXPECT_GT(session.damage_count(), 0u);
        std::uint64_t tick = store::kNever;
        for (const store::Note& note : session.notes()) tick = note.damage ? std::min(tick, note.tick) : tick;
        return tick;
    };
    store::Session whole;
    capture.fill(whole);
    FileOptions paged;
    paged.rows_in_memory = 0;
    const std::uint64_t read = first_missing({});
    EXPECT_GT(read, whole.first_tick());
    EXPECT_LT(read, whole.last_tick());
    EXPECT_EQ(first_missing(paged), read) << "whichever way it is read";
    // In the middle.
    capture.write(path_);
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(bytes / 2));
    file << "this is no part of a capture";
    file.close();
    const std::uint64_t middle = first_missing({});
    EXPECT_GT(middle, whole.first_tick());
    EXPECT_LT(middle, read);
}

// No row that stands in front of the damage, or behind it, shows that some of its channel are missing.
TEST_F(FileSourceTest, WhatADamagedChunkHadOfChannelsThatBeginOrEndInItIsCounted) {
    constexpr std::uint64_t kRows = 400'000;
    support::CaptureBuilder capture;
    const auto early = capture.channel("early");
    const auto late = capture.channel("late");
    const auto steady = capture.channel("steady");
    for (std::uint64_t i = 0; i < kRows; ++i) {
        if (i < kRows / 2) capture.tick(early, 1000 + 10 * i, static_cast<std::int64_t>(i * 7919 % 100'003));
        if (i >= kRows / 2) capture.tick(late, 1000 + 10 * i, static_cast<std::int64_t>(i * 7919 % 100'003));
        capture.tick(steady, 1003 + 10 * i, static_cast<std::int64_t>(i * 7919 % 100'003));
    }
    capture.write(path_);
    const auto index = capture::CaptureIndex::open(path_);
    ASSERT_TRUE(index.ok());
    ASSERT_GT(index->chunks().size(), 2u);
    for (std::size_t chunk = 0; chunk < index->chunks().size(); ++chunk) {
        capture.write(path_);
        ASSERT_NO_FATAL_FAILURE(support::damage_chunk(path_, chunk));
        store::Session session;
        ASSERT_TRUE(load_file(path_, session).ok());
        EXPECT_LT(session.events(), 2 * kRows) << chunk;
        EXPECT_EQ(session.events() + session.lost(), 2 * kRows) << chunk;
        for (const char* name : {"early", "late"}) {
            const store::Lane& lane = *session.lane_named(name);
            EXPECT_EQ(lane.events() + lane.lost(), kRows / 2) << name << ", " << chunk;
        }
    }
}

TEST_F(FileSourceTest, AFileThatIsNotThereIsAnErrorWithItsName) {
    store::Session session;
    const auto loaded = load_file(path_, session);
    ASSERT_FALSE(loaded.ok());
    EXPECT_NE(loaded.error().message.find(path_), std::string::npos);
}

TEST_F(FileSourceTest, AFileOfSomethingElseIsAnError) {
    std::ofstream(path_) << "this is no capture at all, just some text that is long enough to look at";
    store::Session session;
    EXPECT_FALSE(load_file(path_, session).ok());
}

}  // namespace
}  // namespace sla::ingest
