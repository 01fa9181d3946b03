// The pieces of a rotated recording are one capture, which answers every question like the same rows in one file.
#include "tests/support/temporary_path.h"
#include "tests/unit/viewer/ingest/random_series.h"
#include "tests/unit/viewer/ingest/same_answers.h"
#include "viewer/ingest/file_source.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace sla::ingest {
namespace {

namespace fs = std::filesystem;
using store::Session;

class SeriesTest : public ::testing::Test {
protected:
    SeriesTest() { fs::create_directories(folder_); }

    [[nodiscard]] std::string path(const std::string& name = "rec.sla") const { return (folder_ / name).string(); }
    static FileOptions paged() {
        FileOptions options;
        options.rows_in_memory = 0;
        options.cache_bytes = 100'000;
        return options;
    }
    static bool is_paged(const Session& session) {
        return std::all_of(session.lanes().begin(), session.lanes().end(),
                           [](const store::Lane* lane) { return lane->pages() != nullptr; });
    }
    static bool says(const Session& session, const std::string& what) {
        return std::any_of(session.notes().begin(), session.notes().end(), [&](const store::Note& note) {
            return note.damage && note.text.find(what) != std::string::npos;
        });
    }
    void expect_all_the_same(const Session& a, const Session& b) {
        expect_same_rows(a, b);
        expect_same_sums(a, b, random_);
        expect_same_spans(a, b, random_);
        expect_same_table(a, b, random_);
    }

    const support::TemporaryPath temporary_{"series"};
    const fs::path& folder_ = temporary_.path;
    std::mt19937_64 random_{7};
};

TEST_F(SeriesTest, AllItsFilesAreOneCapturePagedOrNot) {
    for (const std::uint64_t seed : {1, 2, 3}) {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
        write_random_series(path(), seed, 40, 7);
        ASSERT_EQ(capture::files_of_series(path()).size(), 6u);
        write_random_capture(path("one.sla"), seed, 40);
        Session one;
        Session in_memory;
        Session from_files;
        ASSERT_TRUE(load_file(path("one.sla"), one).ok());
        ASSERT_TRUE(load_file(path(), in_memory).ok());
        ASSERT_TRUE(load_file(path(), from_files, {}, paged()).ok());
        ASSERT_TRUE(is_paged(from_files)) << "spans that are open where a file ends are no hindrance";
        EXPECT_FALSE(is_paged(in_memory));
        expect_all_the_same(in_memory, one);
        expect_all_the_same(from_files, one);
        EXPECT_EQ(from_files.damage_count() + in_memory.damage_count(), 0u);
        EXPECT_EQ(from_files.end_reason(), "done");
        EXPECT_EQ(in_memory.end_reason(), "done");
    }
}

TEST_F(SeriesTest, AFolderAndAPatternNameTheSame) {
    write_random_series(path(), 4, 12, 3);
    Session by_name;
    Session by_folder;
    Session by_pattern;
    ASSERT_TRUE(load_file(path(), by_name).ok());
    ASSERT_TRUE(load_file(folder_.string(), by_folder).ok());
    ASSERT_TRUE(load_file(path("rec-*.sla"), by_pattern).ok());
    expect_same_rows(by_folder, by_name);
    expect_same_rows(by_pattern, by_name);
    Session none;
    const auto loaded = load_file(path("other-*.sla"), none);
    ASSERT_FALSE(loaded.ok());
    EXPECT_NE(loaded.error().message.find("other-*.sla"), std::string::npos) << loaded.error().message;
}

TEST_F(SeriesTest, ASingleFileOfItStaysOneFile) {
    write_random_series(path(), 5, 12, 3);
    Session whole;
    Session second;
    ASSERT_TRUE(load_file(path(), whole).ok());
    ASSERT_TRUE(load_file(path("rec-0002.sla"), second).ok());
    EXPECT_LT(second.events(), whole.events());
    EXPECT_EQ(second.end_reason(), "goes on in rec-0003.sla");
}

TEST_F(SeriesTest, AFileThatWentFromTheMiddleIsSaidAndItsRowsAreLossRows) {
    write_random_series(path(), 6, 40, 7);
    Session whole;
    ASSERT_TRUE(load_file(path(), whole).ok());
    fs::remove(path("rec-0003.sla"));
    for (const FileOptions& options : {FileOptions(), paged()}) {
        Session rest;
        ASSERT_TRUE(load_file(path(), rest, {}, options).ok());
        EXPECT_TRUE(says(rest, "rec-0003.sla is missing"));
        const store::Lane& lane = *rest.lanes()[0];
        EXPECT_EQ(lane.uncounted_losses(), whole.lanes()[0]->uncounted_losses() + 1) << "nobody has its index";
        const std::uint64_t gone = whole.lanes()[0]->size() - (lane.size() - 1);
        EXPECT_GT(gone, 0u);
        EXPECT_TRUE(says(rest, "'" + lane.channel().name + "': " + std::to_string(gone) + " rows are missing"));
    }
}

TEST_F(SeriesTest, AFirstFileThatWasRemovedIsABeginningThatIsLateAndTheRestIsAsInMemory) {
    for (const std::uint64_t seed : {7, 8, 9}) {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
        write_random_series(path(), seed, 40, 7);
        fs::remove(path("rec-0001.sla"));
        Session in_memory;
        Session from_files;
        ASSERT_TRUE(load_file(path(), in_memory).ok());
        ASSERT_TRUE(load_file(path(), from_files, {}, paged()).ok());
        EXPECT_TRUE(in_memory.begins_late());
        EXPECT_TRUE(from_files.begins_late());
        for (std::size_t i = 0; i < in_memory.lanes().size(); ++i)
            EXPECT_EQ(from_files.lanes()[i]->begins_late(), in_memory.lanes()[i]->begins_late()) << i;
        expect_same_rows(from_files, in_memory);
        expect_same_spans(from_files, in_memory, random_);
    }
}

TEST_F(SeriesTest, DamageNamesTheFileThatItIsIn) {
    write_random_series(path(), 10, 40, 7);
    std::fstream(path("rec-0002.sla"), std::ios::in | std::ios::out | std::ios::binary).seekp(600).write("XXXX", 4);
    Session session;
    ASSERT_TRUE(load_file(path(), session).ok());
    EXPECT_TRUE(says(session, "rec-0002.sla: "));
}

TEST_F(SeriesTest, AFileThatIsNoCaptureIsSaidAndTheOthersAreRead) {
    write_random_series(path(), 11, 40, 7);
    std::ofstream(path("rec-0006.sla"), std::ios::trunc) << "no capture, but long enough to be looked at by all";
    for (const FileOptions& options : {FileOptions(), paged()}) {
        Session session;
        ASSERT_TRUE(load_file(path(), session, {}, options).ok());
        EXPECT_GT(session.events(), 0u);
        EXPECT_TRUE(says(session, "rec-0006.sla"));
    }
}

// Written by programs that begin anew with every file (and by rotation until version 3 of it): what is open then is not known
// without the rows.
TEST_F(SeriesTest, PiecesThatBeginAnewAreReadInOrderWhereSpansCrossThem) {
    write_random_capture(path("one.sla"), 12, 20);
    std::optional<capture::CaptureWriter> writer;
    int chunks = 0;
    const auto begin = [&](const std::string& file) {
        auto created = capture::CaptureWriter::create(path(file));
        ASSERT_TRUE(created.ok());
        writer.emplace(std::move(*created));
    };
    begin("rec-0001.sla");
    make_random_stream({[&](const std::string& frame) { ASSERT_TRUE(writer->append(frame, facts_of(frame)).ok()); },
                        [&] {
                            ASSERT_TRUE(writer->flush().ok());
                            if (++chunks != 10) return;
                            ASSERT_TRUE(writer->finish().ok());
                            begin("rec-0002.sla");
                            put_names([&](const std::string& frame) { ASSERT_TRUE(writer->append(frame).ok()); },
                                      kRandomChannels);
                        }},
                       12, 20);
    ASSERT_TRUE(writer->finish().ok());
    Session one;
    Session two;
    ASSERT_TRUE(load_file(path("one.sla"), one).ok());
    ASSERT_TRUE(load_file(path(), two, {}, paged()).ok());
    expect_all_the_same(two, one);
}

TEST_F(SeriesTest, FilesOfTwoRecordingsAreRefusedAndSaidApart) {
    write_random_series(path(), 13, 12, 4);
    const std::string hello = [] {
        wire::Frame frame;
        frame.mutable_hello()->set_version(2);
        frame.mutable_hello()->set_capture_id(4711);
        return frame.SerializeAsString();
    }();
    auto other = capture::CaptureWriter::create(path("rec-0004.sla"));
    ASSERT_TRUE(other.ok() && other->append(hello).ok() && other->finish().ok());
    Session session;
    const auto loaded = load_file(path(), session);
    ASSERT_FALSE(loaded.ok());
    EXPECT_EQ(loaded.error().code, ErrorCode::kInvalidInput);
    EXPECT_NE(loaded.error().message.find("2 recordings: rec-0001.sla to rec-0003.sla, rec-0004.sla"), std::string::npos)
        << loaded.error().message;
}

}  // namespace
}  // namespace sla::ingest
