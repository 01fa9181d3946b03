// What damage is said to take, and what small forged files claim to hold.
#include "proto/capture/capture_index.h"
#include "proto/capture/chunk.h"
#include "proto/capture/file_format.h"
#include "proto/capture/summary.pb.h"
#include "tests/unit/proto/capture/capture_files.h"

namespace sla::capture {
namespace {

// A file that is put together chunk by chunk.
class Forge {
public:
    explicit Forge(std::uint32_t version = kFormatVersion) {
        const auto header = encode_file_header(version);
        bytes_.assign(header.data(), header.size());
    }
    // Where it begins.
    std::uint64_t add(ChunkKind kind, std::string_view raw, std::uint32_t frames = 0) {
        const std::uint64_t at = bytes_.size();
        bytes_ += packer_.pack(kind, raw, frames, chunks_++);
        return at;
    }
    std::uint64_t add_frame(const std::string& frame) {
        std::string raw;
        append_frame(frame, raw);
        return add(ChunkKind::kFrames, raw, 1);
    }
    void pad(std::size_t bytes) { bytes_.append(bytes, '\0'); }
    void flip(std::uint64_t at) { bytes_[at] = static_cast<char>(bytes_[at] ^ 1); }
    std::string finish(std::uint64_t index_offset, std::uint64_t chunks) {
        const auto mark = encode_closing_mark({index_offset, chunks});
        return bytes_ + std::string(mark.data(), mark.size());
    }
    std::string finish(std::uint64_t index_offset) { return finish(index_offset, chunks_); }
    [[nodiscard]] std::uint64_t size() const { return bytes_.size(); }

private:
    std::string bytes_;
    ChunkPacker packer_;
    std::uint64_t chunks_ = 0;
};

// Version 1 had no summaries: the chunk that is missing between two is one of frames.
TEST(DamageClaims, LostFramesOfAFileWithoutSummariesAreNeverCalledHarmless) {
    const Folder folder;
    for (const std::uint64_t inside : {kChunkHeaderBytes, std::size_t{8}}) {  // in its frames, in its header
        Forge forge(1);
        (void)forge.add_frame("one");
        const std::uint64_t second = forge.add_frame("two");
        const std::uint64_t index = forge.add(ChunkKind::kIndex, "an index of version 1");
        forge.flip(second + inside);
        const Content content = read_capture(folder.write(forge.finish(index)));
        EXPECT_EQ(content.frames, std::vector<std::string>{"one"});
        ASSERT_EQ(content.damage.size(), 1U);
        EXPECT_TRUE(content.damage[0].is_pending()) << content.damage[0].what << " at " << inside;
    }
}

TEST(DamageClaims, AChunkOfFramesThatIsBadIsLostThoughTheOneBeforeHasNoSummary) {
    const Folder folder;
    Forge forge;
    (void)forge.add_frame("one");
    const std::uint64_t second = forge.add_frame("two");
    (void)forge.add_frame("three");
    forge.flip(second + kChunkHeaderBytes);
    const Content content = read_capture(folder.write(forge.finish(0)));
    ASSERT_EQ(content.damage.size(), 1U);
    EXPECT_EQ(content.damage[0].chunk, 1U);
    EXPECT_TRUE(content.damage[0].is_pending());
}

TEST(DamageClaims, OfTwoLostChunksTheSummaryOfTheSecondDoesNotSpeakForTheFirst) {
    const Folder folder;
    write_capture(folder.file(), some_frames(12), 3);
    std::string bytes = read_all(folder.file());
    std::vector<std::uint64_t> begins;
    std::uint64_t at = kFileHeaderBytes;
    while (const auto header = decode_chunk_header(std::string_view(bytes).substr(at))) {
        begins.push_back(at);
        at += kChunkHeaderBytes + header->stored_bytes;
    }
    ASSERT_GE(begins.size(), 8U);
    std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(begins[2]), bytes.begin() + static_cast<std::ptrdiff_t>(begins[5]),
              'x');  // frames, summary, frames
    const Content content = read_capture(folder.write(bytes));
    EXPECT_EQ(content.frames.size(), 6U);
    ASSERT_EQ(content.damage.size(), 1U);
    EXPECT_EQ(content.damage[0].lost.size(), 3U) << "the second's rows are known";
    EXPECT_TRUE(content.damage[0].is_pending()) << "the first's are not";
}

TEST(DamageClaims, VeryManyPlacesCountedAsOneAreNotHarmlessBecauseTheLastOneIs) {
    const Folder folder;
    Forge forge;
    for (int i = 0; i < 10'100; ++i) forge.flip(forge.add_frame("f") + kChunkHeaderBytes);
    forge.flip(forge.add(ChunkKind::kSummary, "no summary") + kChunkHeaderBytes);
    const Content content = read_capture(folder.write(forge.finish(0)));
    ASSERT_EQ(content.damage.size(), 10'000U);
    EXPECT_EQ(content.damage.back().what, "very many damaged places, counted as one");
    EXPECT_TRUE(content.damage.back().is_pending());
}

// Chunks by the thousand that hold no rows, one that does, and a mark that says there are thousands of times as many.
TEST(IndexClaims, TakeNoMoreMemoryForChunksThanTheFileHasRoomFor) {
    constexpr std::uint64_t kChunks = 10'000;
    Forge forge;
    Index index;
    index.set_version(2);
    for (std::uint64_t i = 0; i < kChunks; ++i) {
        ChunkDetail detail;
        detail.place = {i, kFileHeaderBytes + i * kChunkHeaderBytes, 0, 1};
        if (i == 0) {
            detail.lanes.emplace_back().rows = 1;
        }
        encode_detail(detail, *index.add_chunks());
    }
    forge.pad(kChunks * 2 * kChunkHeaderBytes);
    const std::uint64_t at = forge.add(ChunkKind::kIndex, index.SerializeAsString());
    const Folder folder;
    const auto made = CaptureIndex::open(folder.write(forge.finish(at, kChunks * 2 * 150'000)));
    ASSERT_TRUE(made.ok());
    EXPECT_FALSE(made->made_anew());
    EXPECT_EQ(made->chunks().size(), kChunks);
}

TEST(IndexClaims, OfChunksThatLieInEachOtherAreNotBelieved) {
    Forge forge;
    Index index;
    index.set_version(2);
    for (std::uint64_t i = 0; i < 1000; ++i)
        encode_detail({{i, kFileHeaderBytes + i, 0, 1}, {}, {}, {}, {}, {}, {}, {}}, *index.add_chunks());
    forge.pad(2000);
    const std::uint64_t at = forge.add(ChunkKind::kIndex, index.SerializeAsString());
    const Folder folder;
    const auto made = CaptureIndex::open(folder.write(forge.finish(at)));
    ASSERT_TRUE(made.ok());
    EXPECT_TRUE(made->made_anew());
}

// 15 MiB of a letter shrink to some bytes.
ChunkDetail full_of_names(std::uint64_t sequence, std::uint64_t offset) {
    ChunkDetail detail;
    detail.place = {sequence, offset, 0, 1};
    for (int i = 0; i < 15; ++i) detail.lasting.emplace_back(std::size_t{1} << 20, 'x');
    return detail;
}

TEST(IndexClaims, OfNamesThatTheFileCannotHoldAreNotBelieved) {
    constexpr std::uint64_t kIndices = 6;
    Forge forge;
    forge.pad(kIndices * kChunkHeaderBytes);
    std::uint64_t previous = 0;
    for (std::uint64_t i = 0; i < kIndices; ++i) {
        Index index;
        index.set_version(2);
        index.set_previous(previous);
        encode_detail(full_of_names(i, previous == 0 ? kFileHeaderBytes : previous + kChunkHeaderBytes),
                      *index.add_chunks());
        previous = forge.add(ChunkKind::kIndex, index.SerializeAsString());
        forge.pad(2 * kChunkHeaderBytes);
    }
    ASSERT_LT(forge.size(), 100'000U);
    const Folder folder;
    const auto made = CaptureIndex::open(folder.write(forge.finish(previous)));
    ASSERT_TRUE(made.ok());
    EXPECT_TRUE(made->made_anew() && made->lasting().empty());
}

TEST(IndexClaims, OfSummariesWhoseNamesTheFileCannotHoldEndInAnError) {
    Forge forge;
    for (std::uint64_t i = 0; i < 6; ++i) {
        ChunkSummary summary;
        encode_detail(full_of_names(77, kFileHeaderBytes), summary);
        (void)forge.add(ChunkKind::kSummary, summary.SerializeAsString());
    }
    ASSERT_LT(forge.size(), 100'000U);
    const Folder folder;
    const auto made = CaptureIndex::open(folder.write(forge.finish(0)));
    ASSERT_FALSE(made.ok());
    EXPECT_NE(made.error().message.find("claims more than it can hold"), std::string::npos) << made.error().message;
}

}  // namespace
}  // namespace sla::capture
