// Which processor the guest finds: a Pentium with MMX (P55C) at 200 MHz, family 5, model 4. No local APIC unless the machine
// has one.
#pragma once

#include "emu/bus/clock.h"
#include "emu/cpu/cpu.h"

#include <cstdint>

namespace sla::pmc {

inline constexpr std::uint32_t kTscMsr = 0x10;
inline constexpr std::uint64_t kMegahertz = 200;

// Clocks of the processor since power-on.
constexpr std::uint64_t ticks_at(bus::Nanoseconds now) {
    return static_cast<std::uint64_t>(now) * kMegahertz / 1000;
}

// Without the features (bits of EDX in leaf 1) that the CPU does not have.
cpu::CpuidAnswer cpuid(std::uint32_t leaf, std::uint32_t missing = 0);

}  // namespace sla::pmc
