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

class LargeChunks : public testing::Test {
protected:
    static constexpr std::size_t kBytes = std::size_t{512} << 10;

    // As stored; unpacked it is the same.
    std::size_t stored(const std::string& contents) {
        const std::string packed(packer_.pack(ChunkKind::kFrames, contents, 1, 0));
        const auto header = decode_chunk_header(packed);
        std::string raw;
        EXPECT_TRUE(ChunkUnpacker().unpack(*header, packed.substr(kChunkHeaderBytes), raw).ok());
        EXPECT_EQ(raw, contents);
        EXPECT_EQ(header->packing, header->stored_bytes < kBytes ? Packing::kZstd : Packing::kNone);
        return header->stored_bytes;
    }
    std::string random_bytes(unsigned below) {
        std::string bytes(kBytes, '\0');
        std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<char>(random_() % below); });
        return bytes;
    }
    // Batches of which only the heads repeat.
    std::string heads() {
        std::string bytes = random_bytes(256);
        for (std::size_t at = 0; at + 40 < bytes.size(); at += 200) bytes.replace(at, 40, 40, 'h');
        return bytes;
    }

    std::mt19937_64 random_{11};
    ChunkPacker packer_;
};

// Samples say so of those behind the first; now and then all of one is tried.
TEST_F(LargeChunks, ThatDoNotShrinkAreStoredAsTheyAreUntilOneDoes) {
    const std::string dense = random_bytes(256);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(stored(dense), kBytes);
    EXPECT_LT(stored(std::string(kBytes, 'x')), kBytes) << "its samples shrink";
    EXPECT_EQ(stored(dense), kBytes);
    std::string twice = dense.substr(0, kBytes / 2);
    twice += twice;
    int tries = 1;
    for (; stored(twice) == kBytes && tries < 100; ++tries) {
    }
    EXPECT_EQ(tries, 16) << "no sample shrinks, the whole does";
    EXPECT_LT(stored(twice), kBytes) << "nobody asks samples while chunks shrink";
}

TEST_F(LargeChunks, ArePackedInTheQuickestWayThatIsNoWorse) {
    constexpr unsigned kDigits = 100;  // their codes take 6.7 bits, and nothing repeats
    const std::size_t digits = stored(random_bytes(kDigits));
    EXPECT_LT(digits, kBytes * 85 / 100);
    ChunkPacker other;
    const std::string first = heads();
    const std::size_t of_heads = other.pack(ChunkKind::kFrames, first, 1, 0).size();
    EXPECT_LT(of_heads, kBytes * 85 / 100);
    // What was chosen for heads does nothing for digits: that is seen at once.
    (void)other.pack(ChunkKind::kFrames, random_bytes(kDigits), 1, 1);
    EXPECT_LT(other.pack(ChunkKind::kFrames, random_bytes(kDigits), 1, 2).size(), kBytes * 85 / 100);
    EXPECT_LT(other.pack(ChunkKind::kFrames, first, 1, 3).size(), of_heads + of_heads / 100);
}

// Of what is on its way: by a fifth more at most, and what shrinks by less than a 16th is not packed.
TEST_F(LargeChunks, OnTheirWayMayTakeAFifthMoreThanInAFile) {
    const std::string block = random_bytes(256).substr(0, 4000);
    std::string blocks;
    while (blocks.size() < kBytes) blocks += block.substr(random_() % 2000, 2000);
    for (const std::string& contents : {random_bytes(3), random_bytes(100), heads(), blocks, std::string(kBytes, 'x')}) {
        ChunkPacker small;
        ChunkPacker quick(Effort::kLittleTime);
        const std::size_t least = small.pack(ChunkKind::kFrames, contents, 1, 0).size();
        const std::string packed(quick.pack(ChunkKind::kFrames, contents, 1, 0));
        EXPECT_LE(packed.size(), least + least / 4) << "found out by a part of it";
        std::string raw;
        const auto header = decode_chunk_header(packed);
        ASSERT_TRUE(ChunkUnpacker().unpack(*header, packed.substr(kChunkHeaderBytes), raw).ok());
        EXPECT_EQ(raw, contents);
    }
}

TEST_F(LargeChunks, OnTheirWayThatAreNearlyDenseAreStoredAsTheyAre) {
    ChunkPacker quick(Effort::kLittleTime);
    std::string nearly = random_bytes(256);
    for (std::size_t at = 0; at < nearly.size(); at += 12) nearly[at] = 'x';  // their codes take 7.8 bits
    (void)quick.pack(ChunkKind::kFrames, nearly, 1, 0);
    EXPECT_EQ(quick.pack(ChunkKind::kFrames, nearly, 1, 1).size(), kChunkHeaderBytes + kBytes);
    EXPECT_LT(stored(nearly), kBytes);
    EXPECT_LT(stored(nearly), kBytes) << "in a file they are packed";
    EXPECT_LT(quick.pack(ChunkKind::kFrames, random_bytes(100), 1, 2).size(), kBytes * 9 / 10);
}

TEST(ChunkDeathTest, BeyondTheBoundIsOurOwnMistake) {
    ChunkPacker packer;
    EXPECT_DEATH(packer.pack(ChunkKind::kFrames, std::string(kMaxChunkBytes + 1, 'x'), 1, 0), "kMaxChunkBytes");
}

}  // namespace
}  // namespace sla::capture
