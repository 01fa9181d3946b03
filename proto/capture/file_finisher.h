// Brings a capture file to its end that whoever wrote it could not: he was killed, or the disk was full.
//
//   frames 0 │ summary 0 │ frames 1 │ cut in the mid          ──►  frames 0 │ summary 0 │ frames 1 │ summary 1 │ index │ mark
//
// Whole chunks stay as they are, byte by byte and with their numbers; behind them follows what is missing, made anew from the
// frames. What comes behind the first chunk that is not whole is cut off.
#pragma once

#include "proto/base/result.h"

#include <cstdint>
#include <string>

namespace sla::capture {

struct Finished {
    std::uint64_t cut_bytes = 0;  // that were no whole chunk
    bool was_finished = false;    // nothing was to be done
};

// The file has at least its header, else an error says what it is. Memory: as a CaptureWriter.
Result<Finished> finish_file(const std::string& path);

}  // namespace sla::capture
