// What stands before the rows of a merged capture: what it is of, how its hosts' clocks were matched, and the names of those
// recordings that are put together of parts; all others say their names as they come.
#pragma once

#include "viewer/capture_tools/merged_recordings.h"

#include <string>
#include <vector>

namespace sla::capture_tools {

// Frames in the order to be sent. What the times of different inputs mean to each other is said in `remarks`, too.
std::vector<wire::Frame> merged_head(const MergeInputs& inputs, const MergedRecordings& recordings,
                                     std::vector<std::string>& remarks);

}  // namespace sla::capture_tools
