// The whole truth about a capture file: every chunk unpacked, every batch decoded, every ordinal accounted for. Streams:
// memory does not grow with the file.
#pragma once

#include "proto/base/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sla::capture_tools {

// One thing that is wrong, and what it took of one channel.
struct Finding {
    std::uint64_t offset = 0;  // in the file
    std::uint64_t bytes = 0;   // 0: between two places
    std::optional<std::uint64_t> chunk;
    std::string what;
    std::string channel;     // empty: not known, or nothing is gone
    std::uint64_t rows = 0;  // gone
    std::optional<std::int64_t> from_ps;
    std::optional<std::int64_t> until_ps;
    bool harmless = false;  // no event is gone
};

struct CheckReport {
    std::vector<Finding> findings;
    bool finished = false;
    bool index_made_anew = false;  // the file's own was missing or damaged
    std::uint64_t bytes = 0;
    std::uint64_t channels = 0;
    std::uint64_t events = 0;
    std::uint64_t lost_before = 0;  // events, reported by gap rows: lost before they came to the file
    std::uint64_t uncounted = 0;    // losses of an unknown number, reported likewise
    std::uint64_t not_kept = 0;     // of the time before the recording
    std::uint64_t rows_gone = 0;    // by the findings
    std::int64_t begin_ps = 0;      // of the first row
    std::int64_t end_ps = 0;        // of the newest row

    [[nodiscard]] bool whole() const { return finished && findings.empty(); }
};

// `progress` receives 0..1 now and then; false stops with an error.
Result<CheckReport> check_capture(const std::string& path, const std::function<bool(double)>& progress);

}  // namespace sla::capture_tools
