// A chunk's bytes, packed and unpacked. No I/O.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/file_format.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace sla::capture {

// What packing large chunks of frames is to save: bytes of a file that is kept, or time of the machine that is looked at, which the
// last sixth of the bytes costs three times over.
enum class Effort : std::uint8_t { kFewBytes, kLittleTime };

// Packs chunk after chunk, keeping its memory. One owner, one thread.
class ChunkPacker {
public:
    explicit ChunkPacker(Effort effort = Effort::kFewBytes);
    ~ChunkPacker();
    ChunkPacker(const ChunkPacker&) = delete;
    ChunkPacker& operator=(const ChunkPacker&) = delete;

    // Header and stored bytes, valid until the next call. `raw` has at most kMaxChunkBytes (checked); what does not shrink
    // is stored as it is. Where a large chunk of frames did not, samples say whether the next one would: packing what is dense
    // already costs 4 ns an event of spans with random ids. A part of the first of such chunks, and of some later ones, is packed in
    // several ways: the quickest that does not make it larger by more than a 256th packs them, or by a fifth (kLittleTime).
    std::string_view pack(ChunkKind kind, std::string_view raw, std::uint32_t frames, std::uint64_t sequence);
    // What it takes in memory.
    [[nodiscard]] std::size_t bytes() const;

private:
    // How zstd looks for what repeats.
    struct Way {
        int level = 1;
        int hash_log = 0;  // 0: as the level has it
        int min_match = 0;
        bool codes_all = false;  // what repeats nothing by Huffman's codes, whatever the level
    };
    struct Terms {
        std::span<const Way> ways;      // the quickest first; the last one mostly packs best
        std::size_t worth_packing = 0;  // so small a part less is not
        std::size_t may_cost = 0;       // so small a part more may the quicker way
    };
    static const Terms& terms_of(Effort effort);

    // Its bytes in `stored`, where there is room for them; nothing: it does not shrink.
    std::size_t shrink(ChunkKind kind, std::string_view raw, char* stored, std::size_t room);
    std::size_t shrink_large(std::string_view raw, char* stored, std::size_t room);
    std::size_t compress(const Way& way, std::string_view raw, char* stored, std::size_t room);
    bool would_shrink(std::string_view raw, char* scratch, std::size_t room);
    const Way& quickest_way(std::string_view raw, char* scratch, std::size_t room);

    const Terms& terms_;
    ZSTD_CCtx_s* context_;
    std::string packed_;
    std::uint32_t large_ = 0;           // large chunks of frames that were packed in this way
    std::uint32_t dense_in_a_row_ = 0;  // of large ones
    const Way* way_;
};

// The stored bytes are what was written. The error is one phrase, without file and place.
Result<void> check_stored(const ChunkHeader& header, std::string_view stored);

// Unpacks bytes from outside: never writes more than kMaxChunkBytes. One owner, one thread.
class ChunkUnpacker {
public:
    ChunkUnpacker();
    ~ChunkUnpacker();
    ChunkUnpacker(ChunkUnpacker&& other) noexcept : context_(std::exchange(other.context_, nullptr)) {}
    ChunkUnpacker& operator=(ChunkUnpacker&&) = delete;

    // Replaces `raw`. The error is one phrase, without file and place.
    Result<void> unpack(const ChunkHeader& header, std::string_view stored, std::string& raw);

private:
    ZSTD_DCtx_s* context_;
};

// The next serialized wire::Frame of an unpacked chunk of frames, cut off its front; nothing at its end, or (`contents` is
// not empty then) when it is not made of frames.
std::optional<std::string_view> take_frame(std::string_view& contents);
// The way there: what a chunk of frames is made of.
void append_frame(std::string_view message, std::string& contents);

}  // namespace sla::capture
