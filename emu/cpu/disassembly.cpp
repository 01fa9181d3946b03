#include "emu/cpu/disassembly.h"

#include "emu/cpu/instruction.h"
#include "emu/cpu/zydis_decoder.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace sla::cpu {

Disassembled disassemble(std::span<const std::uint8_t> code, bool code32, std::uint32_t eip) {
    ZydisDecodedInstruction instruction;
    std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
    std::array<char, 128> text{};
    const std::size_t bytes = std::min<std::size_t>(code.size(), kMaxInstructionBytes);
    if (bytes != 0 &&
        ZYAN_SUCCESS(ZydisDecoderDecodeFull(&full_decoder(code32), code.data(), bytes, &instruction, operands.data()))) {
        ZydisFormatter formatter;
        ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL);
        if (ZYAN_SUCCESS(ZydisFormatterFormatInstruction(&formatter, &instruction, operands.data(),
                                                         instruction.operand_count_visible, text.data(), text.size(), eip,
                                                         nullptr))) {
            return {text.data(), instruction.length};
        }
    }
    std::snprintf(text.data(), text.size(), "db 0x%02x", code.empty() ? 0U : unsigned{code[0]});
    return {text.data(), 1};
}

}  // namespace sla::cpu
