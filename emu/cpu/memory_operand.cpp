#include "emu/cpu/memory_operand.h"

#include "emu/cpu/instruction.h"
#include "emu/cpu/zydis_decoder.h"

#include <algorithm>

namespace sla::cpu {

namespace {

// 0 for none; nothing for what no address of 16 or 32-bit code is made of in full.
std::optional<std::uint32_t> value_of(ZydisRegister which, const X86State& state) {
    if (which == ZYDIS_REGISTER_NONE) return 0;
    const ZydisRegisterClass kind = ZydisRegisterGetClass(which);
    if (kind != ZYDIS_REGCLASS_GPR16 && kind != ZYDIS_REGCLASS_GPR32) return std::nullopt;
    return state.general[static_cast<std::size_t>(ZydisRegisterGetId(which))];
}

std::optional<MemoryOperand> operand_of(const ZydisDecodedOperand& operand, bool wide_address, const X86State& state) {
    if (operand.type != ZYDIS_OPERAND_TYPE_MEMORY || operand.mem.type != ZYDIS_MEMOP_TYPE_MEM) return std::nullopt;
    const bool hidden = operand.visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;
    const auto base = value_of(operand.mem.base, state);
    const auto index = value_of(operand.mem.index, state);
    if (!base || !index) return std::nullopt;
    const bool of_string = operand.mem.base == ZYDIS_REGISTER_SI || operand.mem.base == ZYDIS_REGISTER_DI ||
                           operand.mem.base == ZYDIS_REGISTER_ESI || operand.mem.base == ZYDIS_REGISTER_EDI;
    if (hidden && !of_string) return std::nullopt;  // the stack
    const std::uint32_t displacement =
        operand.mem.disp.has_displacement ? static_cast<std::uint32_t>(operand.mem.disp.value) : 0;
    const std::uint32_t offset = *base + *index * std::max<std::uint32_t>(operand.mem.scale, 1) + displacement;
    const auto segment = static_cast<std::size_t>(ZydisRegisterGetId(operand.mem.segment));
    return MemoryOperand{state.segments[segment].base + (wide_address ? offset : offset & 0xFFFF), operand.size / 8U,
                         (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0, hidden};
}

}  // namespace

std::array<std::optional<MemoryOperand>, 2> memory_operands(std::span<const std::uint8_t> code, bool code32,
                                                            const X86State& state) {
    std::array<std::optional<MemoryOperand>, 2> found;
    ZydisDecodedInstruction instruction;
    std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
    const ZyanStatus status =
        ZydisDecoderDecodeFull(&full_decoder(code32), code.data(), std::min<std::size_t>(code.size(), kMaxInstructionBytes),
                               &instruction, operands.data());
    if (!ZYAN_SUCCESS(status)) return found;
    std::size_t count = 0;
    for (std::size_t i = 0; i < instruction.operand_count && count < found.size(); ++i) {
        if (auto operand = operand_of(operands[i], instruction.address_width == 32, state)) found[count++] = operand;
    }
    return found;
}

}  // namespace sla::cpu
