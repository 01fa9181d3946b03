// The assembled guests, as the build puts them into the program.
#pragma once

#include <array>
#include <cstdint>

namespace sla::guest {

extern const std::array<std::uint8_t, 4096> kDemoImage;       // demo.asm
extern const std::array<std::uint8_t, 4096> kMultibootImage;  // multiboot.asm
extern const std::array<std::uint8_t, 4096> kComImage;        // com.asm

}  // namespace sla::guest
