// Moves, the stack, jumps, segments, and what ring 3 may not do.
#include "tests/integration/instructions/emitters.h"

namespace sla::instructions {

namespace {

// A breakpoint in the code segment; rarely, beyond its end.
std::uint32_t target(Assembly& code) {
    Random& random = code.random;
    if (random.one_in(16)) return random.one_in(2) ? kCodeBytes + random.below(4) : random.bits();
    const std::uint32_t at = random.below(100);
    return random.one_in(2) ? at : kCodeOffset + kMaxBytes + at;
}

void relative(Assembly& code, bool bytes) {
    const std::uint32_t to = target(code);
    const auto here = kCodeOffset + static_cast<std::uint32_t>(code.made.bytes.size());
    if (bytes) {
        // Within reach, and not at the jump itself.
        const std::uint32_t near = to % 64 + kMaxBytes;
        return code.byte(code.random.one_in(2) ? near : 0U - near - kMaxBytes);
    }
    code.wide() ? code.dword(to - here - 4) : code.word(to - here - 2);
}

std::uint16_t selector(Random& random, bool code) {
    std::uint32_t chosen = 0;
    if (code) {
        chosen = random.one_in(3) ? random.of<std::uint32_t>({kData, kReadOnly, kAbsentCode, kExecuteOnly, kEnd, 0U, 3U})
                                  : random.of<std::uint32_t>({kCode32, kCode16});
    } else {
        chosen = random.one_in(16) ? random.below(4) : std::uint32_t{kTable[random.below(kTable.size())].selector};
        if (random.one_in(16)) chosen = kEnd;
    }
    if (random.one_in(6) && chosen != 0) chosen = (chosen & ~3U) | random.below(4);
    return static_cast<std::uint16_t>(chosen);
}

// Flags that a pop may set here: no traps and no alignment checks; nor NT and ID, which the host's kernel would hand to the next
// case.
std::uint32_t popped_flags(Random& random) {
    constexpr std::uint32_t kTrap = 1U << 8;
    constexpr std::uint32_t kAlignment = 1U << 18;
    constexpr std::uint32_t kIdentity = 1U << 21;
    return random.bits() & ~(kTrap | flags::kNested | kAlignment | kIdentity);
}

void far_pointer(Assembly& code, std::uint32_t at, std::uint32_t offset, std::uint16_t to) {
    if (code.wide()) {
        code.poke(at, offset);
        return code.poke(at + 4, to);
    }
    code.poke(at, (offset & 0xFFFF) | std::uint32_t{to} << 16);
}

void emit_far(Assembly& code) {
    Random& random = code.random;
    const std::uint32_t offset = target(code);
    const std::uint16_t to = selector(random, true);
    switch (random.below(4)) {
        case 0:
            code.byte(random.of({0xEAU, 0x9AU}));
            code.wide() ? code.dword(offset) : code.word(offset);
            return code.word(to);
        case 1: {
            code.byte(0xFF);
            return far_pointer(code, code.memory_operand(random.of({3U, 5U})), offset, to);
        }
        case 2: {
            const bool drops = random.one_in(2);
            code.poke_stack(0, offset);
            code.poke_stack(1, to | random.bits() << 16);
            code.byte(drops ? 0xCA : 0xCB);
            if (drops) code.word(random.below(64));
            return;
        }
        default:
            code.poke_stack(0, offset);
            code.poke_stack(1, to | random.bits() << 16);
            code.poke_stack(2, popped_flags(random) & ~(1U << 17));
            code.byte(0xCF);
    }
}

}  // namespace

void emit_move(Assembly& code) {
    Random& random = code.random;
    const unsigned bytes = random.below(2);
    switch (random.below(8)) {
        case 0:
        case 1: code.byte(0x88 | random.below(4)); return code.operand(random.below(8));
        case 2:
            code.byte(0xC6 | bytes);
            code.operand(0);
            return code.immediate(bytes == 0);
        case 3: {
            const unsigned op = random.below(16);
            code.byte(0xB0 | op);
            return code.immediate(op < 8);
        }
        case 4: {
            const std::uint32_t at = code.offset();
            code.byte(0xA0 | random.below(4));
            return code.wide_address() ? code.dword(at) : code.word(at);
        }
        case 5:
            code.byte(0x0F);
            code.byte(random.of({0xB6U, 0xB7U, 0xBEU, 0xBFU}));
            return code.operand(random.below(8));
        case 6:
            if (random.one_in(4)) return code.byte(0x90 | random.below(8));
            code.byte(0x86 | bytes);
            return code.operand(random.below(8));
        default:
            if (random.one_in(3)) {
                code.byte(0x8D);
                code.memory_operand(random.below(8));
            } else if (random.one_in(2)) {
                code.set_index(kEbx, code.offset() / 2);
                code.byte(0xD7);
            } else {
                code.byte(0x0F), code.byte(0xC8 | random.below(8));
            }
    }
}

void emit_stack(Assembly& code) {
    Random& random = code.random;
    switch (random.below(10)) {
        case 0: return code.byte(0x50 | random.below(8));
        case 1: return code.byte(0x58 | random.below(8));
        case 2: {
            const bool bytes = random.one_in(2);
            code.byte(bytes ? 0x6A : 0x68);
            return code.immediate(bytes);
        }
        case 3: code.byte(0xFF); return code.operand(6);
        case 4: code.byte(0x8F); return code.operand(0);
        case 5: return code.byte(0x60 | random.below(2));
        case 6: {
            // Only flags that were chosen.
            const bool pops = random.one_in(2) && code.stack_offset() <= kDataBytes - 4;
            if (pops) code.poke_stack(0, popped_flags(random));
            return code.byte(pops ? 0x9D : 0x9C);
        }
        case 7:
            code.made.general[kEbp] = code.offset() | (code.made.stack32 ? 0 : random.bits() << 16);
            if (random.one_in(2)) return code.byte(0xC9);
            code.byte(0xC8);
            code.word(random.below(64));
            return code.byte(random.one_in(2) ? 0 : random.of({1U, 2U, 3U, 5U, 33U, 0xE2U}));
        case 8: return code.byte(random.of({0x06U, 0x0EU, 0x16U, 0x1EU}));
        default: code.byte(0x0F); return code.byte(random.of({0xA0U, 0xA8U}));
    }
}

void emit_flow(Assembly& code) {
    Random& random = code.random;
    switch (random.below(9)) {
        case 0: code.byte(0x70 | random.below(16)); return relative(code, true);
        case 1: code.byte(0x0F), code.byte(0x80 | random.below(16)); return relative(code, false);
        case 2:
            if (random.one_in(2)) code.set_index(kEcx, random.below(3));
            code.byte(0xE0 | random.below(4));
            return relative(code, true);
        case 3: code.byte(0xEB); return relative(code, true);
        case 4: code.byte(0xE8 | random.below(2)); return relative(code, false);
        case 5: {
            const unsigned reg = random.of({2U, 4U});
            code.byte(0xFF);
            if (random.one_in(2)) {
                const unsigned rm = random.of({kEax, kEcx, kEdx, kEbx, kEbp, kEsi, kEdi});
                code.made.general[rm] = target(code) | (code.wide() ? 0 : random.bits() << 16);
                return code.register_operand(reg, rm);
            }
            return code.poke(code.memory_operand(reg), target(code) | (code.wide() ? 0 : random.bits() << 16));
        }
        case 6: {
            const bool drops = random.one_in(2);
            code.poke_stack(0, target(code) | (code.wide() ? 0 : random.bits() << 16));
            code.byte(drops ? 0xC2 : 0xC3);
            if (drops) code.word(random.below(64));
            return;
        }
        case 7: return code.byte(random.of({0xCEU, 0xCCU}));
        default: {
            const unsigned reg = random.below(8);
            code.byte(0x62);
            const std::uint32_t at = code.memory_operand(reg);
            const std::uint32_t low = code.made.general[reg] - random.below(3) + 1;
            code.poke(at, code.wide() ? low : (low & 0xFFFF) | (low + random.below(4)) << 16);
            if (code.wide()) code.poke(at + 4, low + random.below(4));
        }
    }
}

void emit_segment(Assembly& code) {
    Random& random = code.random;
    const std::uint16_t chosen = selector(random, false);
    const unsigned rm = random.of({kEax, kEcx, kEdx, kEbx, kEbp, kEsi, kEdi});
    const auto operand_with_selector = [&](unsigned reg) {
        if (random.one_in(2)) return code.poke(code.memory_operand(reg), chosen | random.bits() << 16);
        code.made.general[rm] = chosen | random.bits() << 16;
        code.register_operand(reg, rm);
    };
    switch (random.below(8)) {
        case 0:
        case 1: code.byte(0x8E); return operand_with_selector(random.of({0U, 0U, 1U, 2U, 2U, 3U, 3U, 5U, 6U, 7U}));
        case 2: {
            code.poke_stack(0, chosen | random.bits() << 16);
            const unsigned op = random.of({0x07U, 0x17U, 0x1FU, 0xA9U});
            if (op == 0xA9) code.byte(0x0F);
            return code.byte(op);
        }
        case 3: {
            const unsigned op = random.of({0xC4U, 0xC5U, 0xB2U, 0xB5U});
            if (op < 0xC0) code.byte(0x0F);
            code.byte(op);
            return far_pointer(code, code.memory_operand(random.below(8)), random.value(), chosen);
        }
        case 4: code.byte(0x8C); return code.operand(random.below(8));
        case 5: code.byte(0x0F), code.byte(random.of({2U, 3U})); return operand_with_selector(random.below(8));
        case 6:
            if (random.one_in(3)) {
                code.byte(0x63);
                return operand_with_selector(random.below(8));
            }
            code.byte(0x0F), code.byte(0);
            return operand_with_selector(random.of({4U, 5U}));
        default: return emit_far(code);
    }
}

void emit_privileged(Assembly& code) {
    Random& random = code.random;
    switch (random.below(6)) {
        case 0: return code.byte(random.of({0xFAU, 0xFBU, 0xF4U}));
        case 1: {
            const unsigned op = random.of({0xE4U, 0xE5U, 0xE6U, 0xE7U, 0xECU, 0xEDU, 0xEEU, 0xEFU});
            code.byte(op);
            if (op < 0xE8) code.byte(random.bits());
            return;
        }
        case 2:
            code.set_index(kEsi, code.offset()), code.set_index(kEdi, code.offset());
            return code.byte(0x6C | random.below(4));
        case 3:
            code.byte(0x0F), code.byte(random.of({0x20U, 0x21U, 0x22U, 0x23U}));
            return code.register_operand(random.of({0U, 2U, 3U}), random.below(8));
        case 4: {
            const bool local = random.one_in(3);
            code.byte(0x0F), code.byte(local ? 0 : 1);
            code.memory_operand(local ? random.of({2U, 3U}) : random.of({2U, 3U, 6U, 7U}));
            return;
        }
        default: code.byte(0x0F), code.byte(random.of({0x06U, 0x08U, 0x09U, 0x30U, 0x32U}));
    }
}

}  // namespace sla::instructions
