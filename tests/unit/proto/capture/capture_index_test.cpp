#include "proto/capture/capture_index.h"

#include "proto/capture/chunk_reader.h"
#include "proto/capture/file_format.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "tests/unit/proto/capture/capture_files.h"

#include <filesystem>
#include <random>

namespace sla::capture {
namespace {

std::string name_frame(const std::string& name) {
    wire::Frame frame;
    frame.mutable_channel()->set_id(1);
    frame.mutable_channel()->set_name(name);
    return frame.SerializeAsString();
}

std::string status_frame(std::uint64_t tick) {
    wire::Frame frame;
    frame.mutable_status()->set_tick(tick);
    return frame.SerializeAsString();
}

// A level that rises at 0, 20, 40 ... and falls at 10, 30 ...: high half of the time. `rows` is even.
std::string level_frame(std::uint32_t channel, std::uint64_t first, std::uint64_t rows) {
    wire::EventBatch batch;
    batch.channel.value = channel;
    batch.first_index = first;
    for (std::uint64_t i = first; i < first + rows; ++i) batch.add(i * 10, SLA_CODE_LEVEL, i % 2 == 0, 1);
    wire::Frame frame;
    encode_batch(batch, *frame.mutable_batch());
    return frame.SerializeAsString();
}

// `chunks` chunks of two channels, a name at the beginning of each.
void write_levels(const std::string& path, std::uint64_t chunks, bool finish = true) {
    Result<CaptureWriter> writer = CaptureWriter::create(path);
    ASSERT_TRUE(writer.ok());
    for (std::uint64_t i = 0; i < chunks; ++i) {
        ASSERT_TRUE(writer->append(name_frame("name " + std::to_string(i))).ok());
        ASSERT_TRUE(writer->append(level_frame(1, i * 1200, 1200)).ok());
        ASSERT_TRUE(writer->append(level_frame(2, i * 2, 2)).ok());
        ASSERT_TRUE(writer->append(status_frame(2 * i)).ok());
        ASSERT_TRUE(writer->append(status_frame(2 * i + 1)).ok());
        ASSERT_TRUE(writer->flush().ok());
    }
    if (finish) {
        ASSERT_TRUE(writer->finish().ok());
    }
}

void expect_levels(const CaptureIndex& index, std::uint64_t chunks) {
    ASSERT_EQ(index.chunks().size(), chunks);
    ASSERT_EQ(index.lanes().size(), 2U);
    EXPECT_EQ(index.lane(ChannelId{3}), nullptr);
    const CaptureIndex::Lane& lane = *index.lane(ChannelId{1});
    ASSERT_EQ(lane.summaries.size(), chunks);
    EXPECT_EQ(lane.rows(), chunks * 1200);
    EXPECT_EQ(lane.lower_bound(0), 0U);
    EXPECT_EQ(lane.lower_bound(12000), 1U);
    EXPECT_EQ(lane.lower_bound(chunks * 12000), chunks);
    for (std::uint64_t i = 0; i < chunks; ++i) {
        EXPECT_EQ(lane.chunk_numbers[i], i);
        EXPECT_EQ(lane.summaries[i].first_tick, i * 12000);
        EXPECT_EQ(lane.summaries[i].high_ticks, 6000U);
        EXPECT_EQ(lane.summaries[i].level_before, i == 0 ? Level::kUnknown : Level::kLow);
        EXPECT_EQ(lane.summaries[i].max, 1.0);
    }
}

// Regular rows take next to no bytes, and who writes a file of others' rows writes very many in a second.
TEST(CaptureWriter, AChunkOfRegularRowsIsClosedAfterAMillionOfThem) {
    constexpr std::uint64_t kRows = 60'000;
    constexpr std::uint64_t kFrames = 50;
    const Folder folder;
    Result<CaptureWriter> writer = CaptureWriter::create(folder.file());
    ASSERT_TRUE(writer.ok());
    for (std::uint64_t i = 0; i < kFrames; ++i) ASSERT_TRUE(writer->append(level_frame(1, i * kRows, kRows)).ok());
    ASSERT_TRUE(writer->finish().ok());
    const auto index = CaptureIndex::open(folder.file());
    ASSERT_TRUE(index.ok());
    const CaptureIndex::Lane& lane = *index->lane(ChannelId{1});
    EXPECT_EQ(lane.rows(), kRows * kFrames);
    EXPECT_EQ(index->chunks().size(), 3U);
    for (const LaneSummary& summary : lane.summaries) EXPECT_LE(summary.rows, WriterOptions().chunk_rows + kRows);
}

TEST(CaptureIndexTest, SaysWhereEverythingIsAndWhatMustBeKnown) {
    const Folder folder;
    write_levels(folder.file(), 600);
    const Result<CaptureIndex> index = CaptureIndex::open(folder.file());
    ASSERT_TRUE(index.ok()) << index.error().message;
    EXPECT_FALSE(index->made_anew());
    EXPECT_TRUE(index->finished());
    EXPECT_EQ(index->file_bytes(), std::filesystem::file_size(folder.file()));
    expect_levels(*index, 600);
    // All names, and the newest status of each of the three index chunks.
    ASSERT_EQ(index->lasting().size(), 603U);
    EXPECT_EQ(index->lasting().front(), name_frame("name 0"));
    EXPECT_EQ(index->lasting()[255], name_frame("name 255"));
    EXPECT_EQ(index->lasting().back(), status_frame(1199));
}

TEST(CaptureIndexTest, IsMadeAnewOfAnUnfinishedFileFromItsSummaries) {
    const Folder folder;
    write_levels(folder.file(), 300, false);
    const Result<CaptureIndex> index = CaptureIndex::open(folder.file());
    ASSERT_TRUE(index.ok()) << index.error().message;
    EXPECT_TRUE(index->made_anew());
    EXPECT_FALSE(index->finished());
    EXPECT_TRUE(index->damage().empty());
    expect_levels(*index, 300);
    EXPECT_EQ(index->lasting().size(), 600U);
    EXPECT_FALSE(CaptureIndex::open(folder.file(), [](double) { return false; }).ok()) << "the user stopped it";
}

TEST(CaptureIndexTest, LooksAtTheEventsWhereASummaryIsGone) {
    const Folder folder;
    write_levels(folder.file(), 3, false);
    std::string bytes = read_all(folder.file());
    const Result<CaptureIndex> before = CaptureIndex::open(folder.file());
    const ChunkPlace& second = before->chunks()[1];
    bytes[second.offset + kChunkHeaderBytes + second.stored_bytes + 20] ^= 1;
    const Result<CaptureIndex> index = CaptureIndex::open(folder.write(bytes));
    ASSERT_TRUE(index.ok());
    ASSERT_EQ(index->chunks().size(), 3U);
    const CaptureIndex::Lane& lane = *index->lane(ChannelId{1});
    ASSERT_EQ(lane.summaries.size(), 3U);
    EXPECT_EQ(lane.summaries[1].rows, 1200U);
    EXPECT_EQ(lane.summaries[1].high_ticks, 6000U);
    EXPECT_EQ(lane.summaries[1].level_before, Level::kUnknown) << "what was before it is not known any more";
    EXPECT_EQ(index->damage().size(), 1U);
}

TEST(CaptureIndexTest, KeepsNamesOfAChunkWhoseEventsAreGone) {
    const Folder folder;
    write_levels(folder.file(), 3, false);
    std::string bytes = read_all(folder.file());
    bytes[CaptureIndex::open(folder.file())->chunks()[1].offset + kChunkHeaderBytes + 3] ^= 1;
    const Content content = read_capture(folder.write(bytes));
    EXPECT_NE(std::find(content.frames.begin(), content.frames.end(), name_frame("name 1")), content.frames.end());
    ASSERT_EQ(content.damage.size(), 1U);
    EXPECT_EQ(content.damage[0].chunk, 2U);
    ASSERT_EQ(content.damage[0].lost.size(), 2U);
    EXPECT_EQ(content.damage[0].lost[0].channel, ChannelId{1});
    EXPECT_EQ(content.damage[0].lost[0].first_index, 1200U);
    EXPECT_EQ(content.damage[0].lost[0].rows, 1200U);
    EXPECT_EQ(content.damage[0].lost[0].last_tick, 23990U);
}

TEST(ChunkReaderTest, GivesAnyChunkAloneAndItsCells) {
    const Folder folder;
    write_levels(folder.file(), 20);
    const Result<CaptureIndex> index = CaptureIndex::open(folder.file());
    Result<ChunkReader> reader = ChunkReader::open(folder.file());
    ASSERT_TRUE(index.ok() && reader.ok());
    for (const std::size_t number : {13, 2, 19}) {
        ASSERT_TRUE(reader->load(index->chunks()[number]).ok());
        EXPECT_EQ(reader->next(), name_frame("name " + std::to_string(number)));
        EXPECT_EQ(reader->next(), level_frame(1, number * 1200, 1200));
        const Result<ChunkDetail> detail = reader->detail(index->chunks()[number]);
        ASSERT_TRUE(detail.ok()) << detail.error().message;
        ASSERT_EQ(detail->lanes.size(), 2U);
        ASSERT_EQ(detail->cells.size(), 3U) << "of channel 1; channel 2 fits in one";
        EXPECT_EQ(detail->cells[1].first_index, number * 1200 + kCellRows);
        EXPECT_EQ(detail->cells[2].rows, 1200 - 2 * kCellRows);
    }
    EXPECT_FALSE(reader->load({0, 5, 10, 1}).ok());
    EXPECT_FALSE(reader->detail({0, 5, 10, 1}).ok());
}

TEST(ChunkReaderTest, NamesThePlaceOfWhatItCannotRead) {
    const Folder folder;
    write_levels(folder.file(), 2);
    const ChunkPlace place = CaptureIndex::open(folder.file())->chunks()[1];
    std::string bytes = read_all(folder.file());
    bytes[place.offset + kChunkHeaderBytes] ^= 1;
    Result<ChunkReader> reader = ChunkReader::open(folder.write(bytes));
    const Result<void> loaded = reader->load(place);
    ASSERT_FALSE(loaded.ok());
    EXPECT_NE(loaded.error().message.find("the checksum of a chunk is wrong"), std::string::npos);
    EXPECT_NE(loaded.error().message.find(std::to_string(place.offset)), std::string::npos);
    EXPECT_EQ(reader->next(), std::nullopt);
}

// Of each channel so many rows whose ticks and values do not pack.
std::size_t chunks_of(std::uint32_t channels, const WriterOptions& options, int rows = 64) {
    const Folder folder;
    std::mt19937_64 random(3);
    Result<CaptureWriter> writer = CaptureWriter::create(folder.file(), options);
    std::uint64_t tick = 0;
    for (std::uint32_t i = 0; i < 6000; ++i) {
        wire::EventBatch batch;
        batch.channel.value = i % channels;
        batch.first_index = i / channels * static_cast<std::uint64_t>(rows);
        for (int row = 0; row < rows; ++row) batch.add(tick += random() % 60'000, SLA_CODE_TICK_VALUE, random(), 1);
        wire::Frame frame;
        encode_batch(batch, *frame.mutable_batch());
        EXPECT_TRUE(writer->append(frame.SerializeAsString()));
    }
    EXPECT_TRUE(writer->finish());
    return CaptureIndex::open(folder.file())->chunks().size();
}

TEST(Chunks, AreLargerWhereManyChannelsShareThem) {
    const WriterOptions small{std::size_t{64} << 10, std::size_t{1} << 20};
    const std::size_t of_few = chunks_of(4, small);
    EXPECT_GT(of_few, 50U);
    EXPECT_EQ(chunks_of(32, small), of_few);
    EXPECT_LT(chunks_of(64, small), of_few * 6 / 10);
    EXPECT_NEAR(static_cast<double>(chunks_of(1000, small)), static_cast<double>(of_few) / 4, 2) << "four times at most";
    const std::size_t of_messages = chunks_of(1000, {std::size_t{64} << 10, std::size_t{256} << 10});
    EXPECT_EQ(chunks_of(6000, small, 15), chunks_of(30, small, 15)) << "short ones, of which nothing more comes";
    EXPECT_NEAR(static_cast<double>(of_messages), static_cast<double>(of_few) / 2, 2) << "and half of what a chunk may have";
}

}  // namespace
}  // namespace sla::capture
