#include "tests/integration/instructions/undefined.h"

namespace sla::instructions {

namespace {

using namespace flags;

constexpr std::uint32_t kAllButCarry = kArithmetic & ~kCarry;

// The shift count of the instruction, as the processor masks it.
std::uint32_t count_of(const Case& of, const cpu::Instruction& instruction) {
    const unsigned op = instruction.opcode;
    if (op == 0xD0 || op == 0xD1) return 1;
    const bool immediate = op == 0xC0 || op == 0xC1 || op == 0x0FA4 || op == 0x0FAC;
    return (immediate ? of.bytes[instruction.length - 1] : of.general[kEcx]) & 31;
}

std::uint32_t operand_bits(const cpu::Instruction& instruction) {
    return (instruction.opcode & 1) == 0 ? 8 : instruction.wide ? 32 : 16;
}

// SHL, SHR, SAR, and the rotates, whose flags but CF and OF stay.
std::uint32_t of_shift(const Case& of, const cpu::Instruction& instruction) {
    const std::uint32_t count = count_of(of, instruction);
    if (count == 0) return 0;
    std::uint32_t undefined = count == 1 ? 0 : kOverflow;
    const unsigned operation = instruction.reg();
    if (operation < 4) return undefined;
    undefined |= kAdjust;
    const bool arithmetic = operation == 7;
    if (!arithmetic && count >= operand_bits(instruction)) undefined |= kCarry;
    return undefined;
}

Undefined of_double_shift(const Case& of, const cpu::Instruction& instruction) {
    const std::uint32_t count = count_of(of, instruction);
    if (count == 0) return {};
    if (count > (instruction.wide ? 32U : 16U)) return {kArithmetic, true};
    return {count == 1 ? kAdjust : kAdjust | kOverflow};
}

// Where the top of the stack is in the data memory.
std::uint32_t stack_top(const Case& of, const Result& after) {
    constexpr std::uint32_t kStackRegion = 2;
    return kStackRegion * kDataBytes + (of.stack32 ? after.general[kEsp] : after.general[kEsp] & 0xFFFF);
}

// A segment register pushed as 32 bits: newer processors leave the upper 16 bits of memory as they are ("PUSH", volume 2).
Undefined of_segment_push(const Case& of, const cpu::Instruction& instruction, const Result& after) {
    if (!instruction.wide) return {};
    return {0, false, false, stack_top(of, after) + 2, 2};
}

// A near CALL beyond the limit: some processors have written the return address before they fault; the stack pointer is
// unchanged, so that it lies where nobody may rely on memory.
Undefined of_failed_call(const Case& of, const cpu::Instruction& instruction, const Result& after) {
    const std::uint32_t bytes = instruction.wide ? 4 : 2;
    return {0, false, false, stack_top(of, after) - bytes, bytes};
}

Undefined of_two_bytes(const Case& of, const cpu::Instruction& instruction, const Result& after) {
    switch (instruction.opcode) {
        case 0x0FA4:
        case 0x0FA5:
        case 0x0FAC:
        case 0x0FAD: return of_double_shift(of, instruction);
        case 0x0FA0:
        case 0x0FA8: return of_segment_push(of, instruction, after);
        case 0x0FAF: return {kAllButCarry & ~kOverflow};
        case 0x0FA3:
        case 0x0FAB:
        case 0x0FB3:
        case 0x0FBA:
        case 0x0FBB: return {kAllButCarry & ~kZero};
        case 0x0FBC:
        case 0x0FBD:  // of zero: no bit, and no number of one
            return {kArithmetic & ~kZero, (after.eflags & kZero) != 0};
        default:
            // BSWAP of 16 bits.
            if (instruction.opcode >= 0x0FC8 && instruction.opcode <= 0x0FCF) return {0, !instruction.wide};
            return {};
    }
}

}  // namespace

Undefined undefined_after(const Case& of, const cpu::Instruction& instruction, const Result& after) {
    const bool finished = after.vector == 3;
    if (!finished) {
        // A divide error leaves the flags open.
        const bool divides = (instruction.opcode & 0xFFFE) == 0xF6 && instruction.reg() >= 6;
        // PUSHA, POPA and ENTER may have done a part.
        if (instruction.opcode == 0x60 || instruction.opcode == 0x61 || instruction.opcode == 0xC8) return {0, false, true};
        if (instruction.opcode == 0xE8 || (instruction.opcode == 0xFF && instruction.reg() == 2))
            return of_failed_call(of, instruction, after);
        return {after.vector == 0 && (divides || instruction.opcode == 0xD4) ? kArithmetic : 0};
    }
    switch (instruction.opcode) {
        case 0x06:
        case 0x0E:
        case 0x16:
        case 0x1E: return of_segment_push(of, instruction, after);
        case 0x27:
        case 0x2F: return {kOverflow};
        case 0x37:
        case 0x3F: return {kOverflow | kSign | kZero | kParity};
        case 0xD4:
        case 0xD5: return {kOverflow | kAdjust | kCarry};
        case 0xC0:
        case 0xC1:
        case 0xD0:
        case 0xD1:
        case 0xD2:
        case 0xD3: return {of_shift(of, instruction)};
        case 0x69:
        case 0x6B: return {kAllButCarry & ~kOverflow};
        case 0xF6:
        case 0xF7:
            if (instruction.reg() < 2) return {kAdjust};
            if (instruction.reg() >= 6) return {kArithmetic};
            return {instruction.reg() >= 4 ? kAllButCarry & ~kOverflow : 0};
        case 0x80:
        case 0x81:
        case 0x83: {
            const unsigned operation = instruction.reg();
            return {operation == 1 || operation == 4 || operation == 6 ? kAdjust : 0};
        }
        case 0x84:
        case 0x85:
        case 0xA8:
        case 0xA9: return {kAdjust};
        default: {
            const unsigned operation = instruction.opcode >> 3;
            const bool logic = instruction.opcode < 0x40 && (instruction.opcode & 7) < 6 &&
                               (operation == 1 || operation == 4 || operation == 6);
            if (logic) return {kAdjust};
            return of_two_bytes(of, instruction, after);
        }
    }
}

}  // namespace sla::instructions
