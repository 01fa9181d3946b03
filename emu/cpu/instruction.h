// Takes x86 code apart into instructions, 16 and 32-bit: the one place that asks the decoder, Zydis. How long each is, its
// opcode, its prefixes and how it names its operands; what it does with memory is memory_operand's to say.
#pragma once

#include "emu/cpu/x86_state.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace sla::cpu {

inline constexpr std::uint32_t kMaxInstructionBytes = 15;

struct Instruction {
    static constexpr std::uint16_t kUnknown = 0xFFFF;

    std::size_t length = 0;           // prefixes included
    std::uint16_t opcode = kUnknown;  // 0Fxx for those of two bytes; 0F38 and 0F3A stand for all that follows them
    std::uint8_t modrm = 0;           // where it has one
    std::uint8_t sib = 0;             // likewise
    bool has_modrm = false;
    bool has_sib = false;
    bool has_displacement = false;
    bool has_immediate = false;
    bool prefixed = false;
    bool locked = false;                  // LOCK
    bool repeated = false;                // REP, REPE, REPNE
    bool wide = false;                    // operands of 32 bits, where they are not bytes
    bool wide_address = false;            // addresses of 32 bits
    std::optional<SegmentIndex> segment;  // an override

    [[nodiscard]] unsigned mode() const { return modrm >> 6; }
    [[nodiscard]] unsigned reg() const { return modrm >> 3 & 7; }
    [[nodiscard]] unsigned rm() const { return modrm & 7; }
};

enum class Decoding {
    kDone,
    kUnknown,   // no instruction of any processor
    kTooLong,   // longer than 15 bytes
    kTooShort,  // the bytes end before it does
};

// The first instruction of the code. Some 40 ns.
Decoding decode(std::span<const std::uint8_t> code, bool code32, Instruction& found);
// Nothing but for kDone.
std::optional<Instruction> decode(std::span<const std::uint8_t> code, bool code32);

}  // namespace sla::cpu
