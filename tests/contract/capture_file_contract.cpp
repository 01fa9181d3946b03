// The capture file: what was recorded once must stay readable.
#include "proto/capture/capture_index.h"
#include "proto/capture/capture_reader.h"
#include "proto/capture/chunk_reader.h"
#include "proto/capture/file_format.h"
#include "tests/contract/hex.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace sla::contract {
namespace {

std::string_view view(const auto& record) {
    return {record.data(), record.size()};
}

TEST(CaptureRecordContract, FileHeaderIsTheseBytes) {
    EXPECT_EQ(hex(view(capture::encode_file_header())),
              "89534c410d0a1a0a 0300000000000000 0000000000000000 cf2bcbefbe43a957");
}

TEST(CaptureRecordContract, ChunkHeaderIsTheseBytes) {
    capture::ChunkHeader header;
    header.kind = capture::ChunkKind::kIndex;
    header.packing = capture::Packing::kZstd;
    header.raw_bytes = 0x00102030;
    header.stored_bytes = 0x00405060;
    header.frames = 9;
    header.sequence = 3;
    header.checksum = 0x1122334455667788;
    EXPECT_EQ(hex(view(capture::encode_chunk_header(header))),
              "93534c4163686b0a 0201000030201000 6050400009000000 0300000000000000 8877665544332211 8ce5edf0fb4847e9");
}

TEST(CaptureRecordContract, ClosingMarkIsTheseBytes) {
    EXPECT_EQ(hex(view(capture::encode_closing_mark({0x0102030405060708, 5}))),
              "93534c41656e640a 0807060504030201 0500000000000000 3e6f1dcce736aaa7");
}

TEST(CaptureRecordContract, ChecksumsAreXxh64) {
    EXPECT_EQ(capture::checksum_of(""), 0xef46db3751d8e999U);
    EXPECT_EQ(capture::checksum_of("abc"), 0x44bc2cf5ad770999U);
}

TEST(CaptureRecordContract, BoundsAreTheseNumbers) {
    EXPECT_EQ(capture::kFormatVersion, 3U);
    EXPECT_EQ(capture::kOldestVersion, 1U);
    EXPECT_EQ(capture::kMaxChunkBytes, 16'777'216U);
    EXPECT_EQ(capture::kFileHeaderBytes, 32U);
    EXPECT_EQ(capture::kChunkHeaderBytes, 48U);
    EXPECT_EQ(capture::kClosingMarkBytes, 32U);
}

// A whole file of version 1: one chunk (as it is, with frames "one" and "three"), one index chunk, the closing mark.
constexpr std::string_view kWholeFile =
    "89534c410d0a1a0a 0100000000000000 0000000000000000 8012c97b57f4f490 93534c4163686b0a 0100000010000000 1000000002000000 "
    "0000000000000000 b5253611240e6e9e 7c1a7c2ea43da0a2 030000006f6e6505 0000007468726565 93534c4163686b0a 0200000029000000 "
    "2900000000000000 0100000000000000 7dfab9c3aa26dc0a 2d2081ac50f9d387 08011a2509200000 0000000000100218 0122160807100419 "
    "0a00000000000000 2114000000000000 0093534c41656e64 0a60000000000000 0002000000000000 00816fdffd9b83d0 93";

// A whole file of version 2: a chunk of the frames Channel 7 "rx" and a batch of three rows, its summary, an index, the
// mark.
constexpr std::string_view kSecondFile =
    "89534c410d0a1a0a 0200000000000000 0000000000000000 8e115b6ab24611cd 93534c4163686b0a 010000003c000000 "
    "3c00000002000000 0000000000000000 0a19c59809d24977 be3503a8d632d5e3 080000001a060807 1a0272782c000000 "
    "322a0807180321e8 0300000000000029 f703000000000000 3203000a053a0407 020401420203034a 0302015493534c41 "
    "63686b0a03010000 6600000062000000 0000000001000000 000000006dd8fef1 084fd0a706318e92 0d7c48fc28b52ffd "
    "2066cd0200c40411 2000183c20022a4d 0a01071201001a01 0022010f2a010332 01003a010042010a 4a010a5201005a01 "
    "006201016a010172 010a7a0114820108 008a45409101e803 003a081a0608071a 027278040040940b b907321cc0109353 "
    "4c4163686b0a0201 00006a0000006600 0000000000000200 0000000000007ca7 4d900eb5629c5db8 fbd4611173c928b5 "
    "2ffd206aed020004 0508021a66112000 183c20022a4d0a01 071201001a010022 010f2a0103320100 3a010042010a4a01 "
    "0a5201005a010062 01016a010172010a 7a0114820108008a 45409101e803003a 081a0608071a0272 78040040940bb907 "
    "321c801193534c41 656e640a1e010000 0000000003000000 00000000676bf80c c9abf549";

// A capture file of those bytes, as long as the test runs.
class CaptureFileContract : public ::testing::Test {
protected:
    std::string file_of(std::string_view text) {
        const int descriptor = mkstemp(path_.data());
        EXPECT_GE(descriptor, 0);
        close(descriptor);
        const std::string bytes = unhex(text);
        std::ofstream(path_, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        return path_;
    }
    ~CaptureFileContract() override { std::filesystem::remove(path_); }

private:
    std::string path_ = ::testing::TempDir() + "sla-contract-XXXXXX";
};

TEST_F(CaptureFileContract, FileOfVersion1IsStillRead) {
    const std::string path = file_of(kWholeFile);
    Result<capture::CaptureReader> reader = capture::CaptureReader::open(path);
    ASSERT_TRUE(reader.ok()) << reader.error().message;
    EXPECT_EQ(reader->next(), "one");
    EXPECT_EQ(reader->next(), "three");
    EXPECT_EQ(reader->next(), std::nullopt);
    EXPECT_TRUE(reader->damage().empty());
    EXPECT_TRUE(reader->finished());
    const auto index = capture::CaptureIndex::open(path);
    ASSERT_TRUE(index.ok()) << index.error().message;
    EXPECT_TRUE(index->made_anew()) << "version 1 had no summaries";
    ASSERT_EQ(index->chunks().size(), 1U);
    EXPECT_EQ(index->chunks()[0].offset, 32U);
    EXPECT_EQ(index->chunks()[0].frames, 2U);
}

TEST_F(CaptureFileContract, FileOfVersion2IsStillRead) {
    const std::string path = file_of(kSecondFile);
    Result<capture::CaptureReader> reader = capture::CaptureReader::open(path);
    ASSERT_TRUE(reader.ok()) << reader.error().message;
    const std::string name(*reader->next());
    EXPECT_NE(name.find("rx"), std::string::npos);
    EXPECT_TRUE(reader->next().has_value());
    EXPECT_EQ(reader->next(), std::nullopt);
    EXPECT_TRUE(reader->damage().empty() && reader->finished());
    const auto index = capture::CaptureIndex::open(path);
    ASSERT_TRUE(index.ok() && !index->made_anew());
    EXPECT_EQ(index->lasting(), std::vector<std::string>{name});
    const capture::LaneSummary row = index->lane(ChannelId{7})->summaries[0];
    EXPECT_EQ(row.first_tick, 1000U);
    EXPECT_EQ(row.last_tick, 1015U);
    EXPECT_EQ(row.rows, 3U);
    EXPECT_EQ(row.longest_pause, 10U);
    EXPECT_EQ(row.high_ticks, 10U);
    EXPECT_EQ(row.depth_after, 1U);
    EXPECT_EQ(row.level_after, capture::Level::kLow);
    EXPECT_EQ(row.max, 42.0);
    auto chunks = capture::ChunkReader::open(path);
    EXPECT_TRUE(chunks.ok() && chunks->detail(index->chunks()[0]).ok());
}

}  // namespace
}  // namespace sla::contract
