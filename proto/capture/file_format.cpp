#include "proto/capture/file_format.h"

#include "proto/base/check.h"

#include <xxhash.h>
#include <zstd.h>

#include <algorithm>

namespace sla::capture {
namespace {

constexpr std::size_t kChecksumBytes = 8;

// Fills a record front to back; its last eight bytes are the checksum of all before.
template <std::size_t Bytes>
class RecordWriter {
public:
    explicit RecordWriter(std::string_view magic) { at_ = std::copy(magic.begin(), magic.end(), record_.begin()); }

    RecordWriter& put(std::uint64_t number, std::size_t bytes) {
        for (std::size_t i = 0; i < bytes; ++i) *at_++ = static_cast<char>(number >> (8 * i) & 0xff);
        return *this;
    }
    std::array<char, Bytes> finish() {
        SLA_CHECK(at_ + kChecksumBytes == record_.end());
        put(checksum_of({record_.data(), Bytes - kChecksumBytes}), kChecksumBytes);
        return record_;
    }

private:
    std::array<char, Bytes> record_{};
    typename std::array<char, Bytes>::iterator at_;
};

std::uint64_t number_at(std::string_view bytes, std::size_t offset, std::size_t size) {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < size; ++i) {
        number |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[offset + i])) << (8 * i);
    }
    return number;
}

bool is_record(std::string_view bytes, std::string_view magic, std::size_t size) {
    if (bytes.size() < size || !bytes.starts_with(magic)) return false;
    const std::size_t checked = size - kChecksumBytes;
    return number_at(bytes, checked, kChecksumBytes) == checksum_of(bytes.substr(0, checked));
}

}  // namespace

std::uint64_t checksum_of(std::string_view bytes) {
    return XXH64(bytes.data(), bytes.size(), 0);
}

std::array<char, kFileHeaderBytes> encode_file_header(std::uint32_t version) {
    return RecordWriter<kFileHeaderBytes>(kFileMagic).put(version, 4).put(0, 4).put(0, 8).finish();
}

std::array<char, kChunkHeaderBytes> encode_chunk_header(const ChunkHeader& header) {
    return RecordWriter<kChunkHeaderBytes>(kChunkMagic)
        .put(static_cast<std::uint8_t>(header.kind), 1)
        .put(static_cast<std::uint8_t>(header.packing), 1)
        .put(0, 2)
        .put(header.raw_bytes, 4)
        .put(header.stored_bytes, 4)
        .put(header.frames, 4)
        .put(header.sequence, 8)
        .put(header.checksum, 8)
        .finish();
}

std::array<char, kClosingMarkBytes> encode_closing_mark(const ClosingMark& mark) {
    return RecordWriter<kClosingMarkBytes>(kClosingMagic).put(mark.index_offset, 8).put(mark.chunks, 8).finish();
}

std::optional<std::uint32_t> decode_file_header(std::string_view bytes) {
    if (!is_record(bytes, kFileMagic, kFileHeaderBytes)) return std::nullopt;
    return static_cast<std::uint32_t>(number_at(bytes, 8, 4));
}

std::optional<ChunkHeader> decode_chunk_header(std::string_view bytes) {
    if (!is_record(bytes, kChunkMagic, kChunkHeaderBytes)) return std::nullopt;
    ChunkHeader header;
    header.kind = static_cast<ChunkKind>(number_at(bytes, 8, 1));
    header.packing = static_cast<Packing>(number_at(bytes, 9, 1));
    header.raw_bytes = static_cast<std::uint32_t>(number_at(bytes, 12, 4));
    header.stored_bytes = static_cast<std::uint32_t>(number_at(bytes, 16, 4));
    header.frames = static_cast<std::uint32_t>(number_at(bytes, 20, 4));
    header.sequence = number_at(bytes, 24, 8);
    header.checksum = number_at(bytes, 32, 8);
    if (header.raw_bytes > kMaxChunkBytes || header.stored_bytes > ZSTD_COMPRESSBOUND(kMaxChunkBytes)) return std::nullopt;
    return header;
}

std::optional<ClosingMark> decode_closing_mark(std::string_view bytes) {
    if (!is_record(bytes, kClosingMagic, kClosingMarkBytes)) return std::nullopt;
    return ClosingMark{number_at(bytes, 8, 8), number_at(bytes, 16, 8)};
}

}  // namespace sla::capture
