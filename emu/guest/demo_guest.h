// The demonstration guest as a firmware image.
#pragma once

#include <cstdint>
#include <vector>

namespace sla::guest {

// Ends after that many timer ticks (1000.15 a second) and prints its counts on the debug port; 0: runs for ever.
std::vector<std::uint8_t> demo_guest(std::uint32_t ticks);

}  // namespace sla::guest
