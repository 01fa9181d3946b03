// The registers that gdb sees, in the order of their numbers, and the XML that says so.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace sla::gdb {

struct Register {
    std::string_view name;
    unsigned bits;
    std::string_view type;
};

// gdb's own for i386 come first, as it wants them; those of floating point are not shown here. Then the system's: control
// registers, segment bases, and EIP itself: `eip` is the linear address of the instruction, CS's base added, since gdb knows no
// segments and looks for code, breakpoints and symbols there. The two differ in real mode.
inline constexpr std::size_t kEipNumber = 8;
inline constexpr std::size_t kFlagsNumber = 9;
inline constexpr std::size_t kFirstFloating = 16;
inline constexpr std::size_t kFirstSystem = 32;
inline constexpr std::array<Register, 43> kRegisters{{
    {"eax", 32, "int32"},      {"ecx", 32, "int32"},         {"edx", 32, "int32"},      {"ebx", 32, "int32"},
    {"esp", 32, "data_ptr"},   {"ebp", 32, "data_ptr"},      {"esi", 32, "int32"},      {"edi", 32, "int32"},
    {"eip", 32, "code_ptr"},   {"eflags", 32, "eflags_set"}, {"cs", 32, "int32"},       {"ss", 32, "int32"},
    {"ds", 32, "int32"},       {"es", 32, "int32"},          {"fs", 32, "int32"},       {"gs", 32, "int32"},
    {"st0", 80, "i387_ext"},   {"st1", 80, "i387_ext"},      {"st2", 80, "i387_ext"},   {"st3", 80, "i387_ext"},
    {"st4", 80, "i387_ext"},   {"st5", 80, "i387_ext"},      {"st6", 80, "i387_ext"},   {"st7", 80, "i387_ext"},
    {"fctrl", 32, "int"},      {"fstat", 32, "int"},         {"ftag", 32, "int"},       {"fiseg", 32, "int"},
    {"fioff", 32, "int"},      {"foseg", 32, "int"},         {"fooff", 32, "int"},      {"fop", 32, "int"},
    {"cr0", 32, "uint32"},     {"cr2", 32, "uint32"},        {"cr3", 32, "uint32"},     {"cr4", 32, "uint32"},
    {"es_base", 32, "uint32"}, {"cs_base", 32, "uint32"},    {"ss_base", 32, "uint32"}, {"ds_base", 32, "uint32"},
    {"fs_base", 32, "uint32"}, {"gs_base", 32, "uint32"},    {"ip", 32, "uint32"},
}};

// `code16`: gdb shall take code apart as that of an 8086.
std::string target_xml(bool code16);

}  // namespace sla::gdb
