// Bytes of code by where they lie when they run: of program files (ELF), of raw files, or as they are read from a guest.
#pragma once

#include "proto/base/result.h"
#include "proto/common/symbols/file_at.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace sla::symbol {

class CodeImage {
public:
    // "FILE" or "FILE@BASE": of an ELF program the code that is loaded, BASE added to its own addresses; of any other file all its
    // bytes from BASE on, which is needed then.
    Result<void> add_file(const std::string& typed);
    // The code of a program, `base` added to its own addresses; of a file that is none: nothing.
    Result<void> add_elf(const FileAt& file);
    Result<void> add_elf(const ElfFile& file, std::uint64_t base);
    void add(std::uint64_t address, std::vector<std::uint8_t> bytes);

    // From that address on, as far as it is known without a hole between; empty: nothing is known there.
    [[nodiscard]] std::span<const std::uint8_t> from(std::uint64_t address) const;
    [[nodiscard]] bool empty() const { return parts_.empty(); }
    // Some ELF file was of 64 bits.
    [[nodiscard]] bool is_64() const { return is_64_; }
    // Every ELF file runs where it says, not where the system puts it.
    [[nodiscard]] bool is_fixed() const { return is_fixed_; }

private:
    std::map<std::uint64_t, std::vector<std::uint8_t>> parts_;  // by where they begin; later ones hide nothing
    bool is_64_ = false;
    bool is_fixed_ = true;
};

}  // namespace sla::symbol
