#include "emu/cpu/instruction.h"

#include "emu/bus/in_range.h"

namespace sla::cpu {

namespace {

// What follows an opcode. Z: 2 or 4 bytes by operand size; moffs: by address size.
struct Shape {
    bool modrm = false;
    unsigned bytes = 0;
    bool z = false;
    bool moffs = false;
};

constexpr bool is_prefix(unsigned op) {
    return op == 0x26 || op == 0x2E || op == 0x36 || op == 0x3E || bus::in_range(op, 0x64, 0x67) || op == 0xF0 || op == 0xF2 ||
           op == 0xF3;
}

constexpr Shape shape_of_high(unsigned op, unsigned reg) {
    switch (op) {
        case 0xC0:
        case 0xC1:
        case 0xC6: return {true, 1, false, false};
        case 0xC2:
        case 0xCA: return {false, 2, false, false};
        case 0xC4:
        case 0xC5: return {true, 0, false, false};
        case 0xC7: return {true, 0, true, false};
        case 0xC8: return {false, 3, false, false};
        case 0xCD:
        case 0xD4:
        case 0xD5:
        case 0xEB: return {false, 1, false, false};
        case 0xE8:
        case 0xE9: return {false, 0, true, false};
        case 0xEA: return {false, 2, true, false};
        case 0xF6: return {true, reg < 2 ? 1U : 0U, false, false};
        case 0xF7: return {true, 0, reg < 2, false};
        default: break;
    }
    if (bus::in_range(op, 0xE0, 0xE7)) return {false, 1, false, false};
    return {bus::in_range(op, 0xD0, 0xD3) || bus::in_range(op, 0xD8, 0xDF) || op >= 0xFE, 0, false, false};
}

constexpr Shape shape_of(unsigned op, unsigned reg) {
    if (op < 0x40) {
        const unsigned low = op & 7;
        return {low < 4, low == 4 ? 1U : 0U, low == 5, false};
    }
    if (op < 0x60 || op == 0x60 || op == 0x61) return {};
    if (op >= 0xC0) return shape_of_high(op, reg);
    switch (op) {
        case 0x62:
        case 0x63: return {true, 0, false, false};
        case 0x68:
        case 0xA9: return {false, 0, true, false};
        case 0x69:
        case 0x81: return {true, 0, true, false};
        case 0x6A:
        case 0xA8: return {false, 1, false, false};
        case 0x6B:
        case 0x80:
        case 0x82:
        case 0x83: return {true, 1, false, false};
        case 0x9A: return {false, 2, true, false};
        default: break;
    }
    if (bus::in_range(op, 0x70, 0x7F) || bus::in_range(op, 0xB0, 0xB7)) return {false, 1, false, false};
    if (bus::in_range(op, 0x84, 0x8F)) return {true, 0, false, false};
    if (bus::in_range(op, 0xA0, 0xA3)) return {false, 0, false, true};
    return {false, 0, bus::in_range(op, 0xB8, 0xBF), false};
}

constexpr Shape shape_of_two(unsigned op) {
    if (bus::in_range(op, 0x80, 0x8F)) return {false, 0, true, false};
    const bool bare = bus::in_range(op, 0x04, 0x0C) || op == 0x0E || bus::in_range(op, 0x30, 0x37) || op == 0x77 || bus::in_range(op, 0xA0, 0xA2) ||
                      bus::in_range(op, 0xA8, 0xAA) || bus::in_range(op, 0xC8, 0xCF);
    if (bare) return {};
    const bool byte =
        op == 0x0F || bus::in_range(op, 0x70, 0x73) || op == 0xA4 || op == 0xAC || op == 0xBA || op == 0xC2 || bus::in_range(op, 0xC4, 0xC6);
    return {true, byte ? 1U : 0U, false, false};
}

class Decoder {
public:
    Decoder(std::span<const std::uint8_t> code, bool code32)
        : code_(code.first(code.size() < kMaxInstructionBytes ? code.size() : kMaxInstructionBytes)), wide_(code32), wide_address_(code32) {}

    std::optional<Instruction> run() {
        unsigned op = next();
        for (; is_prefix(op); op = next()) {
            if (op == 0x66) wide_ = !changed_operand_ ? !wide_ : wide_, changed_operand_ = true;
            if (op == 0x67) wide_address_ = !changed_address_ ? !wide_address_ : wide_address_, changed_address_ = true;
        }
        Instruction found;
        Shape shape;
        if (op == 0x0F) {
            op = next();
            found.opcode = static_cast<std::uint16_t>(0x0F00 | op);
            shape = shape_of_two(op);
            if (op == 0x38 || op == 0x3A) {
                next();
                shape = {true, op == 0x3A ? 1U : 0U, false, false};
            }
        } else {
            found.opcode = static_cast<std::uint16_t>(op);
            shape = shape_of(op, at_ < code_.size() ? code_[at_] >> 3 & 7U : 0);
        }
        // Moves to and from control and debug registers have no memory operand, whatever their mode bits say.
        const bool registers_only = (found.opcode & 0xFFFC) == 0x0F20;
        if (shape.modrm) found.modrm = skip_operand(registers_only);
        at_ += shape.bytes + (shape.z ? (wide_ ? 4 : 2) : 0) + (shape.moffs ? (wide_address_ ? 4 : 2) : 0);
        if (at_ > code_.size()) return std::nullopt;
        found.length = at_;
        return found;
    }

private:
    // 0 behind the end, which run() notices by the position.
    unsigned next() {
        const unsigned byte = at_ < code_.size() ? code_[at_] : 0;
        ++at_;
        return byte;
    }

    std::uint8_t skip_operand(bool registers_only) {
        const unsigned modrm = next();
        const unsigned mode = modrm >> 6;
        unsigned base = modrm & 7;
        if (mode == 3 || registers_only) return static_cast<std::uint8_t>(modrm);
        if (!wide_address_) {
            at_ += mode == 1 ? 1 : mode == 2 || base == 6 ? 2 : 0;
            return static_cast<std::uint8_t>(modrm);
        }
        if (base == 4) base = next() & 7;
        at_ += mode == 1 ? 1 : mode == 2 || base == 5 ? 4 : 0;
        return static_cast<std::uint8_t>(modrm);
    }

    std::span<const std::uint8_t> code_;
    std::size_t at_ = 0;
    bool wide_;
    bool wide_address_;
    bool changed_operand_ = false;
    bool changed_address_ = false;
};

}  // namespace

std::optional<Instruction> decode(std::span<const std::uint8_t> code, bool code32) {
    return Decoder(code, code32).run();
}

}  // namespace sla::cpu
