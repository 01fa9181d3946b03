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

// b, w or d.
Result<bus::Width> parse_width(const std::string& text);

}  // namespace sla::control
