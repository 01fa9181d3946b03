// What a reset leaves in a Pentium (Intel, Pentium Processor Family Developer's Manual, volume 3, "Processor Initialization"):
// real mode, caches off, and code at the end of 4 GB until the first far jump.
#pragma once

#include <cstdint>

namespace sla::cpu::at_reset {

inline constexpr std::uint32_t kCr0 = 0x60000010;  // CD, NW, ET
inline constexpr std::uint16_t kCodeSelector = 0xF000;
inline constexpr std::uint32_t kCodeBase = 0xFFFF0000;
inline constexpr std::uint32_t kEip = 0xFFF0;

}  // namespace sla::cpu::at_reset
