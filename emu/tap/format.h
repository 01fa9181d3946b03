// The formatters that the tap's channels name (proto/wire/formatter.h), and how a detail word is packed for them.
#pragma once

#include "emu/bus/code_address.h"

#include <cstdint>

namespace sla::tap {

inline constexpr const char* kNoFormat = "";
inline constexpr const char* kAddressFormat = "x86.addr";

// Selector and offset in one word; 0 means unknown.
inline std::uint64_t pack(const bus::CodeAddress& at) {
    return at.known ? std::uint64_t{at.selector} << 32 | at.offset : 0;
}

}  // namespace sla::tap
