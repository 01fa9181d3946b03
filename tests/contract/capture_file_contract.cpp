// The capture file: what was recorded once must stay readable.
#include "proto/capture/capture_reader.h"
#include "proto/capture/chunk_index.h"
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

TEST(CaptureFileContract, file_header_is_these_bytes) {
    EXPECT_EQ(hex(view(capture::encode_file_header())),
              "89534c410d0a1a0a 0100000000000000 0000000000000000 8012c97b57f4f490");
}

TEST(CaptureFileContract, chunk_header_is_these_bytes) {
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

TEST(CaptureFileContract, closing_mark_is_these_bytes) {
    EXPECT_EQ(hex(view(capture::encode_closing_mark({0x0102030405060708, 5}))),
              "93534c41656e640a 0807060504030201 0500000000000000 3e6f1dcce736aaa7");
}

TEST(CaptureFileContract, checksums_are_xxh64) {
    EXPECT_EQ(capture::checksum_of(""), 0xef46db3751d8e999U);
    EXPECT_EQ(capture::checksum_of("abc"), 0x44bc2cf5ad770999U);
}

TEST(CaptureFileContract, bounds_are_these_numbers) {
    EXPECT_EQ(capture::kFormatVersion, 1U);
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

std::string bytes_of(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); i += text[i] == ' ' ? 1 : 2) {
        if (text[i] != ' ') out += static_cast<char>(std::stoi(std::string(text.substr(i, 2)), nullptr, 16));
    }
    return out;
}

TEST(CaptureFileContract, file_of_version_1_is_still_read) {
    std::string path = ::testing::TempDir() + "sla-contract-XXXXXX";
    const int descriptor = mkstemp(path.data());
    ASSERT_GE(descriptor, 0);
    close(descriptor);
    const std::string bytes = bytes_of(kWholeFile);
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));

    Result<capture::CaptureReader> reader = capture::CaptureReader::open(path);
    ASSERT_TRUE(reader.ok()) << reader.error().message;
    EXPECT_EQ(reader->next(), "one");
    EXPECT_EQ(reader->next(), "three");
    EXPECT_EQ(reader->next(), std::nullopt);
    EXPECT_TRUE(reader->damage().empty());
    EXPECT_TRUE(reader->finished());
    const auto index = capture::read_index(path);
    ASSERT_TRUE(index.ok()) << index.error().message;
    ASSERT_EQ(index->size(), 1U);
    EXPECT_EQ(index->front().offset(), 32U);
    EXPECT_EQ(index->front().frames(), 2U);
    EXPECT_EQ(index->front().other_frames(), 1U);
    EXPECT_EQ(index->front().channels(0).events(), 4U);
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace sla::contract
