// What kind an instruction is of, by its opcode: for those who count, and for those who ask what may follow it.
#pragma once

#include "emu/bus/in_range.h"
#include "emu/cpu/instruction.h"

namespace sla::cpu {

// To another code segment: far jumps, calls and returns, IRET. INT n goes by another way.
constexpr bool is_far_transfer(const Instruction& found) {
    const unsigned op = found.opcode;
    if (op == 0xFF) return found.reg() == 3 || found.reg() == 5;
    return op == 0x9A || op == 0xEA || op == 0xCA || op == 0xCB || op == 0xCF;
}

// Jumps, calls, returns, loops, INT and IRET, taken or not.
constexpr bool is_branch(const Instruction& found) {
    const unsigned op = found.opcode;
    if (op == 0xFF) return bus::in_range(found.reg(), 2, 5);
    return bus::in_range(op, 0x70, 0x7F) || bus::in_range(op, 0x0F80, 0x0F8F) || bus::in_range(op, 0xE0, 0xE3) ||
           bus::in_range(op, 0xE8, 0xEB) || op == 0x9A || bus::in_range(op, 0xC2, 0xC3) || bus::in_range(op, 0xCA, 0xCF);
}

// Where it must be of memory: with a register 0F01h is VMCALL, VMMCALL and others.
inline bool of_memory(const Instruction& found) {
    return found.mode() != 3;
}

// Nothing behind it begins before it is done. IRET is a branch, too.
constexpr bool serializes(const Instruction& found) {
    const unsigned op = found.opcode;
    if (op == 0x0F00) return found.reg() == 2 || found.reg() == 3;  // LLDT, LTR
    if (op == 0x0F01)
        return of_memory(found) && (found.reg() == 2 || found.reg() == 3 || found.reg() == 7);  // LGDT, LIDT, INVLPG
    return op == 0x0F08 || op == 0x0F09 || op == 0x0F22 || op == 0x0F23 || op == 0x0F30 || op == 0x0FA2 || op == 0x0FAA;
}

// What a Pentium's event 12h counts of instructions: it takes some for taken branches that go nowhere.
constexpr bool counts_as_branch(const Instruction& found) {
    const bool verifies = found.opcode == 0x0F00 && (found.reg() == 4 || found.reg() == 5);  // VERR, VERW
    return is_branch(found) || serializes(found) || verifies;
}

// A segment register gets a selector, or a table's register its place.
constexpr bool loads_segment(const Instruction& found) {
    const unsigned op = found.opcode;
    if (op == 0x0F00) return found.reg() == 2 || found.reg() == 3;
    if (op == 0x0F01) return of_memory(found) && (found.reg() == 2 || found.reg() == 3);
    return op == 0x8E || op == 0x07 || op == 0x17 || op == 0x1F || op == 0x0FA1 || op == 0x0FA9 || op == 0xC4 ||
           op == 0xC5 || op == 0x0FB2 || op == 0x0FB4 || op == 0x0FB5 || is_far_transfer(found);
}

// LOCK, or XCHG with memory.
constexpr bool locks_bus(const Instruction& found) {
    const bool exchange = found.opcode == 0x86 || found.opcode == 0x87;
    return found.locked || (exchange && of_memory(found));
}

constexpr bool is_string(const Instruction& found) {
    const unsigned op = found.opcode;
    return bus::in_range(op, 0x6C, 0x6F) || bus::in_range(op, 0xA4, 0xA7) || bus::in_range(op, 0xAA, 0xAF);
}

}  // namespace sla::cpu
