// Several patterns for names, of which one is enough.
#pragma once

#include "proto/wire/glob.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace sla::wire {

// Of no pattern none does.
inline bool any_glob_matches(const std::vector<std::string>& globs, std::string_view name) {
    return std::any_of(globs.begin(), globs.end(), [name](const std::string& glob) { return glob_match(glob, name); });
}

}  // namespace sla::wire
