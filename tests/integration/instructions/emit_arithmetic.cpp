// Arithmetic, logic, shifts, products, decimal adjustment, strings, bits.
#include "tests/integration/instructions/emitters.h"

namespace sla::instructions {

void emit_alu(Assembly& code) {
    Random& random = code.random;
    const unsigned bytes = random.below(2);  // the opcode's bit 0: wide
    switch (random.below(9)) {
        case 0:
        case 1:
        case 2: {
            const unsigned form = random.below(6);
            code.byte(random.below(8) << 3 | form);
            return form < 4 ? code.operand(random.below(8)) : code.immediate(form == 4);
        }
        case 3: {
            const unsigned op = random.of({0x80U, 0x81U, 0x83U});
            code.byte(op);
            code.operand(random.below(8));
            return code.immediate(op != 0x81);
        }
        case 4: return code.byte(0x40 | random.below(16));
        case 5: code.byte(0xFE | bytes); return code.operand(random.below(2));
        case 6: {
            const unsigned reg = random.of({0U, 2U, 3U});
            code.byte(0xF6 | bytes);
            code.operand(reg);
            if (reg == 0) code.immediate(bytes == 0);
            return;
        }
        case 7: {
            const unsigned op = random.of({0x84U, 0xA8U});
            code.byte(op | bytes);
            return op == 0x84 ? code.operand(random.below(8)) : code.immediate(bytes == 0);
        }
        default:
            code.byte(0x0F);
            if (random.one_in(4)) {
                code.byte(0xC7);
                code.memory_operand(1);
                return;
            }
            code.byte(random.of({0xB0U, 0xC0U}) | bytes);
            code.operand(random.below(8));
    }
}

void emit_shift(Assembly& code) {
    Random& random = code.random;
    if (random.one_in(2)) code.made.general[kEcx] = (code.made.general[kEcx] & 0xFFFFFF00) | random.below(36);
    if (random.one_in(4)) {
        const unsigned op = random.of({0xA4U, 0xA5U, 0xACU, 0xADU});
        code.byte(0x0F), code.byte(op);
        code.operand(random.below(8));
        if ((op & 1) == 0) code.byte(random.value());
        return;
    }
    const unsigned op = random.of({0xC0U, 0xC1U, 0xD0U, 0xD1U, 0xD2U, 0xD3U});
    code.byte(op);
    code.operand(random.of({0U, 1U, 2U, 3U, 4U, 5U, 7U}));
    if (op < 0xD0) code.byte(random.one_in(2) ? random.value() : random.below(36));
}

void emit_multiply(Assembly& code) {
    Random& random = code.random;
    if (random.one_in(3)) {
        const unsigned op = random.of({0x69U, 0x6BU, 0xAFU});
        if (op == 0xAF) code.byte(0x0F);
        code.byte(op);
        code.operand(random.below(8));
        if (op != 0xAF) code.immediate(op == 0x6B);
        return;
    }
    // Quotients that fit, mostly.
    if (random.one_in(2)) code.made.general[kEdx] = random.of({0U, 1U, 0xFFFFFFFFU, random.below(256)});
    code.byte(0xF6 | random.below(2));
    code.operand(4 + random.below(4));
}

void emit_string(Assembly& code) {
    Random& random = code.random;
    if (!random.one_in(3)) code.byte(random.of({0xF2U, 0xF3U}));
    const unsigned op = random.of({0xA4U, 0xA6U, 0xAAU, 0xACU, 0xAEU}) | random.below(2);
    code.byte(op);
    // Down or up, no further than the segment reaches; 160 bytes at most.
    code.set_index(kEcx, random.below(40));
    code.set_index(kEsi, 0x100 + random.below(0x200));
    code.set_index(kEdi, 0x100 + random.below(0x200));
    if (random.one_in(2) && (op == 0xA6 || op == 0xA7 || op == 0xAE || op == 0xAF)) {
        // Equal for a while.
        const std::uint32_t down = (code.made.eflags & flags::kDirection) != 0 ? ~std::uint32_t{0} : 1;
        const std::uint32_t same = op >= 0xAE ? code.made.general[kEax] : random.value();
        for (std::uint32_t i = 0; i < 4; ++i) {
            code.poke((code.made.general[kEdi] & 0xFFFF) + 4 * i * down, same);
            code.poke((code.made.general[kEsi] & 0xFFFF) + 4 * i * down, same);
        }
    }
}

void emit_decimal(Assembly& code) {
    Random& random = code.random;
    const unsigned op =
        random.of({0x27U, 0x2FU, 0x37U, 0x3FU, 0xD4U, 0xD5U, 0x9EU, 0x9FU, 0xF5U, 0xF8U, 0xF9U, 0xFCU, 0xFDU, 0x98U, 0x99U});
    code.byte(op);
    if (op == 0xD4 || op == 0xD5) code.byte(random.one_in(2) ? 10 : random.value());
}

void emit_bits(Assembly& code) {
    Random& random = code.random;
    code.byte(0x0F);
    switch (random.below(4)) {
        case 0:
            code.byte(0xBA);
            code.operand(4 + random.below(4));
            return code.byte(random.value());
        case 1: {
            // The bit may lie some bytes before or behind the operand.
            const unsigned reg = random.of({kEax, kEcx, kEdx, kEbx, kEbp, kEsi, kEdi});
            code.made.general[reg] = random.below(512) - 256;
            code.byte(random.of({0xA3U, 0xABU, 0xB3U, 0xBBU}));
            if (random.one_in(3)) return code.register_operand(reg, random.below(8));
            code.direct_operand(reg);
            return;
        }
        case 2: code.byte(0xBC | random.below(2)); return code.operand(random.below(8));
        default: code.byte(0x90 | random.below(16)); return code.operand(random.below(8));
    }
}

}  // namespace sla::instructions
