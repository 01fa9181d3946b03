// The decoders of the library Zydis, made once.
#pragma once

#include <Zydis/Zydis.h>

namespace sla::cpu {

inline ZydisDecoder make_decoder(bool code32, bool minimal) {
    ZydisDecoder decoder;
    ZydisDecoderInit(&decoder, code32 ? ZYDIS_MACHINE_MODE_LEGACY_32 : ZYDIS_MACHINE_MODE_LEGACY_16,
                     code32 ? ZYDIS_STACK_WIDTH_32 : ZYDIS_STACK_WIDTH_16);
    if (minimal) ZydisDecoderEnableMode(&decoder, ZYDIS_DECODER_MODE_MINIMAL, ZYAN_TRUE);
    return decoder;
}

// Lengths and opcodes only.
inline const ZydisDecoder& quick_decoder(bool code32) {
    static const ZydisDecoder kNarrow = make_decoder(false, true);
    static const ZydisDecoder kWide = make_decoder(true, true);
    return code32 ? kWide : kNarrow;
}

// Operands too.
inline const ZydisDecoder& full_decoder(bool code32) {
    static const ZydisDecoder kNarrow = make_decoder(false, false);
    static const ZydisDecoder kWide = make_decoder(true, false);
    return code32 ? kWide : kNarrow;
}

}  // namespace sla::cpu
