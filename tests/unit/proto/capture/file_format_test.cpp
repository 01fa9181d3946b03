#include "proto/capture/file_format.h"

#include "proto/capture/chunk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace sla::capture {
namespace {

std::string_view view(const auto& record) {
    return {record.data(), record.size()};
}

TEST(FileFormat, GivesBackEveryFieldOfAChunkHeader) {
    ChunkHeader header;
    header.kind = ChunkKind::kIndex;
    header.packing = Packing::kZstd;
    header.raw_bytes = 0x123456;
    header.stored_bytes = 0x654321;
    header.frames = 77;
    header.sequence = 0x1122334455667788;
    header.checksum = 0x99aabbccddeeff00;
    const auto encoded = encode_chunk_header(header);
    const auto back = decode_chunk_header(view(encoded));
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(back->kind, ChunkKind::kIndex);
    EXPECT_EQ(back->packing, Packing::kZstd);
    EXPECT_EQ(back->raw_bytes, 0x123456U);
    EXPECT_EQ(back->stored_bytes, 0x654321U);
    EXPECT_EQ(back->frames, 77U);
    EXPECT_EQ(back->sequence, 0x1122334455667788U);
    EXPECT_EQ(back->checksum, 0x99aabbccddeeff00U);
}

TEST(FileFormat, RefusesRecordsWithAnyBitChangedOrAnyByteMissing) {
    const auto header = encode_chunk_header({});
    const auto mark = encode_closing_mark({123, 4});
    const auto file = encode_file_header();
    for (std::size_t bit = 0; bit < kChunkHeaderBytes * 8; ++bit) {
        std::string bytes(view(header));
        bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8);
        ASSERT_FALSE(decode_chunk_header(bytes)) << bit;
    }
    for (std::size_t size = 0; size < kClosingMarkBytes; ++size) {
        EXPECT_FALSE(decode_closing_mark(view(mark).substr(0, size)));
        EXPECT_FALSE(decode_file_header(view(file).substr(0, size)));
    }
    EXPECT_FALSE(decode_closing_mark(view(header)));
    EXPECT_FALSE(decode_chunk_header(view(mark)));
}

TEST(Chunk, ThatDoesNotShrinkIsStoredAsItIs) {
    ChunkPacker packer;
    const std::string packed(packer.pack(ChunkKind::kFrames, "abc", 1, 0));
    EXPECT_EQ(packed.size(), kChunkHeaderBytes + 3);
    const auto header = decode_chunk_header(packed);
    EXPECT_EQ(header->packing, Packing::kNone);
    std::string raw;
    ASSERT_TRUE(ChunkUnpacker().unpack(*header, packed.substr(kChunkHeaderBytes), raw).ok());
    EXPECT_EQ(raw, "abc");
}

// Samples say so of those behind the first; now and then all of one is tried.
TEST(Chunk, LargeOnesThatDoNotShrinkAreStoredAsTheyAreUntilOneDoes) {
    std::mt19937_64 random(11);
    constexpr std::size_t kBytes = std::size_t{512} << 10;
    ChunkPacker packer;
    const auto packing_of = [&](const std::string& contents) {
        const std::string packed(packer.pack(ChunkKind::kFrames, contents, 1, 0));
        const auto header = decode_chunk_header(packed);
        std::string raw;
        EXPECT_TRUE(ChunkUnpacker().unpack(*header, packed.substr(kChunkHeaderBytes), raw).ok());
        EXPECT_EQ(raw, contents);
        return header->packing;
    };
    std::string dense(kBytes, '\0');
    std::generate(dense.begin(), dense.end(), [&] { return static_cast<char>(random()); });
    const std::string sparse(kBytes, 'x');
    for (int i = 0; i < 5; ++i) EXPECT_EQ(packing_of(dense), Packing::kNone);
    EXPECT_EQ(packing_of(sparse), Packing::kZstd) << "its samples shrink";
    EXPECT_EQ(packing_of(dense), Packing::kNone);
    std::string twice = dense.substr(0, kBytes / 2);
    twice += twice;
    int tries = 1;
    for (; packing_of(twice) == Packing::kNone && tries < 100; ++tries) {
    }
    EXPECT_EQ(tries, 16) << "no sample shrinks, the whole does";
    EXPECT_EQ(packing_of(twice), Packing::kZstd) << "nobody asks samples while chunks shrink";
}

TEST(ChunkDeathTest, BeyondTheBoundIsOurOwnMistake) {
    ChunkPacker packer;
    EXPECT_DEATH(packer.pack(ChunkKind::kFrames, std::string(kMaxChunkBytes + 1, 'x'), 1, 0), "kMaxChunkBytes");
}

}  // namespace
}  // namespace sla::capture
