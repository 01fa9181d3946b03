// Numbers and addresses as people of this field write them.
#pragma once

#include "emu/bus/port_device.h"
#include "proto/base/result.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sla::control {

// 11h, 0x11 or 17, up to `most`.
Result<std::uint64_t> parse_number(const std::string& text, std::uint64_t most);

struct TypedAddress {
    std::optional<std::uint16_t> selector;
    std::uint32_t offset = 0;
};
// f000:e05b, always hexadecimal, or a linear address as a number.
Result<TypedAddress> parse_address(const std::string& text);

// How `x` shows memory, as gdb writes it: /16xb is a count, a format (x d u o t c s i) and a size (b h w), each of which may be left out.
struct ExamineFormat {
    std::uint32_t count = 1;
    char format = 'x';
    unsigned bytes = 4;
};
Result<ExamineFormat> parse_examine(const std::string& text);

// An assignment: = |= &=, of `value` to `before`.
Result<std::uint64_t> assigned(const std::string& sign, std::uint64_t before, std::uint64_t value);

// EFLAGS written from outside: bit 1 is always set. Reserved bits and VM, which the guest's own instructions change with all that
// belongs to it, stay as they are, or it is an error.
Result<std::uint32_t> written_flags(std::uint32_t wanted, std::uint32_t before);

// b, w or d.
Result<bus::Width> parse_width(const std::string& text);

}  // namespace sla::control
