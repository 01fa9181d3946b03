// Files that were cut, flipped, spliced or forged.
#include "proto/capture/chunk.h"
#include "proto/capture/chunk_index.h"
#include "proto/capture/file_format.h"
#include "tests/unit/proto/capture/capture_files.h"

#include <algorithm>
#include <random>
#include <set>

namespace sla::capture {
namespace {

constexpr std::size_t kFramesAChunk = 3;

struct Sample {
    Folder folder;
    std::vector<std::string> frames = some_frames(12);
    std::string bytes;
    std::vector<std::uint64_t> chunk_offsets;  // and, last, where the index begins

    Sample() {
        write_capture(folder.file(), frames, kFramesAChunk);
        bytes = read_all(folder.file());
        const Result<std::vector<Index::Chunk>> index = read_index(folder.file());
        for (const Index::Chunk& chunk : *index) chunk_offsets.push_back(chunk.offset());
        const std::string_view mark = std::string_view(bytes).substr(bytes.size() - kClosingMarkBytes);
        chunk_offsets.push_back(decode_closing_mark(mark)->index_offset);
    }

    [[nodiscard]] std::string chunk(std::size_t number) const {
        return bytes.substr(chunk_offsets[number], chunk_offsets[number + 1] - chunk_offsets[number]);
    }
    [[nodiscard]] std::vector<std::string> frames_without(std::size_t chunk_number) const {
        std::vector<std::string> rest = frames;
        const auto first = rest.begin() + static_cast<std::ptrdiff_t>(chunk_number * kFramesAChunk);
        rest.erase(first, first + kFramesAChunk);
        return rest;
    }
};

std::string header_bytes(ChunkHeader header, std::string_view stored) {
    header.checksum = checksum_of(stored);
    header.stored_bytes = static_cast<std::uint32_t>(stored.size());
    const auto encoded = encode_chunk_header(header);
    return std::string(encoded.data(), encoded.size()) + std::string(stored);
}

// A capture of that one chunk.
std::string file_of(const std::string& chunk) {
    const auto header = encode_file_header();
    return std::string(header.data(), header.size()) + chunk;
}

TEST(DamagedCapture, cut_at_any_byte_gives_everything_before_the_cut) {
    const Sample sample;
    for (std::size_t length = 0; length < sample.bytes.size(); ++length) {
        const Content content = read_capture(sample.folder.write(sample.bytes.substr(0, length)));
        if (length < kFileHeaderBytes) {
            ASSERT_FALSE(content.error.empty()) << length;
            continue;
        }
        const auto& offsets = sample.chunk_offsets;
        const auto whole =
            static_cast<std::size_t>(std::upper_bound(offsets.begin(), offsets.end(), length) - offsets.begin()) - 1;
        const auto expected = sample.frames.begin() + static_cast<std::ptrdiff_t>(whole * kFramesAChunk);
        ASSERT_EQ(content.frames, std::vector<std::string>(sample.frames.begin(), expected)) << length;
        ASSERT_FALSE(content.finished) << length;
        if (whole + 1 < offsets.size()) {
            ASSERT_EQ(content.damage.size(), length == offsets[whole] ? 0U : 1U) << length;
        }
        if (!content.damage.empty()) {
            ASSERT_EQ(content.damage[0].offset + content.damage[0].bytes, length);
        }
    }
}

TEST(DamagedCapture, with_any_byte_flipped_loses_one_chunk_at_most_and_always_tells) {
    const Sample sample;
    for (std::size_t at = 0; at < sample.bytes.size(); ++at) {
        for (const int bit : {0, 7}) {
            std::string flipped = sample.bytes;
            flipped[at] = static_cast<char>(flipped[at] ^ 1 << bit);
            const Content content = read_capture(sample.folder.write(flipped));
            ASSERT_TRUE(content.error.empty()) << at << content.error;
            const auto& offsets = sample.chunk_offsets;
            const auto place = std::upper_bound(offsets.begin(), offsets.end(), at) - offsets.begin();
            const bool in_frames = place > 0 && place < static_cast<std::ptrdiff_t>(offsets.size());
            ASSERT_EQ(content.frames, in_frames ? sample.frames_without(static_cast<std::size_t>(place - 1)) : sample.frames)
                << at;
            ASSERT_EQ(content.damage.size(), 1U) << at;
            ASSERT_LE(content.damage[0].offset, at);
            ASSERT_GT(content.damage[0].offset + content.damage[0].bytes, at);
            ASSERT_EQ(content.finished, at < sample.bytes.size() - kClosingMarkBytes) << at;
        }
    }
}

TEST(DamagedCapture, with_bytes_missing_or_too_many_finds_the_next_chunk) {
    const Sample sample;
    for (std::size_t inside = 0; inside < sample.chunk(1).size(); ++inside) {
        std::string shorter = sample.bytes;
        shorter.erase(sample.chunk_offsets[1] + inside, 1);
        ASSERT_EQ(read_capture(sample.folder.write(shorter)).frames, sample.frames_without(1)) << inside;
        std::string longer = sample.bytes;
        longer.insert(sample.chunk_offsets[1] + inside, "\x93SLAend");
        const Content content = read_capture(sample.folder.write(longer));
        ASSERT_EQ(content.frames, inside == 0 ? sample.frames : sample.frames_without(1)) << inside;
        ASSERT_EQ(content.damage.size(), 1U) << inside;
    }
}

TEST(DamagedCapture, tells_when_whole_chunks_are_gone_or_doubled) {
    const Sample sample;
    std::string bytes = sample.bytes;
    bytes.erase(sample.chunk_offsets[1], sample.chunk(1).size());
    Content content = read_capture(sample.folder.write(bytes));
    EXPECT_EQ(content.frames, sample.frames_without(1));
    ASSERT_EQ(content.damage.size(), 1U);
    EXPECT_EQ(content.damage[0].what, "1 chunks are missing here");
    EXPECT_EQ(content.damage[0].offset, sample.chunk_offsets[1]);
    bytes = sample.bytes;
    bytes.insert(sample.chunk_offsets[1], sample.chunk(0));
    content = read_capture(sample.folder.write(bytes));
    ASSERT_EQ(content.damage.size(), 1U);
    EXPECT_EQ(content.damage[0].what, "chunks are out of order from here");
}

TEST(DamagedCapture, with_something_behind_its_closing_mark_reads_on_and_tells) {
    const Sample sample;
    const Content content = read_capture(sample.folder.write(sample.bytes + sample.chunk(0)));
    EXPECT_EQ(content.frames.size(), sample.frames.size() + kFramesAChunk);
    ASSERT_FALSE(content.damage.empty());
    EXPECT_EQ(content.damage[0].what, "the file goes on behind its closing mark");
    EXPECT_FALSE(content.finished);
}

TEST(DamagedCapture, skips_kinds_of_chunks_it_does_not_know) {
    const Sample sample;
    ChunkHeader header;
    header.kind = static_cast<ChunkKind>(77);
    header.raw_bytes = 5;
    const Content content = read_capture(sample.folder.write(file_of(header_bytes(header, "newer"))));
    EXPECT_TRUE(content.frames.empty() && content.damage.empty() && content.error.empty());
}

TEST(ForgedCapture, with_contents_that_make_no_sense_is_damage_and_nothing_worse) {
    const Sample sample;
    const auto what = [&](ChunkHeader header, std::string_view stored) {
        const Content content = read_capture(sample.folder.write(file_of(header_bytes(header, stored))));
        return content.damage.empty() ? std::string("no damage") : content.damage[0].what;
    };
    ChunkHeader header;
    header.raw_bytes = 4;
    EXPECT_EQ(what(header, std::string(4, '\0')), "a chunk is not made of frames to its end");
    EXPECT_EQ(what(header, "\xff\xff\xff\xff"), "a chunk is not made of frames to its end");
    header.raw_bytes = 3;
    EXPECT_EQ(what(header, "abc"), "a chunk is not made of frames to its end");
    EXPECT_EQ(what(header, "abcd"), "the sizes of a chunk disagree");
    header.packing = Packing::kZstd;
    header.raw_bytes = kMaxChunkBytes;
    EXPECT_EQ(what(header, "not zstd at all"), "a chunk does not unpack");
    header.packing = static_cast<Packing>(9);
    EXPECT_EQ(what(header, "abc"), "a chunk is packed in a way that this version does not know");
    header.raw_bytes = kMaxChunkBytes + 1;
    EXPECT_EQ(what(header, "abc"), "these bytes are no chunk") << "no writer makes such a header";
}

TEST(ForgedCapture, of_headers_that_each_claim_the_rest_of_the_file_is_read_in_bounded_time) {
    std::string forged;
    for (int i = 0; i < 20000; ++i) {
        ChunkHeader header;
        header.stored_bytes = 500'000;
        const auto encoded = encode_chunk_header(header);
        forged.append(encoded.data(), encoded.size());
    }
    const Folder folder;
    const Content content = read_capture(folder.write(file_of(forged)));
    EXPECT_TRUE(content.frames.empty());
    EXPECT_LE(content.damage.size(), 20000U);
}

TEST(ForgedCapture, with_an_index_that_leads_in_a_circle_is_refused) {
    const Sample sample;
    Index index;
    index.set_previous(kFileHeaderBytes);
    ChunkPacker packer;
    std::string bytes = file_of(std::string(packer.pack(ChunkKind::kIndex, index.SerializeAsString(), 0, 0)));
    const auto mark = encode_closing_mark({kFileHeaderBytes, 1});
    bytes.append(mark.data(), mark.size());
    EXPECT_NE(read_index(sample.folder.write(bytes)).error().message.find("index"), std::string::npos);
}

TEST(ForgedCapture, random_changes_never_invent_a_frame) {
    const Sample sample;
    const std::set<std::string> known(sample.frames.begin(), sample.frames.end());
    std::mt19937_64 random(61);
    for (int round = 0; round < 3000; ++round) {
        std::string bytes = sample.bytes;
        for (int change = 0; change < 4; ++change) {
            const std::size_t at = random() % bytes.size();
            const std::size_t from = random() % bytes.size();
            switch (random() % 4) {
                case 0: bytes[at] = static_cast<char>(random()); break;
                case 1: bytes.erase(at, random() % 100); break;
                case 2: bytes.insert(at, bytes.substr(from, random() % 200)); break;
                default: std::swap(bytes[at], bytes[from]); break;
            }
            if (bytes.empty()) bytes = "x";
        }
        for (const std::string& frame : read_capture(sample.folder.write(bytes)).frames) ASSERT_TRUE(known.contains(frame));
    }
}

}  // namespace
}  // namespace sla::capture
