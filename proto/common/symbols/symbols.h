// Names of a guest's code, from what its tools left: an ELF file, a map of NASM's ([map all F]) or GNU ld's (-Map), or lines of
// "ADDRESS NAME" or "ADDRESS TYPE NAME", as nm and .sym files have them.
//
//   f000:e05b ─► linear fe05b ─► the last symbol at or below it ─► "handle_13+0x1c"
#pragma once

#include "proto/base/result.h"
#include "proto/common/symbols/elf_file.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sla::symbol {

// Where a guest's code segment begins: in real mode at 16 times its selector; selectors of protected mode are smaller, and
// their segments are taken to begin at 0.
inline std::uint32_t segment_base(std::uint16_t selector) {
    constexpr std::uint16_t kFirstRealSegment = 0x100;
    return selector < kFirstRealSegment ? 0 : std::uint32_t{selector} << 4;
}

// "ns::f(int)" of "_ZN2ns1fEi"; the name itself when it is not C++.
std::string readable_name(const std::string& symbol);

class Symbols {
public:
    // "FILE" or "FILE@BASE": BASE (hexadecimal, 0xf0000) is added to the file's addresses, where those are offsets in a segment.
    Result<void> add_file(const std::string& typed);
    // What a file says; `base` is added.
    Result<void> add(std::string content, std::uint32_t base);

    // "handle_13+0x1c" or "handle_13"; "": none is near enough below.
    [[nodiscard]] std::string name_of(std::uint32_t linear) const;
    // Of an address as guests' places have it. A selector below 100h is one of protected mode, with a flat segment; any other
    // is real mode's.
    [[nodiscard]] std::string name_of(std::uint16_t selector, std::uint32_t offset) const;
    // The function there: without how far behind it, and a local label of NASM's (main.loop) as what it stands in.
    [[nodiscard]] std::string function_of(std::uint16_t selector, std::uint32_t offset) const;
    // Where a symbol of that name stands.
    [[nodiscard]] std::optional<std::uint32_t> address_of(std::string_view name) const;
    // From each symbol of that name, which may be a C++ name as people write it, to the next one. `cut_off`: of all names that
    // begin so.
    struct Extent {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
    };
    [[nodiscard]] std::vector<Extent> extents_of(std::string_view name, bool cut_off = false) const;
    [[nodiscard]] bool empty() const { return names_.empty(); }
    // All, by address.
    [[nodiscard]] std::vector<std::string> names() const;

private:
    Result<void> add_elf(const ElfFile& file, std::uint32_t base);
    bool add_line(std::string_view line, std::uint32_t base);

    using Names = std::map<std::uint32_t, std::string>;
    [[nodiscard]] Names::const_iterator below(std::uint32_t linear) const;

    Names names_;
};

}  // namespace sla::symbol
