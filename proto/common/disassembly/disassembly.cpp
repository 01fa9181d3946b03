#include "proto/common/disassembly/disassembly.h"

#include <Zydis/Zydis.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace sla::disassembly {

namespace {

ZydisDecoder make_decoder(ZydisMachineMode mode, ZydisStackWidth width) {
    ZydisDecoder decoder;
    ZydisDecoderInit(&decoder, mode, width);
    return decoder;
}

const ZydisDecoder& decoder_of(Mode mode) {
    static const ZydisDecoder k16 = make_decoder(ZYDIS_MACHINE_MODE_LEGACY_16, ZYDIS_STACK_WIDTH_16);
    static const ZydisDecoder k32 = make_decoder(ZYDIS_MACHINE_MODE_LEGACY_32, ZYDIS_STACK_WIDTH_32);
    static const ZydisDecoder k64 = make_decoder(ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    return mode == Mode::k16 ? k16 : mode == Mode::k32 ? k32 : k64;
}

// A factor of 1 is none: [bx+si].
void drop_factors_of_one(std::span<ZydisDecodedOperand> operands) {
    for (ZydisDecodedOperand& shown : operands) {
        if (shown.type == ZYDIS_OPERAND_TYPE_MEMORY && shown.mem.scale == 1) shown.mem.scale = 0;
    }
}

}  // namespace

Disassembled disassemble(std::span<const std::uint8_t> code, Mode mode, std::uint64_t address) {
    ZydisDecodedInstruction instruction;
    std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
    std::array<char, 128> text{};
    const std::size_t bytes = std::min(code.size(), kLongest);
    if (bytes != 0 &&
        ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder_of(mode), code.data(), bytes, &instruction, operands.data()))) {
        drop_factors_of_one(std::span(operands).first(instruction.operand_count_visible));
        ZydisFormatter formatter;
        ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL);
        // By itself it leaves out what the operands tell, and the hidden ones (flags, stack) tell nobody who reads.
        ZydisFormatterSetProperty(&formatter, ZYDIS_FORMATTER_PROP_FORCE_SIZE,
                                  ZyanUPointer{instruction.operand_count_visible == 1});
        if (ZYAN_SUCCESS(ZydisFormatterFormatInstruction(&formatter, &instruction, operands.data(),
                                                         instruction.operand_count_visible, text.data(), text.size(),
                                                         address, nullptr))) {
            return {text.data(), instruction.length};
        }
    }
    std::snprintf(text.data(), text.size(), "db 0x%02x", code.empty() ? 0U : unsigned{code[0]});
    return {text.data(), 1};
}

}  // namespace sla::disassembly
