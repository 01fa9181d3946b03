// A chunk's bytes, packed and unpacked. No I/O.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/file_format.h"

#include <memory>
#include <string>
#include <string_view>

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace sla::capture {

// Packs chunk after chunk, keeping its memory. One owner, one thread.
class ChunkPacker {
public:
    ChunkPacker();
    ~ChunkPacker();
    ChunkPacker(const ChunkPacker&) = delete;
    ChunkPacker& operator=(const ChunkPacker&) = delete;

    // Header and stored bytes, valid until the next call. `raw` has at most kMaxChunkBytes (checked); what does not shrink
    // is stored as it is.
    std::string_view pack(ChunkKind kind, std::string_view raw, std::uint32_t frames, std::uint64_t sequence);

private:
    ZSTD_CCtx_s* context_;
    std::string packed_;
};

// Unpacks bytes from outside: never writes more than kMaxChunkBytes. One owner, one thread.
class ChunkUnpacker {
public:
    ChunkUnpacker();
    ~ChunkUnpacker();
    ChunkUnpacker(const ChunkUnpacker&) = delete;
    ChunkUnpacker& operator=(const ChunkUnpacker&) = delete;

    // Replaces `raw`. The error is one phrase, without file and place.
    Result<void> unpack(const ChunkHeader& header, std::string_view stored, std::string& raw);

private:
    ZSTD_DCtx_s* context_;
};

}  // namespace sla::capture
