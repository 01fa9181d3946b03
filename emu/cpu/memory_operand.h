// Which memory an instruction names: the linear addresses of its operands, from the registers as they are. For finding the
// instruction behind an access to a chip's window. Pushes, pops and other accesses of the stack are left out.
#pragma once

#include "emu/cpu/x86_state.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace sla::cpu {

struct MemoryOperand {
    std::uint32_t linear = 0;
    unsigned bytes = 0;
    bool written = false;
    bool steps = false;  // of a string instruction: its register moves on by the operand's size
};

// Up to two: MOVS and CMPS have both. `code` begins with the instruction, which is complete.
std::array<std::optional<MemoryOperand>, 2> memory_operands(std::span<const std::uint8_t> code, bool code32,
                                                            const X86State& state);

}  // namespace sla::cpu
