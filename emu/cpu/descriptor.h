// Segment descriptors as the processor finds them by selector, in the global or the local table.
#pragma once

#include "emu/cpu/linear_memory.h"
#include "emu/cpu/x86_state.h"

#include <cstdint>
#include <optional>

namespace sla::cpu {

inline constexpr std::uint16_t kNotRing = 0xFFFC;  // a selector without its ring, as error codes have it
inline constexpr std::uint16_t kLocalTable = 0x4;  // the bit of a selector

// Nothing when the selector lies outside its table or the table's page is missing.
std::optional<Segment> read_descriptor(std::uint16_t selector, const X86State& state, LinearMemory& memory);

}  // namespace sla::cpu
