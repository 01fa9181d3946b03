#include "emu/cpu/pentium_instruction.h"

#include "emu/cpu/zydis_decoder.h"
#include "proto/common/disassembly/disassembly.h"

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
        case ZYDIS_ISA_SET_PENTIUMMMX: return (state.cr0 & control::kEmulateFpu) == 0;
        case ZYDIS_ISA_SET_I286PROTECTED: return state.protected_mode() && (state.eflags & flag::kVirtual8086) == 0;
        default: return false;
    }
}

}  // namespace

std::optional<std::string> pentium_instruction(std::span<const std::uint8_t> code, const X86State& state) {
    const bool code32 = state.segments[kCs].has(Segment::kBig);
    ZydisDecodedInstruction found;
    const ZyanStatus status =
        ZydisDecoderDecodeInstruction(&full_decoder(code32), nullptr, code.data(), code.size(), &found);
    if (!ZYAN_SUCCESS(status) || !pentium_has(found, state)) return {};
    return disassembly::disassemble(code, code32 ? disassembly::Mode::k32 : disassembly::Mode::k16, state.eip).text;
}

}  // namespace sla::cpu
