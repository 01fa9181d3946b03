// What a file of a stream must begin with when it does not begin with the stream: hello, sources, their channels and
// threads, clocks, as far as they were received. Of a source that has had more than 16,384 threads the names of the first 8,192,
// which live longest, and of the newest: what each file begins with stays bounded. One owner, one thread.
#pragma once

#include "proto/base/result.h"

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sla::capture {

class CaptureWriter;

class StreamHead {
public:
    // A frame that is no batch.
    void remember(std::string_view message);
    // In the stream's order; valid until the next remember().
    [[nodiscard]] std::vector<const std::string*> frames() const;
    // A file begins with them. Names that are much of the bytes that it may have are in it when this returns (PieceFill).
    Result<void> write(CaptureWriter& writer, std::uint64_t file_bytes) const;

    // What its names take, about.
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    // The newest received.
    [[nodiscard]] std::uint64_t watermark() const { return watermark_; }

private:
    struct Source {
        std::string newest;  // word of it
        std::vector<std::string> channels;
        std::vector<std::string> first_threads;
        std::deque<std::string> newest_threads;  // behind those
        std::uint64_t bytes = 0;
    };
    void count(Source& source, std::int64_t bytes);
    void add_channel(Source& source, std::string_view message);
    void add_thread(Source& source, std::string_view message);
    void forget(std::uint32_t source);

    std::string hello_;
    std::map<std::uint32_t, Source> sources_;  // until they are retired
    std::deque<std::string> clocks_;           // the first, and the newest ones
    std::uint64_t bytes_ = 0;
    std::uint64_t watermark_ = 0;
};

}  // namespace sla::capture
