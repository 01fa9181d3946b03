// Durations as people type and read them: "10s", "1.5ms", "200us", "3ns"; "2m", "1h".
#pragma once

#include "proto/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sla::time {

// Picoseconds. A number and a unit (h m or min, s ms us µs ns ps); a bare 0 needs no unit. A sign is allowed.
Result<std::int64_t> parse_duration(std::string_view text);

// Three to six significant digits with the unit that fits: "11.104 µs", "1.5 ms", "0".
std::string format_duration(std::int64_t ps);

}  // namespace sla::time
