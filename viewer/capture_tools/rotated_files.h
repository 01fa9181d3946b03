// Files of a recording that was rotated, in a merge: in which order their rows come, and what a file that is missing between two
// of them may have had. Private to the room.
#pragma once

#include "viewer/capture_tools/merge_input.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sla::capture_tools {

// Rows of a channel are in them in the order of their ordinals, whatever the times in them are, for a channel's batch comes to
// the file that is written when it is closed. Those whose rows come before it, by file; nothing where files would wait for
// themselves, as damaged ones may say.
using FilesBefore = std::map<const MergeInput*, std::set<const MergeInput*>>;
std::optional<FilesBefore> files_before(const std::vector<MergeInput*>& files);

// Where a file is missing each channel that it left open gets a loss row, behind its last rows. What people are told.
std::vector<std::string> mark_missing_files(std::vector<MergeInput*> files);

}  // namespace sla::capture_tools
