// The fixed-size records of a capture file, as README.md draws them: what they say, and their bytes. Little-endian.
// Each carries a checksum of itself; decoding gives nothing unless that is right. No I/O.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sla::capture {

inline constexpr std::size_t kFileHeaderBytes = 32;
inline constexpr std::size_t kChunkHeaderBytes = 48;
inline constexpr std::size_t kClosingMarkBytes = 32;
inline constexpr std::uint32_t kFormatVersion = 3;
inline constexpr std::uint32_t kOldestVersion = 1;  // that readers read; 2 had no packed batches
inline constexpr std::uint32_t kFirstWithSummaries = 2;

inline constexpr std::string_view kFileMagic{"\x89SLA\r\n\x1a\n", 8};  // shows a copy that went through text mode
inline constexpr std::string_view kChunkMagic{"\x93SLAchk\n", 8};
inline constexpr std::string_view kClosingMagic{"\x93SLAend\n", 8};
inline constexpr std::string_view kLandmarkPrefix{"\x93SLA", 4};  // both of the above

// No chunk is larger unpacked, whatever its header says. Writers stay far below it.
inline constexpr std::uint32_t kMaxChunkBytes = std::uint32_t{16} << 20;

enum class ChunkKind : std::uint8_t { kFrames = 1, kIndex = 2, kSummary = 3 };  // readers skip kinds they do not know
enum class Packing : std::uint8_t { kNone = 0, kZstd = 1 };

struct ChunkHeader {
    ChunkKind kind = ChunkKind::kFrames;
    Packing packing = Packing::kNone;
    std::uint32_t raw_bytes = 0;
    std::uint32_t stored_bytes = 0;
    std::uint32_t frames = 0;
    std::uint64_t sequence = 0;  // of this chunk in the file, from 0
    std::uint64_t checksum = 0;  // of the stored bytes
};

struct ClosingMark {
    std::uint64_t index_offset = 0;  // of the last index chunk
    std::uint64_t chunks = 0;        // in the file, of all kinds
};

// XXH64, seed 0.
std::uint64_t checksum_of(std::string_view bytes);

std::array<char, kFileHeaderBytes> encode_file_header(std::uint32_t version = kFormatVersion);
std::array<char, kChunkHeaderBytes> encode_chunk_header(const ChunkHeader& header);
std::array<char, kClosingMarkBytes> encode_closing_mark(const ClosingMark& mark);

// The version. Nothing when these are not at least kFileHeaderBytes of a capture file's header.
std::optional<std::uint32_t> decode_file_header(std::string_view bytes);
// Nothing also for sizes that no writer makes.
std::optional<ChunkHeader> decode_chunk_header(std::string_view bytes);
std::optional<ClosingMark> decode_closing_mark(std::string_view bytes);

}  // namespace sla::capture
