// An instruction that is about to run, for whoever wants to know more of it than that it does.
#pragma once

#include "emu/cpu/instruction.h"

#include <cstdint>
#include <span>

namespace sla::cpu {

struct Executed {
    std::uint32_t address = 0;  // linear
    std::uint32_t eip = 0;
    bool code32 = false;
    Instruction instruction;
    std::span<const std::uint8_t> code;  // begins with it
};

}  // namespace sla::cpu
