// The firmware image that enters a loaded Multiboot kernel.
#pragma once

#include <cstdint>
#include <vector>

namespace sla::guest {

std::vector<std::uint8_t> multiboot_guest(std::uint32_t entry, std::uint32_t information);

}  // namespace sla::guest
