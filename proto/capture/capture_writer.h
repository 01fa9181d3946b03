// Writes a capture file: the stream's frames in compressed, checksummed chunks, an index at the end. README.md draws the
// bytes.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/chunk.h"
#include "proto/capture/frame_facts.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace sla::capture {

struct WriterOptions {
    std::size_t chunk_bytes = std::size_t{512} << 10;   // unpacked: a chunk with so many is closed
    std::size_t most_bytes = std::size_t{8} << 20;      // a frame with which it had more begins the next one
    std::uint64_t chunk_rows = std::uint64_t{1} << 20;  // and one with so many rows is closed: who looks at one unpacks all
    Effort effort = Effort::kFewBytes;                  // in packing them
};

// One owner, one thread. Frames are buffered up to a chunk, and no longer than a second while frames keep coming; flush()
// hands them to the kernel at once: from there on a crash of this program cannot take them (a crash of the machine can,
// until the kernel has written them out; finish() waits for that). A file that was never finished is still readable up to
// its last whole chunk. 2 to 12 ns an event, most of it for reading the batch and packing it (tests/bench/size_bench).
class CaptureWriter {
public:
    // Creates or replaces the file. `-` is not a file here.
    static Result<CaptureWriter> create(const std::string& path, const WriterOptions& options = {});
    // The same for files that are of no use by halves (made from others): nothing is seen under that name until finish()
    // has worked, and nothing is left of it when it was dropped before.
    static Result<CaptureWriter> create_hidden(const std::string& path);

    // The next piece of the same stream, behind one that is finished: its summaries go on where those of the one before ended,
    // so that readers can put the pieces together without a look at their rows.
    static Result<CaptureWriter> create_after(CaptureWriter& before, const std::string& path,
                                              const WriterOptions& options = {});

    CaptureWriter(CaptureWriter&&) noexcept;
    CaptureWriter& operator=(CaptureWriter&&) noexcept;
    ~CaptureWriter();  // closes without finishing

    // After a write failed, every call gives that first error again and the file stays readable up to the last whole chunk.
    // `message` is one serialized wire::Frame, without its stream length; what is in it goes into the chunk's summary. Where it
    // is behind a loss row that explains a hole in the numbers of its channel's rows, it gets lower ones.
    // `facts` stand in for a batch that cannot be read.
    Result<void> append(std::string_view message, const FrameFacts& facts = {});
    Result<void> flush();
    // Writes the index and the closing mark, syncs, closes. Nothing may follow.
    Result<void> finish();

    [[nodiscard]] std::uint64_t bytes_written() const;
    // Appended, and not yet in the file. After a failure: what of it never got there.
    [[nodiscard]] std::uint32_t frames_waiting() const;
    // Appended in all: one more after an append that failed behind it, not after one that failed before.
    [[nodiscard]] std::uint64_t frames_taken() const;
    // What the chunks in the file hold.
    struct Written {
        std::uint64_t events = 0;  // rows that are no gaps
        std::uint64_t missed = 0;  // events that gaps stand for because whoever wrote this did not get them
    };
    [[nodiscard]] Written written() const;
    // What it holds in memory, about: what it remembers of channels, a chunk, what packs it, and a part of the index.
    [[nodiscard]] std::uint64_t memory() const;

private:
    struct State;
    static Result<CaptureWriter> start(const std::string& path, const WriterOptions& options, bool hidden);
    explicit CaptureWriter(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace sla::capture
