// Firmware that enters a .COM program, and how such a program lies in memory (com.asm).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sla::guest {

// The program's segment, its prefix included, is 64 KB from here.
inline constexpr std::uint32_t kComBase = 0x10000;
// The prefix takes the first 256 bytes, a return address the last two.
inline constexpr std::size_t kMaxComBytes = 0x10000 - 0x100 - 2;
inline constexpr std::size_t kMaxComTail = 126;

std::vector<std::uint8_t> com_guest();

// What stands in memory from kComBase on: the prefix with the command's tail (at most kMaxComTail characters), then the
// program.
std::vector<std::uint8_t> com_memory(const std::vector<std::uint8_t>& program, std::string_view tail);

}  // namespace sla::guest
