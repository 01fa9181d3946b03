#include "proto/capture/pieces/capture_series.h"

#include "proto/capture/capture_index.h"
#include "proto/capture/capture_reader.h"
#include "proto/capture/capture_store.h"
#include "proto/capture/pieces/capture_pieces.h"
#include "proto/wire/capture.pb.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include <sys/stat.h>
#include <unistd.h>

namespace sla::capture {
namespace {

namespace fs = std::filesystem;

class CaptureSeriesTest : public testing::Test {
protected:
    CaptureSeriesTest() { fs::create_directories(folder_); }
    ~CaptureSeriesTest() override { fs::remove_all(folder_); }

    [[nodiscard]] std::string path(const std::string& name = "f.sla") const { return (folder_ / name).string(); }
    CaptureSeries create(const SeriesLimits& limits) {
        auto series = CaptureSeries::create(path(), limits, [this] { return now_; });
        EXPECT_TRUE(series.ok());
        return std::move(series).value();
    }
    static void write_names(CaptureSeries& series) {
        wire::Frame frame;
        frame.mutable_hello()->set_agent("test");
        EXPECT_TRUE(series.append(frame.SerializeAsString()).ok());
        frame.mutable_source()->set_id(1);
        EXPECT_TRUE(series.append(frame.SerializeAsString()).ok());
        frame.mutable_channel()->set_id(1);
        EXPECT_TRUE(series.append(frame.SerializeAsString()).ok());
    }
    static std::string thread_frame(std::uint32_t id, const std::string& name) {
        wire::Frame frame;
        frame.mutable_thread()->set_id(id);
        frame.mutable_thread()->set_source(1);
        frame.mutable_thread()->set_tid(1000 + id);
        frame.mutable_thread()->set_name(name);
        return frame.SerializeAsString();
    }
    // Bytes that do not compress, so that files fill.
    Result<void> write_batch(CaptureSeries& series, std::uint64_t index) {
        wire::Frame frame;
        frame.mutable_batch()->set_channel(1);
        frame.mutable_batch()->set_first_index(index);
        std::string noise(20'000, '\0');
        for (char& c : noise) c = static_cast<char>(random_());
        frame.mutable_batch()->set_values(noise);
        return series.append(frame.SerializeAsString(), {1, index, index, 1});
    }
    static std::vector<wire::Frame> frames_of(const std::string& file) {
        std::vector<wire::Frame> frames;
        auto reader = CaptureReader::open(file);
        EXPECT_TRUE(reader.ok()) << file;
        while (auto message = reader->next()) {
            frames.emplace_back();
            EXPECT_TRUE(frames.back().ParseFromArray(message->data(), static_cast<int>(message->size())));
        }
        EXPECT_TRUE(reader->finished()) << file;
        return frames;
    }

    fs::path folder_ = fs::temp_directory_path() / ("sla-series-" + std::to_string(getpid()));
    std::chrono::steady_clock::time_point now_{};
    std::mt19937 random_{3};
};

TEST_F(CaptureSeriesTest, WithoutLimitsItIsOneFileWithItsOwnName) {
    CaptureSeries series = create({});
    write_names(series);
    ASSERT_TRUE(write_batch(series, 0).ok());
    ASSERT_TRUE(series.finish().ok());
    EXPECT_EQ(series.file(), path());
    EXPECT_EQ(frames_of(path()).size(), 4u);
    EXPECT_TRUE(files_of_series(path()).empty());
}

TEST_F(CaptureSeriesTest, ThatIsBeingWrittenIsNotGoneOnWithByAnother) {
    SeriesLimits limits;
    limits.file_bytes = 3'000'000;
    {
        CaptureSeries series = create(limits);
        write_names(series);
        const auto another = CaptureSeries::create(path(), limits);
        ASSERT_FALSE(another.ok());
        EXPECT_NE(another.error().message.find("is being written by another program"), std::string::npos);
        ASSERT_TRUE(series.finish().ok());
    }
    CaptureSeries next = create(limits);
    ASSERT_TRUE(next.finish().ok());
    EXPECT_EQ(files_of_series(path()).size(), 2u);
}

TEST_F(CaptureSeriesTest, EveryFileBeginsWithTheNamesAndEndsOnPurposeAndEachBatchIsInOne) {
    SeriesLimits limits;
    limits.file_bytes = 3'000'000;
    CaptureSeries series = create(limits);
    write_names(series);
    for (std::uint64_t i = 0; i < 500; i++) {
        ASSERT_TRUE(write_batch(series, i).ok());
        if (i != 250) continue;
        wire::Frame frame;
        frame.mutable_source()->set_id(1);
        frame.mutable_source()->set_ended(true);
        ASSERT_TRUE(series.append(frame.SerializeAsString()).ok());
    }
    ASSERT_TRUE(series.finish().ok());
    std::vector<std::string> files = files_of_series(path());
    ASSERT_GE(files.size(), 3u);
    EXPECT_EQ(files[0], path("f-0001.sla"));
    std::uint64_t next = 0;
    for (const std::string& file : files) {
        std::vector<wire::Frame> frames = frames_of(file);
        ASSERT_GE(frames.size(), 4u);
        EXPECT_TRUE(frames[0].has_hello()) << file;
        EXPECT_TRUE(frames[1].has_source());
        EXPECT_TRUE(frames[2].has_channel());
        for (const wire::Frame& frame : frames) {
            if (!frame.has_batch()) continue;
            EXPECT_EQ(frame.batch().first_index(), next++);
        }
        EXPECT_EQ(frames.back().has_end(), file != files.back());
    }
    EXPECT_EQ(next, 500u);
    EXPECT_TRUE(frames_of(files.back())[1].source().ended()) << "the newest word of a source";
}

TEST_F(CaptureSeriesTest, OfWhatTheAgentHasForgottenLaterFilesKnowNothing) {
    SeriesLimits limits;
    limits.file_time = std::chrono::seconds(10);
    CaptureSeries series = create(limits);
    write_names(series);
    const std::uint64_t before = series.memory();
    wire::Frame frame;
    frame.mutable_source()->set_id(2);
    ASSERT_TRUE(series.append(frame.SerializeAsString()).ok());
    frame.mutable_channel()->set_id(7);
    frame.mutable_channel()->set_source(2);
    ASSERT_TRUE(series.append(frame.SerializeAsString()).ok());
    frame.mutable_thread()->set_source(2);
    ASSERT_TRUE(series.append(frame.SerializeAsString()).ok());
    const std::uint64_t with_names = series.memory();
    EXPECT_GT(with_names, before) << "they are counted as long as they are remembered";
    frame.mutable_retired()->add_sources(2);
    frame.mutable_retired()->add_channels(7);
    ASSERT_TRUE(series.append(frame.SerializeAsString()).ok());
    EXPECT_LT(series.memory(), with_names);
    ASSERT_TRUE(write_batch(series, 0).ok());
    now_ += std::chrono::seconds(100);
    ASSERT_TRUE(series.flush().ok());
    ASSERT_TRUE(series.finish().ok());
    const std::vector<wire::Frame> first = frames_of(path("f-0001.sla"));
    EXPECT_EQ(std::count_if(first.begin(), first.end(), [](const wire::Frame& one) { return one.has_channel(); }), 2);
    for (const wire::Frame& one : frames_of(path("f-0002.sla"))) {
        EXPECT_FALSE(one.has_source() && one.source().id() == 2);
        EXPECT_FALSE(one.has_channel() && one.channel().id() == 7);
        EXPECT_FALSE(one.has_thread());
    }
}

TEST_F(CaptureSeriesTest, AFileThatIsOldAndHoldsSomethingIsFollowedByTheNext) {
    SeriesLimits limits;
    limits.file_time = std::chrono::seconds(10);
    CaptureSeries series = create(limits);
    write_names(series);
    now_ += std::chrono::seconds(100);
    ASSERT_TRUE(series.flush().ok());
    EXPECT_EQ(series.file(), path("f-0001.sla")) << "it holds no event yet";
    ASSERT_TRUE(write_batch(series, 0).ok());
    ASSERT_TRUE(series.flush().ok());
    EXPECT_EQ(series.file(), path("f-0002.sla"));
    ASSERT_TRUE(series.finish().ok());
}

TEST_F(CaptureSeriesTest, WordsAloneMakeAFileFullTooSoThatAnIdleAgentsFilesStayBounded) {
    SeriesLimits limits;
    limits.file_bytes = 100'000;
    limits.keep_files = 2;
    CaptureSeries series = create(limits);
    write_names(series);
    for (int i = 0; i < 100; ++i) {
        wire::Frame frame;
        std::string noise(20'000, ' ');
        for (char& c : noise) c = static_cast<char>('!' + random_() % 90);
        frame.mutable_notice()->set_text(noise);
        ASSERT_TRUE(series.append(frame.SerializeAsString()).ok());
        ASSERT_TRUE(series.flush().ok());
    }
    ASSERT_TRUE(series.finish().ok());
    std::uint64_t bytes = 0;
    for (const auto& file : fs::directory_iterator(folder_)) bytes += file.file_size();
    EXPECT_LE(bytes, 5 * limits.file_bytes) << "of 1.6 MB in all";
}

// A thread a request: the names of all that there ever were would be more than a file may have.
TEST_F(CaptureSeriesTest, TheNamesOfVeryManyThreadsDoNotFillEveryFile) {
    SeriesLimits limits;
    limits.file_bytes = 64 << 10;
    CaptureSeries series = create(limits);
    write_names(series);
    constexpr std::uint32_t kThreads = 50'000;
    for (std::uint32_t id = 1; id <= kThreads; ++id)
        ASSERT_TRUE(series.append(thread_frame(id, "worker " + std::to_string(random_()))).ok());
    const std::size_t before = files_of_series(path()).size();
    for (std::uint64_t i = 0; i < 20; ++i) {
        ASSERT_TRUE(write_batch(series, i).ok());
        ASSERT_TRUE(series.flush().ok());
    }
    ASSERT_TRUE(series.finish().ok());
    const std::vector<std::string> files = files_of_series(path());
    EXPECT_LE(files.size() - before, 7u) << "400 KB, of which each file has 64 KiB and a little";
    std::vector<std::uint32_t> named;
    for (const wire::Frame& frame : frames_of(files.back())) {
        if (frame.has_thread()) named.push_back(frame.thread().id());
    }
    ASSERT_EQ(named.size(), 16'384u);
    EXPECT_EQ(named.front(), 1u) << "the main thread";
    EXPECT_EQ(named.back(), kThreads);
}

TEST_F(CaptureSeriesTest, TheNamesOfVeryManyThreadsTakeMemoryUpToABoundAndNoneOnceTheirSourceIsGone) {
    StreamHead head;
    for (std::uint32_t id = 1; id <= 20'000; ++id) head.remember(thread_frame(id, "worker"));
    const std::uint64_t bytes = head.bytes();
    for (std::uint32_t id = 20'001; id <= 50'000; ++id) head.remember(thread_frame(id, "worker"));
    EXPECT_LT(head.bytes(), bytes + 100'000) << "ids have more digits";
    wire::Frame frame;
    frame.mutable_retired()->add_sources(1);
    head.remember(frame.SerializeAsString());
    EXPECT_EQ(head.bytes(), 0u);
}

TEST_F(CaptureSeriesTest, TheOldestGoAndNobodyElsesFiles) {
    const auto others = {"f.sla", "f-x.sla", "f-0001.sla.bak", "f-01.sla", "g-0001.sla", "f--001.sla", "f-00001.sla"};
    for (const char* other : others) {
        std::ofstream(path(other)) << "mine";
    }
    std::ofstream(path("f-0007.sla")) << "an older recording's";
    SeriesLimits limits;
    limits.file_time = std::chrono::seconds(1);
    limits.keep_files = 2;
    CaptureSeries series = create(limits);
    EXPECT_EQ(series.file(), path("f-0008.sla")) << "numbers go on";
    write_names(series);
    for (std::uint64_t i = 0; i < 5; i++) {
        ASSERT_TRUE(write_batch(series, i).ok());
        now_ += std::chrono::seconds(2);
        ASSERT_TRUE(series.flush().ok());
    }
    ASSERT_TRUE(series.finish().ok());
    EXPECT_EQ(files_of_series(path()), (std::vector<std::string>{path("f-0012.sla"), path("f-0013.sla")}));
    for (const char* other : others) {
        EXPECT_TRUE(fs::exists(path(other))) << other;
    }
}

// The recording goes on while somebody opens what was there.
TEST_F(CaptureSeriesTest, TheOldestMayGoWhileItIsOpened) {
    SeriesLimits limits;
    limits.file_bytes = 1'000'000;
    CaptureSeries series = create(limits);
    write_names(series);
    for (std::uint64_t i = 0; i < 300; i++) ASSERT_TRUE(write_batch(series, i).ok());
    ASSERT_TRUE(series.finish().ok());
    const std::vector<std::string> files = files_of_series(path());
    ASSERT_GE(files.size(), 5u);
    const auto store = CaptureStore::open(path());
    ASSERT_TRUE(store.ok());
    const auto batches = [&] {
        auto frames = (*store)->open_frames();
        EXPECT_TRUE(frames.ok());
        std::size_t count = 0;
        wire::Frame frame;
        while (const auto message = frames->next()) {
            EXPECT_TRUE(frame.ParseFromArray(message->data(), static_cast<int>(message->size())));
            count += frame.has_batch() ? 1 : 0;
        }
        return std::pair(count, frames->damage().size());
    };
    const std::size_t all = batches().first;
    EXPECT_EQ(all, 300u);
    fs::remove(files[0]);
    fs::remove(files[1]);
    const auto [left, damage] = batches();
    EXPECT_GT(left, 0u);
    EXPECT_LT(left, all);
    EXPECT_EQ(damage, 0u);
    const auto index = (*store)->index({});
    ASSERT_TRUE(index.ok());
    EXPECT_TRUE(index->damage().empty()) << index->damage().front().what;
    fs::remove(files[3]);
    EXPECT_EQ(batches().second, 1u) << "between two";
    EXPECT_EQ((*store)->index({})->damage().size(), 1u);
    for (const std::string& file : files) fs::remove(file);
    EXPECT_FALSE((*store)->open_frames().ok());
    EXPECT_FALSE((*store)->index({}).ok());
}

TEST_F(CaptureSeriesTest, TakesNoFileForOneOfItsOwnThatItWouldNotNameSo) {
    std::ofstream(path("f-00001.sla")) << "mine";
    EXPECT_TRUE(files_of_series(path()).empty());
}

// As nobody in particular, whom a folder lets write and not look.
TEST_F(CaptureSeriesTest, WhereItCannotSeeWhatIsThereItWritesOverNothingAndSaysSo) {
    std::ofstream(path("f-0001.sla")) << "an older recording's";
    ASSERT_EQ(chmod(path("f-0001.sla").c_str(), 0666), 0);
    ASSERT_EQ(chmod(folder_.c_str(), 0333), 0);
    const auto attempt = [this] {
        constexpr uid_t kNobody = 65534;
        if (geteuid() == 0 && setresuid(kNobody, kNobody, kNobody) != 0) _exit(3);
        SeriesLimits limits;
        limits.file_bytes = 1'000'000;
        const auto series = CaptureSeries::create(path(), limits);
        const auto folder = find_pieces(folder_.string());
        const bool is_said = !series && series.error().message.find("Permission denied") != std::string::npos && !folder &&
                             folder.error().message.find("Permission denied") != std::string::npos;
        _exit(is_said ? 0 : 1);
    };
    EXPECT_EXIT(attempt(), testing::ExitedWithCode(0), "");
    ASSERT_EQ(chmod(folder_.c_str(), 0755), 0);
    EXPECT_EQ(fs::file_size(path("f-0001.sla")), 20U) << "as it was";
}

TEST_F(CaptureSeriesTest, ALimitNearTheEndOfNumbersIsNotReachedByTheNamesThatAFileBeginsWith) {
    SeriesLimits limits;
    limits.file_bytes = ~std::uint64_t{0};
    limits.file_time = std::chrono::seconds(1);
    CaptureSeries series = create(limits);
    write_names(series);
    ASSERT_TRUE(write_batch(series, 0).ok());
    now_ += std::chrono::seconds(2);
    ASSERT_TRUE(series.flush().ok());
    wire::Frame word;
    word.mutable_notice()->set_text("nothing happens");
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(series.append(word.SerializeAsString()).ok());
        ASSERT_TRUE(series.flush().ok());
    }
    EXPECT_EQ(series.file(), path("f-0002.sla"));
    ASSERT_TRUE(series.finish().ok());
}

TEST_F(CaptureSeriesTest, WhatIsWrongWithItsLastFileIsStillKnownWhenItsEndIsAskedForAgain) {
    SeriesLimits limits;
    limits.file_time = std::chrono::seconds(1);
    CaptureSeries series = create(limits);
    write_names(series);
    ASSERT_TRUE(write_batch(series, 0).ok());
    ASSERT_TRUE(series.finish().ok());
    std::ofstream(path("f-0001.sla"), std::ios::app) << "something behind its end";
    std::ofstream(path("f-0002.sla")) << "no capture";
    auto reader = CaptureReader::open(path());
    ASSERT_TRUE(reader.ok());
    while (reader->next()) {
    }
    const std::size_t places = reader->damage().size();
    ASSERT_GE(places, 2U);
    EXPECT_NE(reader->damage().back().what.find("is not a capture"), std::string::npos);
    EXPECT_FALSE(reader->next().has_value());
    EXPECT_EQ(reader->damage().size(), places);
}

// As whoever was killed when he had just begun it leaves it.
TEST_F(CaptureSeriesTest, IsNotFinishedWhereItsLastFileHoldsNothing) {
    SeriesLimits limits;
    limits.file_time = std::chrono::seconds(1);
    CaptureSeries series = create(limits);
    write_names(series);
    ASSERT_TRUE(write_batch(series, 0).ok());
    ASSERT_TRUE(series.finish().ok());
    for (const bool is_empty : {true, false}) {
        std::ofstream(path("f-0002.sla")).flush();
        if (!is_empty) fs::copy_file(path("f-0001.sla"), path("f-0003.sla"));
        auto reader = CaptureReader::open(path());
        ASSERT_TRUE(reader.ok());
        while (reader->next()) {
        }
        EXPECT_EQ(reader->finished(), !is_empty);
        EXPECT_EQ(reader->damage().size(), 1U);
        const auto index = CaptureIndex::open(path());
        ASSERT_TRUE(index.ok());
        EXPECT_EQ(index->finished(), !is_empty);
        EXPECT_EQ(index->damage().size(), 1U);
    }
}

TEST_F(CaptureSeriesTest, AFailureIsGivenAgainAndNothingIsWrittenAfterIt) {
    SeriesLimits limits;
    limits.file_time = std::chrono::seconds(1);
    CaptureSeries series = create(limits);
    write_names(series);
    ASSERT_TRUE(write_batch(series, 0).ok());
    fs::remove_all(folder_);
    now_ += std::chrono::seconds(2);
    EXPECT_FALSE(series.flush().ok());
    EXPECT_FALSE(write_batch(series, 1).ok());
    EXPECT_FALSE(series.flush().ok());
    EXPECT_FALSE(series.finish().ok());
}

TEST(ParseRotation, SizesTimesAndBothAreRead) {
    EXPECT_EQ(parse_rotation("1GiB")->file_bytes, 1u << 30);
    EXPECT_EQ(parse_rotation("10min")->file_time, std::chrono::minutes(10));
    Result<SeriesLimits> both = parse_rotation("1MB,1h");
    ASSERT_TRUE(both.ok());
    EXPECT_EQ(both->file_bytes, 1'000'000u);
    EXPECT_EQ(both->file_time, std::chrono::hours(1));
    for (const char* text : {"", "0", "often", "1GB,", "1GB,2GB", "1s,2s", "10ms", "-1s"}) {
        EXPECT_FALSE(parse_rotation(text).ok()) << text;
    }
}

}  // namespace
}  // namespace sla::capture
