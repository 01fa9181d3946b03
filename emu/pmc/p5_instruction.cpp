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
    Description(std::span<const std::uint8_t> code, bool code32) : code_(code), wide_address_(code32) {}

    P5Instruction run() {
        const bool prefixed = skip_prefixes();
        const unsigned op = next();
        if (op == 0x0F) {
            if (bus::in_range(next(), 0x80, 0x8F)) out_.pairing = Pairing::kOnlyV;
        } else {
            one_byte(op);
        }
        if (prefixed && out_.pairing == Pairing::kEither) out_.pairing = Pairing::kOnlyU;
        if (prefixed && out_.pairing == Pairing::kOnlyV) out_.pairing = Pairing::kNever;
        out_.reads |= out_.address;
        out_.displacement_and_immediate = displacement_ && immediate_;
        return out_;
    }

private:
    unsigned next() { return at_ < code_.size() ? code_[at_++] : 0; }

    bool skip_prefixes() {
        const auto is_prefix = [](unsigned op) {
            return op == 0x26 || op == 0x2E || op == 0x36 || op == 0x3E || bus::in_range(op, 0x64, 0x67) || op == 0xF0 || op == 0xF2 ||
                   op == 0xF3;
        };
        const std::size_t begin = at_;
        for (; at_ < code_.size() && is_prefix(code_[at_]); ++at_) {
            if (code_[at_] == 0x67) wide_address_ = !wide_address_;
        }
        return at_ != begin;
    }

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
            immediate_ = true;
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
            immediate_ = true;
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
                immediate_ = true;
                out_.address = kEsp;
                return;
            case 0x80:
            case 0x81:
            case 0x82:
            case 0x83: {
                operands(op != 0x81 && op != 0x83);
                immediate_ = true;
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
        if (bus::in_range(op, 0xA0, 0xA3) || bus::in_range(op, 0xA8, 0xA9)) {  // the accumulator with an address, TEST with a number
            out_.pairing = Pairing::kEither;
            (op < 0xA2 ? out_.writes : out_.reads) = bit(0);
            displacement_ = op < 0xA8;
            immediate_ = !displacement_;
        } else if (op == 0xC6 || op == 0xC7) {
            operands(op == 0xC6);
            out_.pairing = Pairing::kEither;
            immediate_ = true;
            out_.writes = rm_;
        } else if (op == 0xC0 || op == 0xC1 || op == 0xD0 || op == 0xD1) {
            operands((op & 1) == 0);
            immediate_ = op < 0xD0;
            const bool rotates = extension_ < 4;
            out_.pairing = rotates && immediate_ ? Pairing::kNever : Pairing::kOnlyU;
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
        const unsigned modrm = next();
        const unsigned mode = modrm >> 6;
        extension_ = modrm >> 3 & 7;
        reg_ = bit(bytes ? extension_ & 3 : extension_);
        if (mode == 3) {
            rm_ = bit(bytes ? modrm & 3 : modrm & 7);
            return;
        }
        displacement_ = mode != 0;
        wide_address_ ? wide_operand(mode, modrm & 7) : narrow_operand(mode, modrm & 7);
    }

    void narrow_operand(unsigned mode, unsigned rm) {
        constexpr std::uint8_t kBx = 1U << 3, kBp = 1U << 5, kSi = 1U << 6, kDi = 1U << 7;
        constexpr std::array<std::uint8_t, 8> kRegisters{kBx | kSi, kBx | kDi, kBp | kSi, kBp | kDi, kSi, kDi, kBp, kBx};
        const bool absolute = mode == 0 && rm == 6;
        if (absolute) displacement_ = true;
        if (!absolute) out_.address = kRegisters[rm];
    }

    void wide_operand(unsigned mode, unsigned rm) {
        constexpr unsigned kSib = 4;
        constexpr unsigned kNone = 5;
        unsigned base = rm;
        if (rm == kSib) {
            const unsigned sib = next();
            const unsigned index = sib >> 3 & 7;
            base = sib & 7;
            if (index != kSib) out_.address |= bit(index);
        }
        const bool absolute = mode == 0 && base == kNone;
        if (absolute) displacement_ = true;
        if (!absolute) out_.address |= bit(base);
    }

    std::span<const std::uint8_t> code_;
    std::size_t at_ = 0;
    bool wide_address_;
    P5Instruction out_;
    unsigned extension_ = 0;
    std::uint8_t reg_ = 0;
    std::uint8_t rm_ = 0;  // 0: memory
    bool displacement_ = false;
    bool immediate_ = false;
};

}  // namespace

P5Instruction describe(std::span<const std::uint8_t> code, bool code32) {
    return Description(code, code32).run();
}

}  // namespace sla::pmc
