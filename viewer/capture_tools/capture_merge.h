// Several captures as one. Streams: each input is read once, in order, and nothing is held back.
//
// Files of one recording share their sources, channels and threads: those with the same capture id (a rotated recording), and
// parts that were cut out of it (recording_parts.h), of which each row stands once. Of any others these are numbered anew; a
// source whose name another input has already is named with its file. Times count from the
// earliest start. Ticks: see ingest::ClockMatch; the reference is the input that began first.
#pragma once

#include "proto/base/result.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sla::capture_tools {

// A capture file, and what people call it.
struct NamedFile {
    std::string path;
    std::string name;
};

struct MergeReport {
    std::uint64_t rows = 0;
    std::uint64_t missing = 0;         // rows that damage took of the inputs; gap rows report them
    std::vector<std::string> remarks;  // how clocks were matched, what was damaged
};

// `progress` receives 0..1 now and then; false stops with an error, and no file is left.
Result<MergeReport> merge_captures(const std::vector<NamedFile>& files, const std::string& to_file,
                                   const std::function<bool(double)>& progress);

}  // namespace sla::capture_tools
