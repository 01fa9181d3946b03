#include "emu/pmc/p5_instruction.h"

#include "emu/bus/in_range.h"

#include <array>

namespace sla::pmc {

namespace {

constexpr std::uint8_t kEsp = 1U << 4;

constexpr std::uint8_t bit(unsigned reg) {
    return static_cast<std::uint8_t>(1U << reg);
}

class Description {
public:
    explicit Description(const cpu::Instruction& found) : found_(found) {}

    P5Instruction run() {
        const unsigned op = found_.opcode;
        if (op >= 0x100) {
            if (bus::in_range(op, 0x0F80, 0x0F8F)) out_.pairing = Pairing::kOnlyV;
        } else {
            one_byte(op);
        }
        if (found_.prefixed && out_.pairing == Pairing::kEither) out_.pairing = Pairing::kOnlyU;
        if (found_.prefixed && out_.pairing == Pairing::kOnlyV) out_.pairing = Pairing::kNever;
        out_.reads |= out_.address;
        out_.displacement_and_immediate = found_.has_displacement && found_.has_immediate;
        return out_;
    }

private:
    void one_byte(unsigned op) {
        if (op < 0x40) return arithmetic(op);
        if (op < 0x60) return one_register(op);
        if (bus::in_range(op, 0x70, 0x7F) || bus::in_range(op, 0xE8, 0xE9) || op == 0xEB) {
            out_.pairing = Pairing::kOnlyV;
            if (op == 0xE8) out_.address |= kEsp;
            return;
        }
        if (bus::in_range(op, 0xB0, 0xBF)) {
            out_.pairing = Pairing::kEither;
            out_.writes = op < 0xB8 ? bit(op & 3) : bit(op & 7);
            return;
        }
        with_operand(op);
    }

    // ADD OR ADC SBB AND SUB XOR CMP, six forms each.
    void arithmetic(unsigned op) {
        const unsigned form = op & 7;
        const unsigned operation = op >> 3;
        if (form > 5) return;
        out_.pairing = carries(operation) ? Pairing::kOnlyU : Pairing::kEither;
        if (form >= 4) {
            out_.reads = bit(0);
            if (!compares(operation)) out_.writes = bit(0);
            return;
        }
        operands((form & 1) == 0);
        const bool to_register = form >= 2;
        out_.reads |= reg_ | rm_;
        if (!compares(operation)) out_.writes = to_register ? reg_ : rm_;
    }
    static bool carries(unsigned operation) { return operation == 2 || operation == 3; }
    static bool compares(unsigned operation) { return operation == 7; }

    // INC, DEC, PUSH, POP.
    void one_register(unsigned op) {
        out_.pairing = Pairing::kEither;
        if (op < 0x50) {
            out_.reads = out_.writes = bit(op & 7);
            return;
        }
        out_.address = kEsp;
        (op < 0x58 ? out_.reads : out_.writes) = bit(op & 7);
    }

    void with_operand(unsigned op) {
        switch (op) {
            case 0x68:
            case 0x6A:
                out_.pairing = Pairing::kEither;
                out_.address = kEsp;
                return;
            case 0x80:
            case 0x81:
            case 0x82:
            case 0x83: {
                operands(op != 0x81 && op != 0x83);
                out_.pairing = carries(extension_) ? Pairing::kOnlyU : Pairing::kEither;
                out_.reads |= rm_;
                if (!compares(extension_)) out_.writes = rm_;
                return;
            }
            case 0x84:
            case 0x85:
                operands(op == 0x84);
                out_.pairing = Pairing::kEither;
                out_.reads |= reg_ | rm_;
                return;
            case 0x88:
            case 0x89:
            case 0x8A:
            case 0x8B: {
                operands((op & 1) == 0);
                out_.pairing = Pairing::kEither;
                const bool to_register = op >= 0x8A;
                out_.reads |= to_register ? rm_ : reg_;
                out_.writes = to_register ? reg_ : rm_;
                return;
            }
            case 0x8D:
                operands(false);
                out_.pairing = Pairing::kEither;
                out_.writes = reg_;
                return;
            case 0x90: out_.pairing = Pairing::kEither; return;
            default: return rarer(op);
        }
    }

    void rarer(unsigned op) {
        if (bus::in_range(op, 0xA0, 0xA3) ||
            bus::in_range(op, 0xA8, 0xA9)) {  // the accumulator with an address, TEST with a number
            out_.pairing = Pairing::kEither;
            (op < 0xA2 ? out_.writes : out_.reads) = bit(0);
        } else if (op == 0xC6 || op == 0xC7) {
            operands(op == 0xC6);
            out_.pairing = Pairing::kEither;
            out_.writes = rm_;
        } else if (op == 0xC0 || op == 0xC1 || op == 0xD0 || op == 0xD1) {
            operands((op & 1) == 0);
            const bool rotates = extension_ < 4;
            out_.pairing = rotates && op < 0xD0 ? Pairing::kNever : Pairing::kOnlyU;
            out_.reads |= rm_;
            out_.writes = rm_;
        } else if (op == 0xFE || op == 0xFF) {
            operands(op == 0xFE);
            if (extension_ < 2) out_.pairing = Pairing::kEither;
            out_.reads |= rm_;
            if (extension_ < 2) out_.writes = rm_;
        } else if (op == 0xC3 || op == 0xC2) {
            out_.address = kEsp;
        }
    }

    // ModR/M: the register, the other operand when that is one too, and what addresses are made of.
    void operands(bool bytes) {
        extension_ = found_.reg();
        reg_ = bit(bytes ? extension_ & 3 : extension_);
        if (found_.mode() == 3) {
            rm_ = bit(bytes ? found_.rm() & 3 : found_.rm());
            return;
        }
        found_.wide_address ? wide_operand() : narrow_operand();
    }

    void narrow_operand() {
        constexpr std::uint8_t kBx = 1U << 3, kBp = 1U << 5, kSi = 1U << 6, kDi = 1U << 7;
        constexpr std::array<std::uint8_t, 8> kRegisters{kBx | kSi, kBx | kDi, kBp | kSi, kBp | kDi, kSi, kDi, kBp, kBx};
        const bool absolute = found_.mode() == 0 && found_.rm() == 6;
        if (!absolute) out_.address = kRegisters[found_.rm()];
    }

    void wide_operand() {
        constexpr unsigned kNoIndex = 4;
        constexpr unsigned kNoBase = 5;
        const unsigned base = found_.has_sib ? found_.sib & 7U : found_.rm();
        const unsigned index = found_.sib >> 3 & 7U;
        if (found_.has_sib && index != kNoIndex) out_.address |= bit(index);
        const bool absolute = found_.mode() == 0 && base == kNoBase;
        if (!absolute) out_.address |= bit(base);
    }

    const cpu::Instruction& found_;
    P5Instruction out_;
    unsigned extension_ = 0;
    std::uint8_t reg_ = 0;
    std::uint8_t rm_ = 0;  // 0: memory
};

}  // namespace

P5Instruction describe(const cpu::Instruction& found) {
    return Description(found).run();
}

}  // namespace sla::pmc
