// What a program file offers to hook: its functions by name, and its USDT probes, each with its place in the file.
//
// Files come from outside; libelf reads them, and every number it gives is checked against the file before use.
#pragma once

#include "proto/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sla::linux {

struct Function {
    std::string name;  // as in the symbol table
    std::uint64_t address = 0;
    std::uint64_t size = 0;
    std::uint64_t file_offset = 0;
};

struct Variable {
    std::string name;
    std::uint64_t address = 0;
    std::uint64_t size = 0;
};

// A part of the file that lies in a process's memory.
struct LoadedPart {
    std::uint64_t address = 0;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
};

struct UsdtProbe {
    std::string provider;
    std::string name;
    std::string arguments;  // as the note has them: "-4@%ecx 8@-8(%rbp)"
    std::uint64_t address = 0;
    std::uint64_t base = 0;
    std::uint64_t semaphore = 0;  // address; 0: none
    std::uint64_t file_offset = 0;
    std::uint64_t semaphore_offset = 0;
};

struct ProgramFile {
    std::string path;                 // absolute
    std::vector<Function> functions;  // by address
    std::vector<Variable> variables;  // by name
    std::vector<UsdtProbe> probes;
    std::vector<LoadedPart> parts;
    bool stripped = false;                                      // no symbol table: only what it exports is known
    std::vector<std::pair<std::uint64_t, std::uint64_t>> code;  // executable parts of the file: [begin, end)

    // By symbol, or by its readable C++ name with or without arguments.
    [[nodiscard]] const Function* find_function(std::string_view name) const;
    [[nodiscard]] const Variable* find_variable(std::string_view name) const;
    // The function whose code holds this address.
    [[nodiscard]] const Function* function_at(std::uint64_t address) const;
    [[nodiscard]] bool is_code(std::uint64_t file_offset) const;
};

Result<ProgramFile> read_program_file(const std::string& path);
// The same of a path that the kernel alone can follow: below /proc/PID/root, where another mount namespace begins.
Result<ProgramFile> read_program_below(const std::string& path);

// The contents of one .note.stapsdt note; nothing when it is not one.
std::optional<UsdtProbe> parse_usdt_note(std::span<const std::byte> description);

}  // namespace sla::linux
