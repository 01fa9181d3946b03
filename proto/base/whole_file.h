// Files read whole.
#pragma once

#include "proto/base/result.h"

#include <cstddef>
#include <limits>
#include <optional>
#include <string>

namespace sla {

inline constexpr std::size_t kAnyLength = std::numeric_limits<std::size_t>::max();

// To the end, of a pipe or a file of /proc too. Errors name the path; more than `most` bytes are one.
Result<std::string> read_whole_file(const std::string& path, std::size_t most = kAnyLength);
// The same; nothing when there is no such file.
Result<std::optional<std::string>> read_file_if_there(const std::string& path, std::size_t most = kAnyLength);

}  // namespace sla
