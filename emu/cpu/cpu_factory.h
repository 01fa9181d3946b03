// CPUs by the names people type.
#pragma once

#include "emu/bus/memory.h"
#include "emu/bus/mmio_table.h"
#include "emu/cpu/cpu.h"

#include <memory>

namespace sla::cpu {

// The CPU tests itself first; an error says what is wrong with it. Memory, windows and client must outlive it.
Result<std::unique_ptr<Cpu>> make_cpu(std::string_view name, bus::Memory& memory, const bus::MmioTable& windows,
                                      CpuClient& client);

}  // namespace sla::cpu
