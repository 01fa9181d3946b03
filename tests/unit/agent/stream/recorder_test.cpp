// A recording whose file is removed, moved away or replaced while it is written.
#include "agent/stream/recorder.h"
#include "proto/capture/capture_reader.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "tests/support/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <mutex>

namespace sla::stream {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class RecordedFile : public testing::Test {
protected:
    void begin(const capture::SeriesLimits& limits = {}) {
        wire::Frame frame;
        frame.mutable_channel()->set_id(1);
        frame.mutable_channel()->set_name("c1");
        retention_.announce_channel({1}, "c1", wire::encode_frame(frame));
        auto recorder = Recorder::start({path(), limits,
                                         [this](const std::string& what) {
                                             std::lock_guard lock(mutex_);
                                             said_ += what + "\n";
                                         }},
                                        retention_);
        ASSERT_TRUE(recorder.ok()) << recorder.error().message;
        recorder_ = std::move(*recorder);
    }
    void append(std::uint32_t rows) {
        wire::EventBatch batch;
        batch.channel = {1};
        batch.first_index = next_;
        for (std::uint32_t i = 0; i < rows; i++) batch.add(1000 + next_ + i, SLA_CODE_TICK, 0, 1);
        wire::Frame frame;
        wire::encode_batch(batch, *frame.mutable_batch());
        retention_.append({batch.channel, next_, batch.ticks.front(), batch.ticks.back(), rows, next_ + rows},
                          wire::encode_frame(frame));
        next_ += rows;
        retention_.publish();
    }
    // What is wrong with it.
    std::string end() {
        wire::Frame frame;
        frame.mutable_end()->set_reason("done");
        retention_.finish(wire::encode_frame(frame));
        const Result<void> joined = recorder_->join();
        return joined ? "" : joined.error().message;
    }
    std::string said() {
        std::lock_guard lock(mutex_);
        return said_;
    }
    bool says(const std::string& text) {
        return support::eventually([&] { return said().find(text) != std::string::npos; });
    }
    // Rows of channels that have a name there.
    static std::size_t rows_in(const std::string& path, bool is_finished = true) {
        auto reader = capture::CaptureReader::open(path);
        if (!reader.ok()) return 0;
        std::size_t rows = 0;
        bool is_named = false;
        while (const auto message = reader->next()) {
            wire::Frame frame;
            EXPECT_TRUE(wire::parse_message(*message, frame));
            is_named |= frame.channel().name() == "c1";
            if (frame.has_batch() && is_named) rows += frame.batch().count();
        }
        EXPECT_EQ(reader->finished(), is_finished) << path;
        return rows;
    }
    [[nodiscard]] std::string path() const { return folder_.file("r.sla"); }

    support::TempDir folder_;
    retain::Retention retention_{{}};
    std::unique_ptr<Recorder> recorder_;
    std::uint64_t next_ = 0;
    std::mutex mutex_;
    std::string said_;  // under mutex_
};

TEST_F(RecordedFile, ThatIsRemovedIsBegunAnewWithAllThatIsStillHeld) {
    begin();
    append(500);
    fs::remove(path());
    ASSERT_TRUE(says("was removed or moved away while it was written: the recording goes on in"));
    append(100);
    EXPECT_EQ(end(), "");
    EXPECT_TRUE(recorder_->was_begun_anew());
    EXPECT_EQ(rows_in(path()), 600U);
}

TEST_F(RecordedFile, ThatIsRemovedRightBeforeTheEndIsThereAtTheEnd) {
    begin();
    append(500);
    fs::remove(path());
    EXPECT_EQ(end(), "");
    EXPECT_EQ(rows_in(path()), 500U);
}

TEST_F(RecordedFile, ThatIsMovedAwayIsWholeWhereItIs) {
    begin();
    append(500);
    fs::rename(path(), folder_.file("moved.sla"));
    ASSERT_TRUE(says("goes on in"));
    append(100);
    EXPECT_EQ(end(), "");
    EXPECT_LE(rows_in(folder_.file("moved.sla")), 500U);
    EXPECT_EQ(rows_in(path()), 600U);
}

TEST_F(RecordedFile, InWhosePlaceAnotherStandsIsNotWrittenAndTheRecordingStops) {
    begin();
    append(500);
    fs::rename(path(), folder_.file("moved.sla"));
    std::ofstream(path()) << "hello";
    ASSERT_TRUE(says("another file stands there now"));
    EXPECT_FALSE(recorder_->is_writing());
    EXPECT_THAT(said(), testing::Not(HasSubstr("can be read")));
    append(100);
    EXPECT_THAT(end(), HasSubstr("another file stands there now"));
    std::string words;
    std::getline(std::ifstream(path()), words);
    EXPECT_EQ(words, "hello");
}

TEST_F(RecordedFile, WhoseFolderIsGoneStopsTheRecording) {
    fs::create_directory(folder_.file("t"));
    const std::string there = folder_.file("t/r.sla");
    auto recorder = Recorder::start({there, {}, {}}, retention_);
    ASSERT_TRUE(recorder.ok());
    recorder_ = std::move(*recorder);
    fs::remove_all(folder_.file("t"));
    ASSERT_TRUE(support::eventually([&] { return !recorder_->is_writing(); }));
    EXPECT_THAT(end(), HasSubstr("cannot be begun anew"));
}

TEST_F(RecordedFile, ThatWasNotFinishedIsKeptUnderAnotherNameAndOneThatWasIsReplaced) {
    begin();
    append(500);
    const std::string crashed = folder_.file("crashed.sla");
    ASSERT_TRUE(support::eventually([&] {
        fs::copy_file(path(), crashed, fs::copy_options::overwrite_existing);
        return fs::file_size(crashed) > 200;
    }));
    EXPECT_EQ(end(), "");
    for (int i = 0; i < 2; i++) {
        auto next = Recorder::start({crashed, {}, {}}, retention_);
        ASSERT_TRUE(next.ok()) << next.error().message;
        EXPECT_TRUE((*next)->join().ok());
        EXPECT_EQ(rows_in(folder_.file("crashed.unfinished-1.sla"), false), 500U);
        EXPECT_FALSE(fs::exists(folder_.file("crashed.unfinished-2.sla"))) << "the second one was finished";
    }
}

TEST_F(RecordedFile, OfASeriesIsFollowedByAnotherWithTheNamesAndNoRowOfBefore) {
    capture::SeriesLimits limits;
    limits.file_bytes = std::uint64_t{1} << 30;
    begin(limits);
    append(500);
    const std::string file = folder_.file("r-0001.sla");
    ASSERT_TRUE(support::eventually([&] { return fs::file_size(file) > 200; }));
    fs::remove(file);
    ASSERT_TRUE(says("what was in it is missing"));
    append(100);
    EXPECT_EQ(end(), "");
    ASSERT_EQ(capture::files_of_series(path()).size(), 1U);
    EXPECT_EQ(rows_in(file), 100U);
}

}  // namespace
}  // namespace sla::stream
