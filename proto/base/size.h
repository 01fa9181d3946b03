// Numbers of bytes as people type them: "4096", "64MiB", "2GB".
#pragma once

#include "proto/base/result.h"

#include <cstdint>
#include <string_view>

namespace sla {

// A whole number and a unit: B kB MB GB TB (thousands), KiB MiB GiB TiB (1024s), any case; no unit: bytes.
Result<std::uint64_t> parse_size(std::string_view text);

}  // namespace sla
