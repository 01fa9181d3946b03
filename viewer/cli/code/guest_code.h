// Code as an emulated PC has it in its memory now, asked for at its control socket.
#pragma once

#include "proto/base/result.h"

#include <sys/types.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace sla::cli {

// Linear addresses [begin, end); up to where memory ends.
Result<std::vector<std::uint8_t>> read_guest_code(pid_t process, std::uint64_t begin, std::uint64_t end);

// Lines of "000fe05b: ea 5b e0 --", up to the first byte that is not there.
Result<std::vector<std::uint8_t>> parse_guest_bytes(std::string_view text);

}  // namespace sla::cli
