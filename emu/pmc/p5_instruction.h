// What a Pentium's pipes must know of an instruction: in which of them it may run, and which registers it uses. Rules:
// Intel, "Optimizations for Intel's 32-bit processors" (application note 526), chapter on pairing.
#pragma once

#include "emu/cpu/instruction.h"

#include <cstdint>

namespace sla::pmc {

enum class Pairing : std::uint8_t {
    kEither,  // UV
    kOnlyU,   // PU: carry, shifts, instructions with a prefix
    kOnlyV,   // PV: near jumps and calls
    kNever,   // NP
};

// Registers are bits, EAX is bit 0; parts of one count as the whole.
struct P5Instruction {
    Pairing pairing = Pairing::kNever;
    std::uint8_t reads = 0;    // those of addresses too
    std::uint8_t writes = 0;   // but the stack pointer of pushes, pops, calls and returns
    std::uint8_t address = 0;  // those a memory address is made of
    bool displacement_and_immediate = false;
};

P5Instruction describe(const cpu::Instruction& found);

}  // namespace sla::pmc
