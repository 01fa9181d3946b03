#include "proto/capture/file_finisher.h"

#include "proto/capture/capture_index.h"
#include "proto/capture/file_format.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "tests/unit/proto/capture/capture_files.h"

namespace sla::capture {
namespace {

std::string rows_frame(std::uint64_t index, std::uint32_t rows) {
    wire::EventBatch batch;
    batch.channel.value = 1;
    batch.first_index = index;
    for (std::uint32_t i = 0; i < rows; ++i) batch.add(1000 + 10 * (index + i), SLA_CODE_TICK, 0, 1);
    wire::Frame frame;
    encode_batch(batch, *frame.mutable_batch());
    return frame.SerializeAsString();
}

std::string name_frame() {
    wire::Frame frame;
    frame.mutable_channel()->set_id(1);
    frame.mutable_channel()->set_name("rx");
    return frame.SerializeAsString();
}

std::vector<std::string> frames_in(const std::string& path) {
    return read_capture(path).frames;
}

void write_file(const std::string& path, const std::string& bytes) {
    std::filesystem::remove(path);  // writing over a file makes ext4 wait for the disk
    std::ofstream(path, std::ios::binary) << bytes;
}

// Six chunks of frames, an index behind them.
void write_six_chunks(const std::string& path) {
    Result<CaptureWriter> writer = CaptureWriter::create(path);
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->append(name_frame()));
    for (std::uint64_t chunk = 0; chunk < 6; ++chunk) {
        ASSERT_TRUE(writer->append(rows_frame(20 * chunk, 20)));
        ASSERT_TRUE(writer->flush());
    }
    EXPECT_EQ(writer->written().events, 120u);
    ASSERT_TRUE(writer->finish());
}

TEST(FileFinisher, FinishesAFileThatWasCutAnywhereWithAllItsWholeChunks) {
    const Folder folder;
    const std::string path = folder.file("whole.sla");
    write_six_chunks(path);
    const std::string whole = read_all(path);
    const std::vector<std::string> frames = frames_in(path);
    const std::string part = folder.file("part.sla");
    for (std::size_t bytes = kFileHeaderBytes; bytes < whole.size(); bytes += 7) {
        write_file(part, whole.substr(0, bytes));
        const std::vector<std::string> before = frames_in(part);
        const Result<Finished> done = finish_file(part);
        ASSERT_TRUE(done) << bytes << ": " << done.error().message;
        EXPECT_FALSE(done->was_finished) << bytes;
        EXPECT_EQ(frames_in(part), before) << bytes;
        const std::string now = read_all(part);
        ASSERT_EQ(now.substr(0, bytes - done->cut_bytes), whole.substr(0, bytes - done->cut_bytes)) << bytes;
        const Result<CaptureIndex> index = CaptureIndex::open(part);
        ASSERT_TRUE(index) << bytes;
        EXPECT_TRUE(index->finished() && !index->made_anew()) << bytes;
        const std::size_t chunks = before.empty() ? 0 : before.size() - 1;  // one frame each, two in the first
        EXPECT_EQ(index->chunks().size(), chunks) << bytes;
        EXPECT_EQ(index->lanes().empty() ? 0 : index->lane(ChannelId{1})->rows(), 20 * chunks) << bytes;
    }
}

TEST(FileFinisher, FindsTheSameSummariesThatTheWriterWouldHaveWritten) {
    const Folder folder;
    const std::string path = folder.file("whole.sla");
    write_six_chunks(path);
    const std::string whole = read_all(path);
    // Without its index and mark it is the same file again.
    const CaptureIndex index = *CaptureIndex::open(path);
    const std::uint64_t last = index.chunks().back().offset + kChunkHeaderBytes + index.chunks().back().stored_bytes;
    write_file(path, whole.substr(0, last));
    ASSERT_TRUE(finish_file(path));
    EXPECT_EQ(read_all(path), whole);
}

TEST(FileFinisher, LeavesAFinishedFileAloneAndRefusesWhatIsNone) {
    const Folder folder;
    const std::string path = folder.file("whole.sla");
    write_six_chunks(path);
    const std::string whole = read_all(path);
    const Result<Finished> done = finish_file(path);
    ASSERT_TRUE(done);
    EXPECT_TRUE(done->was_finished);
    EXPECT_EQ(read_all(path), whole);
    write_file(path, "no capture at all, but long enough to be one of them");
    EXPECT_FALSE(finish_file(path));
    write_file(path, "");
    EXPECT_FALSE(finish_file(path));
    EXPECT_FALSE(finish_file(folder.file("nowhere.sla")));
}

TEST(SmallChunks, BeginANewOneBeforeAFrameThatWouldBeTooMuch) {
    const Folder folder;
    const std::string path = folder.file("small.sla");
    Result<CaptureWriter> writer = CaptureWriter::create(path, {2000, 3000});
    ASSERT_TRUE(writer);
    std::string notice;
    for (std::size_t size : {1500, 1400, 1900, 2500}) {
        wire::Frame frame;
        frame.mutable_notice()->set_text(std::string(size, 'x'));
        ASSERT_TRUE(writer->append(frame.SerializeAsString()));
    }
    EXPECT_EQ(writer->frames_waiting(), 0u);
    ASSERT_TRUE(writer->finish());
    // 1500 and 1400 make one of more than 2000; 1900 stands alone, as 2500 would make it more than 3000.
    const CaptureIndex index = *CaptureIndex::open(path);
    ASSERT_EQ(index.chunks().size(), 3u);
    EXPECT_EQ(index.chunks()[0].frames, 2u);
    EXPECT_EQ(index.chunks()[1].frames, 1u);
    EXPECT_EQ(index.chunks()[2].frames, 1u);
}

}  // namespace
}  // namespace sla::capture
