// Small files that are kept for a person from one start to the next: the settings, and how captures are arranged.
#pragma once

#include "proto/base/result.h"

#include <string>
#include <string_view>

namespace sla::workspace {

// Whole or not at all: never half a file under the name that is read, and none where there was one. Makes its folder. `doing`
// is for people: "write the settings to".
Result<void> write_kept_file(const std::string& path, std::string_view text, const std::string& doing);

// One that could not be read is no reason to lose what stands in it: it makes space for the next, and stays as this.
std::string name_aside(const std::string& path);
void set_aside(const std::string& path);

}  // namespace sla::workspace
