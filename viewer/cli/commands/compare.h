// sla compare: two captures, and what is asked of them.
#pragma once

#include "viewer/cli/command.h"
#include "viewer/cli/input.h"

#include <array>
#include <string>
#include <vector>

namespace sla::cli {

struct CompareOptions {
    std::array<std::string, 2> files;
    std::vector<std::string> pairs;
    InputOptions input;  // channels and times
    OutputOptions output;
    bool exact = false;
    std::vector<std::string> limits;
    std::string junit;
};

// Both captures, and the range of each: from its start, or from t = 0 of its first shot when both have one.
struct Sides {
    std::array<store::Session, 2> sessions;
    std::array<analysis::TimeRange, 2> ranges;
};

// The statistics of both side by side, as a table; gives the exit code.
int write_figures(const CompareOptions& options, const Sides& sides);

}  // namespace sla::cli
