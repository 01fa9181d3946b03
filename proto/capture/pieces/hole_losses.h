// Loss rows of channels that a missing piece left open. Private to the room.
#pragma once

#include "proto/capture/file_chunks.h"
#include "proto/capture/summary/lane_summary.h"

#include <cstddef>
#include <map>
#include <vector>

namespace sla::capture {

// By the file behind the first hole of each channel; opens the index of every file.
std::map<std::size_t, std::vector<GapRow>> losses_in_holes(const FileRow& row);

}  // namespace sla::capture
