// Which inputs of a merge are of one recording, and how their rows follow on each other.
#pragma once

#include "viewer/capture_tools/merge_input.h"
#include "viewer/capture_tools/part_id.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sla::capture_tools {

using MergeInputs = std::vector<std::unique_ptr<MergeInput>>;

struct MergedRecordings {
    // Parts of one recording come together as it, so that the result is a part of it too.
    struct Whole {
        std::uint64_t recording = 0;
        std::uint64_t end_tick = 0;
        PartFile file;                 // of which it has all rows
        std::uint64_t file_until = 0;  // to here
    };
    std::optional<Whole> whole;  // all inputs are of one recording, and nothing is missing between them
    std::map<const MergeInput*, std::vector<const MergeInput*>> behind;  // those that are read to their end before it
    std::map<const MergeInput*, const MergeInput*> clock_of;  // whose clock was matched for it; not there: its own
    std::vector<std::string> remarks;
    std::vector<std::string> missing;  // files of a rotated one
};

// Plans parts, and matches all inputs to the first one.
Result<MergedRecordings> match_recordings(MergeInputs& inputs, MergedIds& ids);

}  // namespace sla::capture_tools
