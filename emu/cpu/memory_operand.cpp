#include "emu/cpu/memory_operand.h"

#include "emu/bus/in_range.h"
#include "emu/cpu/instruction.h"

namespace sla::cpu {

namespace {

class Operand {
public:
    Operand(std::span<const std::uint8_t> code, bool code32, const X86State& state)
        : code_(code), state_(state), wide_address_(code32) {}

    std::array<std::optional<std::uint32_t>, 2> run() {
        skip_prefixes();
        const unsigned op = next();
        if (bus::in_range(op, 0xA0, 0xA3)) return {linear(kDs, constant(wide_address_ ? 4 : 2)), {}};
        const bool source = op == 0xA4 || op == 0xA5 || op == 0xA6 || op == 0xA7 || op == 0xAC || op == 0xAD;
        const bool target = bus::in_range(op, 0xA4, 0xA7) || bus::in_range(op, 0xAA, 0xAB) || bus::in_range(op, 0xAE, 0xAF);
        if (source || target) {
            std::array<std::optional<std::uint32_t>, 2> both;
            if (source) both[0] = linear(kDs, state_.general[kEsi]);
            if (target) both[1] = state_.segments[kEs].base + narrowed(state_.general[kEdi]);
            return both;
        }
        if (op == 0x0F) next();
        return {modrm(), {}};
    }

private:
    std::uint8_t next() { return at_ < code_.size() ? code_[at_++] : std::uint8_t{0}; }
    std::uint32_t constant(unsigned bytes) {
        std::uint32_t value = 0;
        for (unsigned i = 0; i < bytes; ++i) value |= std::uint32_t{next()} << (8 * i);
        return value;
    }
    std::uint32_t signed_byte() { return static_cast<std::uint32_t>(static_cast<std::int8_t>(next())); }
    [[nodiscard]] std::uint32_t narrowed(std::uint32_t offset) const { return wide_address_ ? offset : offset & 0xFFFF; }
    [[nodiscard]] std::uint32_t linear(SegmentIndex usual, std::uint32_t offset) const {
        return state_.segments[override_.value_or(usual)].base + narrowed(offset);
    }

    void skip_prefixes() {
        for (;; ++at_) {
            switch (at_ < code_.size() ? code_[at_] : 0) {
                case 0x26: override_ = kEs; break;
                case 0x2E: override_ = kCs; break;
                case 0x36: override_ = kSs; break;
                case 0x3E: override_ = kDs; break;
                case 0x64: override_ = kFs; break;
                case 0x65: override_ = kGs; break;
                case 0x67: wide_address_ = !wide_address_; break;
                case 0x66:
                case 0xF0:
                case 0xF2:
                case 0xF3: break;
                default: return;
            }
        }
    }

    std::optional<std::uint32_t> modrm() {
        const unsigned byte = next();
        const unsigned mode = byte >> 6;
        if (mode == 3) return std::nullopt;
        return wide_address_ ? wide(mode, byte & 7) : narrow(mode, byte & 7);
    }

    std::uint32_t narrow(unsigned mode, unsigned rm) {
        const auto& r = state_.general;
        const std::array<std::uint32_t, 8> bases{r[kEbx] + r[kEsi], r[kEbx] + r[kEdi], r[kEbp] + r[kEsi], r[kEbp] + r[kEdi],
                                                 r[kEsi],           r[kEdi],           r[kEbp],           r[kEbx]};
        if (mode == 0 && rm == 6) return linear(kDs, constant(2));
        const bool stack = rm == 2 || rm == 3 || rm == 6;
        const std::uint32_t displacement = mode == 1 ? signed_byte() : mode == 2 ? constant(2) : 0;
        return linear(stack ? kSs : kDs, bases[rm] + displacement);
    }

    std::uint32_t wide(unsigned mode, unsigned rm) {
        std::uint32_t offset = 0;
        unsigned base = rm;
        if (rm == kEsp) {
            const unsigned sib = next();
            base = sib & 7;
            const unsigned index = sib >> 3 & 7;
            if (index != kEsp) offset = state_.general[index] << (sib >> 6);
        }
        if (mode == 0 && base == kEbp) return linear(kDs, offset + constant(4));
        offset += state_.general[base];
        offset += mode == 1 ? signed_byte() : mode == 2 ? constant(4) : 0;
        return linear(base == kEsp || base == kEbp ? kSs : kDs, offset);
    }

    std::span<const std::uint8_t> code_;
    const X86State& state_;
    std::size_t at_ = 0;
    bool wide_address_;
    std::optional<SegmentIndex> override_;
};

// Has a ModR/M byte that names what it reads or writes, or names it otherwise. Those that have neither, or only compute an
// address, are left out.
bool names_memory(const Instruction& found) {
    const unsigned op = found.opcode;
    if (op < 0x40) return (op & 7) < 4;
    if (op < 0x100) {
        return bus::in_range(op, 0x80, 0x8C) || op == 0x8E || op == 0x8F || bus::in_range(op, 0xA0, 0xA7) || bus::in_range(op, 0xAA, 0xAF) || op == 0xC0 ||
               op == 0xC1 || bus::in_range(op, 0xC4, 0xC7) || bus::in_range(op, 0xD0, 0xD3) || bus::in_range(op, 0xF6, 0xF7) || op >= 0xFE || op == 0x62 ||
               op == 0x63 || op == 0x69 || op == 0x6B;
    }
    return bus::in_range(op, 0x0F40, 0x0F4F) || bus::in_range(op, 0x0F90, 0x0F9F) || bus::in_range(op, 0x0FA3, 0x0FA5) || bus::in_range(op, 0x0FAB, 0x0FAF) ||
           bus::in_range(op, 0x0FB0, 0x0FC1) || op == 0x0FC7;
}

}  // namespace

std::array<std::optional<std::uint32_t>, 2> memory_operands(std::span<const std::uint8_t> code, bool code32,
                                                            const X86State& state) {
    const auto found = decode(code, code32);
    if (!found || !names_memory(*found)) return {};
    return Operand(code, code32, state).run();
}

}  // namespace sla::cpu
