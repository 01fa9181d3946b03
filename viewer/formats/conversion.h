// What the writers and readers of all formats have in common.
#pragma once

#include "proto/base/result.h"
#include "viewer/analysis/event_walk.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::formats {

// A writer counts rows, a reader bytes of its file (0 of all: not known).
using analysis::Progress;

struct ExportReport {
    std::uint64_t events = 0;           // written, loss rows included
    std::vector<std::string> left_out;  // what the format has no place for, a sentence each
};

// What a reader could not take over, a sentence each.
using Notes = std::vector<std::string>;

// The stream broke (bad()): what was read of it is not all there is.
inline Error read_failed(int errno_value) {
    return system_error("it cannot be read to its end", errno_value);
}

}  // namespace sla::formats
