// What the writers and readers of all formats have in common.
#pragma once

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

}  // namespace sla::formats
