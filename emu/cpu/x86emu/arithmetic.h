// Shifts, rotates and bit tests as the processor does them, flags included: what the library of X86emuCpu does wrong. Pure.
#pragma once

#include <cstdint>

namespace sla::cpu {

struct Computed {
    std::uint32_t value = 0;
    std::uint32_t eflags = 0;
};

// The operation as ModR/M's reg field has it: ROL ROR RCL RCR SHL SHR SHL SAR. The count as the instruction has it; a value has
// no bits beyond its width.
Computed shift(unsigned operation, std::uint32_t value, unsigned bits, std::uint32_t count, std::uint32_t eflags);
// SHLD, or SHRD; the bits that come in are the neighbour's.
Computed double_shift(bool right, std::uint32_t value, std::uint32_t neighbour, unsigned bits, std::uint32_t count,
                      std::uint32_t eflags);
// BT BTS BTR BTC, as the reg field of 0FBA has them, less 4.
Computed bit_test(unsigned operation, std::uint32_t value, unsigned bit, std::uint32_t eflags);
// Flags of a sum, or of a difference.
Computed add(std::uint32_t left, std::uint32_t right, unsigned bits, std::uint32_t eflags);
Computed subtract(std::uint32_t left, std::uint32_t right, unsigned bits, std::uint32_t eflags);

}  // namespace sla::cpu
