#include "tests/integration/instructions/generator.h"

#include "tests/integration/instructions/emitters.h"

#include <algorithm>
#include <cstring>

namespace sla::instructions {

namespace {

constexpr std::array<Class, 13> kClasses{{{"alu", emit_alu},
                                          {"shift", emit_shift},
                                          {"multiply", emit_multiply},
                                          {"string", emit_string},
                                          {"decimal", emit_decimal},
                                          {"bits", emit_bits},
                                          {"move", emit_move},
                                          {"stack", emit_stack},
                                          {"flow", emit_flow},
                                          {"segment", emit_segment},
                                          {"prefixes", emit_any, true},
                                          {"limits", emit_access, false, true},
                                          {"privileged", emit_privileged}}};

bool is_prefix(std::uint8_t byte) {
    constexpr std::array<std::uint8_t, 9> kPrefixes{0x26, 0x36, 0x3E, 0x65, 0x66, 0x67, 0xF0, 0xF2, 0xF3};
    return std::find(kPrefixes.begin(), kPrefixes.end(), byte) != kPrefixes.end();
}

// With REP, processors of this century have other instructions for BSF and BSR (TZCNT, LZCNT), and for NOP (PAUSE).
bool is_of_this_century(const std::vector<std::uint8_t>& bytes) {
    const auto opcode = std::find_if_not(bytes.begin(), bytes.end(), is_prefix);
    const bool repeated = std::find(bytes.begin(), opcode, 0xF3) != opcode;
    return repeated && bytes.end() - opcode >= 2 && opcode[0] == 0x0F && (opcode[1] == 0xBC || opcode[1] == 0xBD);
}

}  // namespace

void emit_any(Assembly& code) {
    constexpr std::array kEmit{emit_alu,  emit_shift, emit_multiply, emit_string, emit_decimal,
                               emit_bits, emit_move,  emit_stack,    emit_flow};
    kEmit[code.random.below(kEmit.size())](code);
}

void emit_access(Assembly& code) {
    constexpr std::array kEmit{emit_alu, emit_shift, emit_multiply, emit_move, emit_stack, emit_stack};
    kEmit[code.random.below(kEmit.size())](code);
}

std::span<const Class> classes() {
    return kClasses;
}

Case make_case(const Class& of, Random& random) {
    for (;;) {
        Case made;
        Assembly code(random, made, {of.at_limits, of.odd_prefixes});
        of.emit(code);
        if (made.bytes.size() <= kMaxBytes && !is_of_this_century(made.bytes)) return made;
    }
}

DataMemory make_memory(Random& random) {
    DataMemory memory{};
    for (std::size_t i = 0; i < memory.size(); i += 4) {
        const std::uint32_t value = random.value();
        std::memcpy(memory.data() + i, &value, sizeof value);
    }
    return memory;
}

}  // namespace sla::instructions
