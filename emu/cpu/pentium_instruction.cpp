#include "emu/cpu/pentium_instruction.h"

#include "emu/cpu/zydis_decoder.h"

#include <array>

namespace sla::cpu {

namespace {

bool pentium_has(const ZydisDecodedInstruction& found, const X86State& state) {
    switch (found.mnemonic) {
        case ZYDIS_MNEMONIC_UD0:
        case ZYDIS_MNEMONIC_UD1:
        case ZYDIS_MNEMONIC_UD2:
        case ZYDIS_MNEMONIC_INT1:               // in no manual of its time
        case ZYDIS_MNEMONIC_RSM: return false;  // outside system management mode
        default: break;
    }
    constexpr std::uint32_t kEmulateFpu = 1 << 2;
    switch (found.meta.isa_set) {
        case ZYDIS_ISA_SET_I86:
        case ZYDIS_ISA_SET_I186:
        case ZYDIS_ISA_SET_I286REAL:
        case ZYDIS_ISA_SET_I386:
        case ZYDIS_ISA_SET_I486:
        case ZYDIS_ISA_SET_I486REAL:
        case ZYDIS_ISA_SET_LAHF:
        case ZYDIS_ISA_SET_PENTIUMREAL:
        case ZYDIS_ISA_SET_RDPMC:
        case ZYDIS_ISA_SET_X87: return true;
        case ZYDIS_ISA_SET_PENTIUMMMX: return (state.cr0 & kEmulateFpu) == 0;
        case ZYDIS_ISA_SET_I286PROTECTED: return state.protected_mode() && (state.eflags & flag::kVirtual8086) == 0;
        default: return false;
    }
}

}  // namespace

std::optional<std::string> pentium_instruction(std::span<const std::uint8_t> code, const X86State& state) {
    const ZydisDecoder& decoder = full_decoder(state.segments[kCs].has(Segment::kBig));
    ZydisDecodedInstruction found;
    std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code.data(), code.size(), &found, operands.data()))) return {};
    if (!pentium_has(found, state)) return {};
    ZydisFormatter formatter;
    std::array<char, 128> text{};
    const bool is_formatted =
        ZYAN_SUCCESS(ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL)) &&
        ZYAN_SUCCESS(ZydisFormatterFormatInstruction(&formatter, &found, operands.data(), found.operand_count_visible,
                                                     text.data(), text.size(), ZYDIS_RUNTIME_ADDRESS_NONE, nullptr));
    return std::string(is_formatted ? text.data() : ZydisMnemonicGetString(found.mnemonic));
}

}  // namespace sla::cpu
