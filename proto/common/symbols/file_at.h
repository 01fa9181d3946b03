// "FILE" or "FILE@BASE" as people type it: a file, and what is added to its addresses.
#pragma once

#include "proto/base/result.h"
#include "proto/common/symbols/elf_file.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sla::symbol {

struct FileAt {
    std::string path;
    std::optional<std::uint32_t> base;  // hexadecimal, 0xf0000
    std::optional<ElfFile> elf;         // of a program
    std::string content;                // of any other file: all of it
};

// `option` and `what` are for errors: "--symbols", "symbols".
Result<FileAt> read_file_at(const std::string& typed, std::string_view option, std::string_view what);

// "f000" or "0xf000"; nothing: it is no such number.
std::optional<std::uint64_t> hexadecimal(std::string_view word);

}  // namespace sla::symbol
