// Code as text, in Intel's notation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace sla::cpu {

struct Disassembled {
    std::string text;        // "mov al, 0x20"; "db 0x0f" for what is no instruction
    std::size_t length = 1;  // of the instruction
};

// `code` begins with the instruction, at that EIP.
Disassembled disassemble(std::span<const std::uint8_t> code, bool code32, std::uint32_t eip);

}  // namespace sla::cpu
