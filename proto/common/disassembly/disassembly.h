// Code as text, in Intel's notation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace sla::disassembly {

enum class Mode : std::uint8_t { k16, k32, k64 };

inline constexpr std::size_t kLongest = 15;  // bytes of an instruction

struct Disassembled {
    std::string text;        // "mov al, 0x20"; "db 0x0f" for what is no instruction
    std::size_t length = 1;  // of the instruction
};

// `code` begins with the instruction, at that address (EIP or RIP).
Disassembled disassemble(std::span<const std::uint8_t> code, Mode mode, std::uint64_t address);

}  // namespace sla::disassembly
