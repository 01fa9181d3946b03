// The library's callbacks into a UnicornCpu.
#pragma once

#include "emu/cpu/physical_map.h"
#include "emu/cpu/unicorn/unicorn_cpu.h"

namespace sla::cpu {

struct UnicornHooks {
    static Result<void> add_all(UnicornCpu& cpu);
    static Result<void> map_window(uc_engine* engine, const PhysicalRange& range, UnicornMemory::Window* window);

    static void block(uc_engine*, std::uint64_t address, std::uint32_t size, void* user);
    static void translated(uc_engine*, uc_tb* now, uc_tb* before, void* user);
    static std::uint32_t in(uc_engine*, std::uint32_t port, int size, void* user);
    static void out(uc_engine*, std::uint32_t port, int size, std::uint32_t value, void* user);
    static void interrupt(uc_engine* engine, std::uint32_t vector, void* user);
    static bool invalid_instruction(uc_engine*, void* user);
    static std::uint64_t mmio_read(uc_engine*, std::uint64_t offset, unsigned size, void* user);
    static void mmio_write(uc_engine*, std::uint64_t offset, unsigned size, std::uint64_t value, void* user);
    static bool bad_access(uc_engine*, uc_mem_type type, std::uint64_t address, int size, std::int64_t value, void* user);
};

}  // namespace sla::cpu
