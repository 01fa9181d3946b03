// Files that were cut, flipped, spliced or forged.
#include "proto/capture/capture_index.h"
#include "proto/capture/chunk.h"
#include "proto/capture/file_format.h"
#include "proto/capture/summary.pb.h"
#include "tests/unit/proto/capture/capture_files.h"

#include <algorithm>
#include <random>
#include <set>

namespace sla::capture {
namespace {

constexpr std::size_t kFramesAChunk = 3;

struct Sample {
    struct Place {
        std::uint64_t offset = 0;
        ChunkHeader header;
        [[nodiscard]] std::uint64_t end() const { return offset + kChunkHeaderBytes + header.stored_bytes; }
        [[nodiscard]] bool holds(std::uint64_t at) const { return at >= offset && at < end(); }
    };
    Folder folder;
    std::vector<std::string> frames = some_frames(12);
    std::string bytes;
    std::vector<Place> chunks;  // of all kinds
    std::vector<Place> frame_chunks;

    Sample() {
        write_capture(folder.file(), frames, kFramesAChunk);
        bytes = read_all(folder.file());
        std::uint64_t at = kFileHeaderBytes;
        while (const auto header = decode_chunk_header(std::string_view(bytes).substr(at))) {
            chunks.push_back({at, *header});
            if (header->kind == ChunkKind::kFrames) frame_chunks.push_back(chunks.back());
            at = chunks.back().end();
        }
    }

    [[nodiscard]] std::string chunk(std::size_t number) const {
        const Place& place = frame_chunks[number];
        return bytes.substr(place.offset, place.end() - place.offset);
    }
    [[nodiscard]] std::vector<std::string> frames_without(std::size_t chunk_number) const {
        std::vector<std::string> rest = frames;
        const auto first = rest.begin() + static_cast<std::ptrdiff_t>(chunk_number * kFramesAChunk);
        rest.erase(first, first + kFramesAChunk);
        return rest;
    }
    // What is left of the frames when the byte at that place is damaged, and whether that harms.
    [[nodiscard]] std::pair<std::vector<std::string>, bool> after_damage_at(std::uint64_t at) const {
        for (std::size_t i = 0; i < frame_chunks.size(); ++i) {
            if (frame_chunks[i].holds(at)) return {frames_without(i), true};
        }
        return {frames, at >= bytes.size() - kClosingMarkBytes};
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

TEST(DamagedCapture, CutAtAnyByteGivesEverythingBeforeTheCut) {
    const Sample sample;
    for (std::size_t length = 0; length < sample.bytes.size(); ++length) {
        const Content content = read_capture(sample.folder.write(sample.bytes.substr(0, length)));
        if (length < kFileHeaderBytes) {
            ASSERT_FALSE(content.error.empty()) << length;
            continue;
        }
        const auto whole = std::count_if(sample.frame_chunks.begin(), sample.frame_chunks.end(),
                                         [&](const Sample::Place& place) { return place.end() <= length; });
        const auto expected = sample.frames.begin() + whole * static_cast<std::ptrdiff_t>(kFramesAChunk);
        ASSERT_EQ(content.frames, std::vector<std::string>(sample.frames.begin(), expected)) << length;
        ASSERT_FALSE(content.finished) << length;
        const bool between = std::any_of(sample.chunks.begin(), sample.chunks.end(), [&](const Sample::Place& place) {
            return place.offset == length || place.end() == length;
        });
        ASSERT_EQ(content.damage.size(), between ? 0U : 1U) << length;
        if (!content.damage.empty()) {
            ASSERT_EQ(content.damage[0].offset + content.damage[0].bytes, length);
        }
    }
}

TEST(DamagedCapture, WithAnySingleBitFlippedLosesOneChunkAtMostAndNamesWhatWasInIt) {
    const Sample sample;
    for (std::size_t at = 0; at < sample.bytes.size(); ++at) {
        for (int bit = 0; bit < 8; ++bit) {
            std::string flipped = sample.bytes;
            flipped[at] = static_cast<char>(flipped[at] ^ 1 << bit);
            const Content content = read_capture(sample.folder.write(flipped));
            ASSERT_TRUE(content.error.empty()) << at << content.error;
            const auto [left, harmful] = sample.after_damage_at(at);
            ASSERT_EQ(content.frames, left) << at;
            ASSERT_EQ(content.damage.size(), 1U) << at;
            const Damage& damage = content.damage[0];
            ASSERT_EQ(damage.harmless, !harmful) << at << damage.what;
            ASSERT_LE(damage.offset, at);
            ASSERT_GT(damage.offset + damage.bytes, at);
            ASSERT_EQ(content.finished, at < sample.bytes.size() - kClosingMarkBytes) << at;
            if (left.size() == sample.frames.size()) continue;
            ASSERT_EQ(damage.chunk, sample.frame_chunks[0].holds(at) ? 0U : *damage.chunk);
            ASSERT_EQ(damage.lost.size(), 3U) << at;
            ASSERT_EQ(damage.lost[2].rows, 4U);
            ASSERT_EQ(damage.lost[2].last_tick, damage.lost[2].first_tick + 5);
        }
    }
}

TEST(DamagedCapture, GivesItsIndexHoweverItIsCutOrChanged) {
    const Sample sample;
    for (std::size_t at = kFileHeaderBytes; at < sample.bytes.size(); ++at) {
        std::string flipped = sample.bytes;
        flipped[at] = static_cast<char>(flipped[at] ^ 4);
        const Result<CaptureIndex> index = CaptureIndex::open(sample.folder.write(flipped));
        ASSERT_TRUE(index.ok()) << at;
        ASSERT_GE(index->chunks().size() + 1, sample.frame_chunks.size()) << at;
        const Result<CaptureIndex> cut = CaptureIndex::open(sample.folder.write(sample.bytes.substr(0, at)));
        ASSERT_TRUE(cut.ok()) << at;
        const auto whole = std::count_if(sample.frame_chunks.begin(), sample.frame_chunks.end(),
                                         [&](const Sample::Place& place) { return place.end() <= at; });
        ASSERT_LE(cut->chunks().size(), static_cast<std::size_t>(whole)) << at;
        ASSERT_FALSE(cut->finished());
    }
}

TEST(DamagedCapture, WithBytesMissingOrTooManyFindsTheNextChunk) {
    const Sample sample;
    for (std::size_t inside = 0; inside < sample.chunk(1).size(); ++inside) {
        std::string shorter = sample.bytes;
        shorter.erase(sample.frame_chunks[1].offset + inside, 1);
        ASSERT_EQ(read_capture(sample.folder.write(shorter)).frames, sample.frames_without(1)) << inside;
        std::string longer = sample.bytes;
        longer.insert(sample.frame_chunks[1].offset + inside, "\x93SLAend");
        const Content content = read_capture(sample.folder.write(longer));
        ASSERT_EQ(content.frames, inside == 0 ? sample.frames : sample.frames_without(1)) << inside;
        ASSERT_EQ(content.damage.size(), 1U) << inside;
    }
}

TEST(DamagedCapture, ReportsWhenWholeChunksAreGoneOrDoubled) {
    const Sample sample;
    std::string bytes = sample.bytes;
    bytes.erase(sample.frame_chunks[1].offset, sample.chunk(1).size());
    Content content = read_capture(sample.folder.write(bytes));
    EXPECT_EQ(content.frames, sample.frames_without(1));
    ASSERT_EQ(content.damage.size(), 1U);
    EXPECT_EQ(content.damage[0].what, "1 chunks are missing here");
    EXPECT_EQ(content.damage[0].offset, sample.frame_chunks[1].offset);
    bytes = sample.bytes;
    bytes.insert(sample.frame_chunks[1].offset, sample.chunk(0));
    content = read_capture(sample.folder.write(bytes));
    ASSERT_FALSE(content.damage.empty());
    EXPECT_EQ(content.damage[0].what, "chunks are out of order from here");
}

TEST(DamagedCapture, WithSomethingBehindItsClosingMarkReadsOnAndReports) {
    const Sample sample;
    const Content content = read_capture(sample.folder.write(sample.bytes + sample.chunk(0)));
    EXPECT_EQ(content.frames.size(), sample.frames.size() + kFramesAChunk);
    ASSERT_FALSE(content.damage.empty());
    EXPECT_EQ(content.damage[0].what, "the file goes on behind its closing mark");
    EXPECT_FALSE(content.finished);
}

TEST(DamagedCapture, SkipsKindsOfChunksItDoesNotKnow) {
    const Sample sample;
    ChunkHeader header;
    header.kind = static_cast<ChunkKind>(77);
    header.raw_bytes = 5;
    const Content content = read_capture(sample.folder.write(file_of(header_bytes(header, "newer"))));
    EXPECT_TRUE(content.frames.empty() && content.damage.empty() && content.error.empty());
}

TEST(ForgedCapture, WithContentsThatMakeNoSenseIsDamageAndNothingWorse) {
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

TEST(ForgedCapture, OfHeadersThatEachClaimTheRestOfTheFileIsReadInBoundedTime) {
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

TEST(ForgedCapture, WithAnIndexThatLeadsInACircleGetsANewOne) {
    const Sample sample;
    Index index;
    index.set_version(2);
    index.set_previous(kFileHeaderBytes);
    ChunkPacker packer;
    std::string bytes = file_of(std::string(packer.pack(ChunkKind::kIndex, index.SerializeAsString(), 0, 0)));
    const auto mark = encode_closing_mark({kFileHeaderBytes, 1});
    bytes.append(mark.data(), mark.size());
    const Result<CaptureIndex> made = CaptureIndex::open(sample.folder.write(bytes));
    ASSERT_TRUE(made.ok());
    EXPECT_TRUE(made->made_anew() && made->chunks().empty());
}

TEST(ForgedCapture, WithAnIndexThatClaimsMoreThanTheFileCanHoldIsRefused) {
    const Sample sample;
    ChunkDetail detail;
    detail.place = {0, kFileHeaderBytes, 0, 1};
    LaneSummary row;
    row.rows = 1;
    detail.lanes.assign(400'000, row);
    Index index;
    index.set_version(2);
    encode_detail(detail, *index.add_chunks());
    ChunkPacker packer;
    std::string bytes = file_of("not a chunk, and long enough to have something before the index");
    const auto at = bytes.size();
    bytes += packer.pack(ChunkKind::kIndex, index.SerializeAsString(), 0, 0);
    const auto mark = encode_closing_mark({at, 1});
    bytes.append(mark.data(), mark.size());
    const Result<CaptureIndex> made = CaptureIndex::open(sample.folder.write(bytes));
    EXPECT_TRUE(made.ok() && made->made_anew() && made->lanes().empty());
}

TEST(ForgedCapture, RandomChangesNeverInventAFrame) {
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
