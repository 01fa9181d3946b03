// Takes x86 code apart into instructions: how long each is, and its opcode. What operands mean is nobody's concern here.
// Tables: Intel's manual, volume 2, appendix A. 16 and 32-bit code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace sla::cpu {

inline constexpr std::uint32_t kMaxInstructionBytes = 15;

struct Instruction {
    std::size_t length = 0;    // prefixes included
    std::uint16_t opcode = 0;  // 0Fxx for those of two bytes, 0F38xx is cut to 0F38
    std::uint8_t modrm = 0;    // where it has one

    [[nodiscard]] unsigned reg() const { return modrm >> 3 & 7; }
};

// The first instruction of the code; nothing when the bytes end before it does.
std::optional<Instruction> decode(std::span<const std::uint8_t> code, bool code32);

}  // namespace sla::cpu
