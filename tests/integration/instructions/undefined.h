// What the processor's manual leaves open, so that two processors may differ in it. Source: Intel's Software Developer's Manual,
// volume 1, appendix A (EFLAGS cross-reference: the entries "-"), and volume 2, "Flags Affected" of each instruction, which has
// the conditions by shift counts.
#pragma once

#include "emu/cpu/instruction.h"
#include "tests/integration/instructions/case.h"

namespace sla::instructions {

struct Undefined {
    std::uint32_t flags = 0;
    bool destination = false;     // the register or memory written to; nothing of that is compared
    bool everything = false;      // registers and memory: an instruction that did a part before its fault
    std::uint32_t memory_at = 0;  // bytes of the data memory that nobody compares
    std::uint32_t memory_bytes = 0;
};

// `instruction` is the case's, `after` what the host's processor made of it.
Undefined undefined_after(const Case& of, const cpu::Instruction& instruction, const Result& after);

}  // namespace sla::instructions
