// Writes a capture file: the stream's frames in compressed, checksummed chunks, an index at the end. README.md draws the
// bytes.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/frame_facts.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace sla::capture {

// One owner, one thread. Frames are buffered up to a chunk; flush() puts them on disk. A file that was never finished is
// still readable up to its last whole chunk.
class CaptureWriter {
public:
    // Creates or replaces the file. `-` is not a file here.
    static Result<CaptureWriter> create(const std::string& path);

    CaptureWriter(CaptureWriter&&) noexcept;
    CaptureWriter& operator=(CaptureWriter&&) noexcept;
    ~CaptureWriter();  // closes without finishing

    // After a write failed, every call gives that first error again and the file stays readable up to the last whole chunk.
    // `message` is one serialized wire::Frame, without its stream length.
    Result<void> append(std::string_view message, const FrameFacts& facts = {});
    Result<void> flush();
    // Writes the index and the closing mark, syncs, closes. Nothing may follow.
    Result<void> finish();

    [[nodiscard]] std::uint64_t bytes_written() const;

private:
    struct State;
    explicit CaptureWriter(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace sla::capture
