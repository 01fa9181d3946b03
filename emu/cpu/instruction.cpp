#include "emu/cpu/instruction.h"

#include "emu/cpu/zydis_decoder.h"

#include <algorithm>

namespace sla::cpu {

namespace {

void note_prefix(std::uint8_t prefix, Instruction& found) {
    switch (prefix) {
        case 0xF0: found.locked = true; break;
        case 0xF2:
        case 0xF3: found.repeated = true; break;
        case 0x26: found.segment = kEs; break;
        case 0x2E: found.segment = kCs; break;
        case 0x36: found.segment = kSs; break;
        case 0x3E: found.segment = kDs; break;
        case 0x64: found.segment = kFs; break;
        case 0x65: found.segment = kGs; break;
        default: break;
    }
}

std::uint16_t opcode_of(const ZydisDecodedInstruction& decoded) {
    switch (decoded.opcode_map) {
        case ZYDIS_OPCODE_MAP_DEFAULT: return decoded.opcode;
        case ZYDIS_OPCODE_MAP_0F: return static_cast<std::uint16_t>(0x0F00 | decoded.opcode);
        case ZYDIS_OPCODE_MAP_0F38: return 0x0F38;
        case ZYDIS_OPCODE_MAP_0F3A: return 0x0F3A;
        default: return Instruction::kUnknown;
    }
}

}  // namespace

Decoding decode(std::span<const std::uint8_t> code, bool code32, Instruction& found) {
    ZydisDecodedInstruction decoded;
    const std::size_t bytes = std::min<std::size_t>(code.size(), kMaxInstructionBytes);
    if (bytes == 0) return Decoding::kTooShort;
    const ZyanStatus status = ZydisDecoderDecodeInstruction(&quick_decoder(code32), nullptr, code.data(), bytes, &decoded);
    if (!ZYAN_SUCCESS(status)) {
        if (status == ZYDIS_STATUS_INSTRUCTION_TOO_LONG) return Decoding::kTooLong;
        if (status != ZYDIS_STATUS_NO_MORE_DATA) return Decoding::kUnknown;
        return bytes == kMaxInstructionBytes ? Decoding::kTooLong : Decoding::kTooShort;
    }
    found = {};
    found.length = decoded.length;
    found.opcode = opcode_of(decoded);
    const auto& raw = decoded.raw;
    found.has_modrm = raw.modrm.offset != 0;
    // Zydis says that moves to and from control and debug registers have mode 3, which they need not.
    if (found.has_modrm) found.modrm = code[raw.modrm.offset];
    found.has_sib = raw.sib.offset != 0;
    if (found.has_sib) found.sib = code[raw.sib.offset];
    found.has_displacement = raw.disp.size != 0;
    found.has_immediate = raw.imm[0].size != 0;
    found.prefixed = raw.prefix_count != 0;
    bool other_operands = false;
    bool other_addresses = false;
    for (unsigned i = 0; i < raw.prefix_count; ++i) {
        const std::uint8_t prefix = raw.prefixes[i].value;
        other_operands |= prefix == 0x66;
        other_addresses |= prefix == 0x67;
        note_prefix(prefix, found);
    }
    found.wide = code32 != other_operands;
    found.wide_address = code32 != other_addresses;
    return Decoding::kDone;
}

std::optional<Instruction> decode(std::span<const std::uint8_t> code, bool code32) {
    Instruction found;
    return decode(code, code32, found) == Decoding::kDone ? std::optional(found) : std::nullopt;
}

}  // namespace sla::cpu
