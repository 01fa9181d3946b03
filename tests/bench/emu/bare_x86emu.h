// libx86emu by itself, without a machine around it, as a measure for the CPU that is made of it.
#pragma once

#include <cstdint>
#include <span>

namespace sla::bench {

// Runs a firmware image of 4 KB up to its HLT. False: built without the library, or the image did not come that far.
bool run_on_bare_x86emu(std::span<const std::uint8_t> image);

}  // namespace sla::bench
