// A recording that goes on in file after file, so that it can run for ever on a bounded disk.
//
//   F.sla with limits:    F-0001.sla ── full ──► F-0002.sla ── full ──► F-0003.sla ...     the oldest go
//                         each: Hello, sources, channels, threads, clocks │ batches ... │ End
//
// Each file opens alone, and all open as one (capture_pieces.h). No frame is lost or written twice between two files: a file ends behind one frame, the next begins
// with the following one. Numbers go on from what is there already. Without limits it is one file with its plain name.
// One owner, one thread.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/capture_writer.h"
#include "proto/capture/pieces/piece_fill.h"
#include "proto/capture/pieces/stream_head.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sla::capture {

struct SeriesLimits {
    std::uint64_t file_bytes = 0;          // the next file begins once one has so many; 0: no limit
    std::chrono::nanoseconds file_time{};  // or is so old and holds an event; 0: no limit
    std::uint32_t keep_files = 0;          // of this series, the one being written included; 0: all

    [[nodiscard]] bool rotates() const { return file_bytes > 0 || file_time.count() > 0; }
};

// "1GiB", "10min", or both with a comma between them.
Result<SeriesLimits> parse_rotation(std::string_view text);

// The files of the series that are there, in order.
std::vector<std::string> files_of_series(const std::string& path);
// Their numbers. An error where the folder does not show them: whoever goes on behind them must know all.
Result<std::vector<std::uint64_t>> numbers_of_series(const std::string& path);

class CaptureSeries {
public:
    using Clock = std::function<std::chrono::steady_clock::time_point()>;

    static Result<CaptureSeries> create(const std::string& path, const SeriesLimits& limits = {},
                                        Clock clock = std::chrono::steady_clock::now);

    // As CaptureWriter's; facts.events > 0 says that the frame is a batch. After a failure the file written so far stays as
    // it is, and every call gives that failure again.
    Result<void> append(std::string_view message, const FrameFacts& facts = {});
    Result<void> flush();
    Result<void> finish();

    // The file being written.
    [[nodiscard]] const std::string& file() const { return file_; }
    // What it holds in memory.
    [[nodiscard]] std::uint64_t memory() const { return writer_.memory() + head_.bytes(); }

private:
    CaptureSeries(std::string path, const SeriesLimits& limits, Clock clock, CaptureWriter writer, std::string file,
                  std::uint64_t number);
    [[nodiscard]] bool is_full() const;
    Result<void> rotate();
    Result<void> begin_next(const std::string& file);
    Result<void> remove_oldest() const;

    std::string path_;
    SeriesLimits limits_;
    Clock clock_;
    CaptureWriter writer_;
    std::string file_;
    std::optional<Error> failure_;  // the first; a writer that was finished must not be asked again
    std::uint64_t number_;
    std::chrono::steady_clock::time_point begun_;
    StreamHead head_;  // of what every file begins with
    PieceFill fill_;   // of this file
};

}  // namespace sla::capture
