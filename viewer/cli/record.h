// The two ways to record, behind one command.
#pragma once

#include "proto/capture/capture_series.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sla::cli {

struct RecordOptions {
    std::string file;
    std::optional<std::int64_t> for_ps;
    capture::SeriesLimits rotation;
    std::string rotate;                // its text, as typed
    std::uint64_t ring_slots = 0;      // 0: the marker library chooses
    std::vector<std::string> program;  // empty: from the running agent
    std::string address;               // of that agent
};

// A private agent, the program, the file. The exit code.
int record_program(const RecordOptions& options);
// What the running agent sends, into the file. The exit code.
int record_stream(const RecordOptions& options);

// What was recorded and what to type next, on stderr.
void tell_summary(const std::string& file);
// The same of a recording that may have gone through several files.
void tell_recorded(const RecordOptions& options);

}  // namespace sla::cli
