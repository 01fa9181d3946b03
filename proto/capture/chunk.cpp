#include "proto/capture/chunk.h"

#include "proto/wire/frame_codec.h"

#define ZSTD_STATIC_LINKING_ONLY  // of that only the name of a parameter
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace sla::capture {
namespace {

constexpr std::size_t kLengthBytes = 4;
constexpr std::size_t kLargeBytes = std::size_t{128} << 10;
constexpr std::size_t kSampleBytes = std::size_t{8} << 10;
constexpr std::uint32_t kWaysTriedAgain = 32;

}  // namespace

// The recorder must keep up with the rings, and columns are dense already: level 1 is the most that there is. Of many small batches
// only their heads repeat, and Huffman codes for the rest gain nothing. Of columns of jittered ticks it is the codes that gain nearly
// all: who looks for repetitions in steps of many bytes takes a third of the time.
const ChunkPacker::Terms& ChunkPacker::terms_of(Effort effort) {
    static constexpr Way kSmall[] = {{-1}, {1, 12, 5}, {1}};
    static constexpr Way kQuick[] = {{-64, 0, 0, true}, {1, 12, 5}, {1}};
    static constexpr Terms kFewBytes{kSmall, 64, 256};
    static constexpr Terms kLittleTime{kQuick, 16, 5};
    return effort == Effort::kFewBytes ? kFewBytes : kLittleTime;
}

ChunkPacker::ChunkPacker(Effort effort) : terms_(terms_of(effort)), context_(ZSTD_createCCtx()), way_(&terms_.ways.back()) {
    if (context_ == nullptr) throw std::bad_alloc();
}
ChunkPacker::~ChunkPacker() {
    ZSTD_freeCCtx(context_);
}

std::size_t ChunkPacker::compress(const Way& way, std::string_view raw, char* stored, std::size_t room) {
    ZSTD_CCtx_setParameter(context_, ZSTD_c_compressionLevel, way.level);
    ZSTD_CCtx_setParameter(context_, ZSTD_c_hashLog, way.hash_log);
    ZSTD_CCtx_setParameter(context_, ZSTD_c_minMatch, way.min_match);
    ZSTD_CCtx_setParameter(context_, ZSTD_c_literalCompressionMode, way.codes_all ? ZSTD_ps_enable : ZSTD_ps_auto);
    return ZSTD_compress2(context_, stored, room, raw.data(), raw.size());
}

// What lies far apart may be alike where samples are not: now and then all of a chunk is tried.
bool ChunkPacker::would_shrink(std::string_view raw, char* scratch, std::size_t room) {
    constexpr std::uint32_t kTriedAgain = 16;
    constexpr std::size_t kSamples = 3;
    if (dense_in_a_row_ % kTriedAgain == 0) return true;
    std::size_t packed = 0;
    for (std::size_t i = 1; i <= kSamples; ++i)
        packed += compress(*way_, raw.substr(raw.size() / (kSamples + 1) * i, kSampleBytes), scratch, room);
    return packed < kSamples * (kSampleBytes - kSampleBytes / terms_.worth_packing);
}

// By its middle.
const ChunkPacker::Way& ChunkPacker::quickest_way(std::string_view raw, char* scratch, std::size_t room) {
    const std::string_view middle = raw.substr((raw.size() - kLargeBytes) / 2, kLargeBytes);
    const Way& best = terms_.ways.back();
    const std::size_t bytes = compress(best, middle, scratch, room);
    const std::size_t most = bytes + bytes / terms_.may_cost;
    return *std::find_if(terms_.ways.begin(), terms_.ways.end() - 1,
                         [&](const Way& way) { return compress(way, middle, scratch, room) <= most; });
}

std::size_t ChunkPacker::shrink_large(std::string_view raw, char* stored, std::size_t room) {
    if (!would_shrink(raw, stored, room)) {
        ++dense_in_a_row_;
        return 0;
    }
    if (large_++ % kWaysTriedAgain == 0) way_ = &quickest_way(raw, stored, room);
    const std::size_t bytes = compress(*way_, raw, stored, room);
    const bool is_dense = bytes >= raw.size() - raw.size() / terms_.worth_packing;
    dense_in_a_row_ = is_dense ? dense_in_a_row_ + 1 : 0;
    if (is_dense && way_ != &terms_.ways.back()) {  // which was chosen for others
        way_ = &terms_.ways.back();
        large_ = 0;
    }
    return bytes;
}

std::size_t ChunkPacker::shrink(ChunkKind kind, std::string_view raw, char* stored, std::size_t room) {
    const bool is_large = kind == ChunkKind::kFrames && raw.size() >= kLargeBytes;
    const std::size_t bytes = is_large ? shrink_large(raw, stored, room) : compress(terms_.ways.back(), raw, stored, room);
    return ZSTD_isError(bytes) == 0 && bytes < raw.size() ? bytes : 0;
}

std::string_view ChunkPacker::pack(ChunkKind kind, std::string_view raw, std::uint32_t frames, std::uint64_t sequence) {
    SLA_CHECK(raw.size() <= kMaxChunkBytes);
    // Never smaller: what it grows by is written once more.
    packed_.resize(std::max(packed_.size(), kChunkHeaderBytes + ZSTD_compressBound(raw.size())));
    char* const stored = packed_.data() + kChunkHeaderBytes;
    std::size_t stored_bytes = shrink(kind, raw, stored, packed_.size() - kChunkHeaderBytes);
    const bool smaller = stored_bytes > 0;
    if (!smaller) {
        stored_bytes = raw.size();
        std::memcpy(stored, raw.data(), raw.size());
    }

    ChunkHeader header;
    header.kind = kind;
    header.packing = smaller ? Packing::kZstd : Packing::kNone;
    header.raw_bytes = static_cast<std::uint32_t>(raw.size());
    header.stored_bytes = static_cast<std::uint32_t>(stored_bytes);
    header.frames = frames;
    header.sequence = sequence;
    header.checksum = checksum_of({stored, stored_bytes});
    const auto encoded = encode_chunk_header(header);
    std::memcpy(packed_.data(), encoded.data(), encoded.size());
    return {packed_.data(), kChunkHeaderBytes + stored_bytes};
}

std::size_t ChunkPacker::bytes() const {
    return ZSTD_sizeof_CCtx(context_) + packed_.capacity();
}

ChunkUnpacker::ChunkUnpacker() : context_(ZSTD_createDCtx()) {
    if (context_ == nullptr) throw std::bad_alloc();
}
ChunkUnpacker::~ChunkUnpacker() {
    ZSTD_freeDCtx(context_);
}

Result<void> check_stored(const ChunkHeader& header, std::string_view stored) {
    const bool is_right = stored.size() == header.stored_bytes && checksum_of(stored) == header.checksum;
    return is_right ? Result<void>() : damaged("the checksum of a chunk is wrong");
}

Result<void> ChunkUnpacker::unpack(const ChunkHeader& header, std::string_view stored, std::string& raw) {
    if (Result<void> checked = check_stored(header, stored); !checked) return checked;
    switch (header.packing) {
        case Packing::kNone:
            if (header.raw_bytes != header.stored_bytes) return damaged("the sizes of a chunk disagree");
            raw = stored;
            return {};
        case Packing::kZstd: {
            raw.resize(header.raw_bytes);
            const std::size_t bytes = ZSTD_decompressDCtx(context_, raw.data(), raw.size(), stored.data(), stored.size());
            if (ZSTD_isError(bytes) != 0 || bytes != raw.size()) return damaged("a chunk does not unpack");
            return {};
        }
    }
    return damaged("a chunk is packed in a way that this version does not know");
}

std::optional<std::string_view> take_frame(std::string_view& contents) {
    if (contents.size() < kLengthBytes) return std::nullopt;
    std::size_t length = 0;
    for (std::size_t i = 0; i < kLengthBytes; ++i) {
        length |= static_cast<std::size_t>(static_cast<unsigned char>(contents[i])) << (8 * i);
    }
    if (length == 0 || length > wire::kMaxFrameBytes || length > contents.size() - kLengthBytes) return std::nullopt;
    const std::string_view frame = contents.substr(kLengthBytes, length);
    contents.remove_prefix(kLengthBytes + length);
    return frame;
}

void append_frame(std::string_view message, std::string& contents) {
    const auto length = static_cast<std::uint32_t>(message.size());
    for (std::size_t i = 0; i < kLengthBytes; ++i) contents += static_cast<char>(length >> (8 * i) & 0xff);
    contents += message;
}

}  // namespace sla::capture
