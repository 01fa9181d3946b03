// What answers at each physical address: memory, or the client (a chip's window, or nothing at all). Covers the whole 4 GB,
// so that a library never has to know an address that is not there.
#pragma once

#include "emu/bus/memory.h"
#include "emu/bus/mmio_table.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sla::cpu {

struct PhysicalRange {
    std::uint32_t base = 0;
    std::uint64_t bytes = 0;
    std::uint8_t* memory = nullptr;  // where memory answers
};

// In ascending order, without gaps. A window hides the memory behind it. Memory from 1 to 2 MB is a range of its own, for
// those who must put another one there while address line 20 is off.
std::vector<PhysicalRange> physical_map(const bus::Memory& memory, const bus::MmioTable& windows);

}  // namespace sla::cpu
