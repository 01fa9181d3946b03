// ChunkStore: where the chunks of a capture are kept. All that a reader must know of a file, of a series of files or of a
// cluster to read them alike.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/file_format.h"
#include "proto/capture/summary/chunk_summary.h"

#include <chrono>
#include <string>

namespace sla::capture {

// One owner, one thread.
class ChunkStore {
public:
    virtual ~ChunkStore() = default;
    // The header of a chunk of frames, or of its summary; the bytes stored behind it replace `stored`. ChunkPlace::offset is
    // what this store means by it. Nothing is unpacked or checked but the header. An error says what could not be fetched,
    // and from where.
    virtual Result<ChunkHeader> fetch_frames(const ChunkPlace& place, std::string& stored) = 0;
    virtual Result<ChunkHeader> fetch_summary(const ChunkPlace& place, std::string& stored) = 0;
    // So long an answer is waited for from now on. False: there is nothing to wait for, what is kUnavailable stays so; true: it
    // may come later.
    virtual bool set_timeout(std::chrono::milliseconds /*timeout*/) { return false; }
    // To look at every chunk takes much longer than to read a file of this machine.
    [[nodiscard]] virtual bool is_elsewhere() const { return false; }
    // "'rec.sla' (chunk at 32)": a chunk in messages.
    [[nodiscard]] virtual std::string describe(const ChunkPlace& place) const = 0;
};

}  // namespace sla::capture
