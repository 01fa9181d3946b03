// Loads a kernel of the Multiboot Specification, version 0.6.96, into a machine's memory: ELF32, or any format whose header
// carries its own addresses (flag bit 16).
//
// The file is untrusted: every offset and size is checked against the file and the RAM. A kernel gets its memory sizes and
// map, the command line and the loader's name; modules and video modes are not offered.
#pragma once

#include "emu/bus/memory.h"
#include "proto/base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sla::machine {

struct LoadedKernel {
    std::uint32_t entry = 0;
    std::uint32_t information = 0;  // what the kernel finds in EBX
};

// `name` is the file's, for messages.
Result<LoadedKernel> load_multiboot(bus::Memory& memory, std::span<const std::uint8_t> file, std::string_view name,
                                    std::string_view command_line);

}  // namespace sla::machine
