// What an engine has for physical memory: the PC's memory, windows that the client answers, address line 20, and a block of
// the library's own. And the guest's memory as the processor's tables show it.
#pragma once

#include "emu/bus/memory.h"
#include "emu/bus/mmio_table.h"
#include "emu/cpu/linear_memory.h"
#include "emu/cpu/unicorn/unicorn_context.h"
#include "emu/cpu/unicorn/unicorn_engine.h"
#include "emu/cpu/x86_state.h"

#include <memory>
#include <span>
#include <vector>

namespace sla::cpu {

class UnicornCpu;

class UnicornMemory {
public:
    // The library looks into this block for the model-specific registers it shall intercept: all. Above 4 GB, where no guest
    // gets.
    static constexpr std::uint64_t kControlBlock = std::uint64_t{1} << 32;

    struct Window {  // physical addresses that the client answers
        UnicornCpu* cpu = nullptr;
        std::uint32_t base = 0;
    };

    // The engine and its context are the CPU's present ones, which change.
    UnicornMemory(UnicornEngine& engine, UnicornContext& context, const bus::Memory& memory, const bus::MmioTable& chips)
        : engine_(engine),
          context_(context),
          memory_(memory),
          chips_(chips),
          write_([this](std::uint32_t address, std::span<const std::uint8_t> bytes) {
              engine_.write_memory(address, bytes);
          }) {}
    UnicornMemory(const UnicornMemory&) = delete;
    UnicornMemory& operator=(const UnicornMemory&) = delete;

    // Of an engine that has no memory yet.
    Result<void> map_all(UnicornCpu& cpu);
    void want_a20(bool on) { a20_ = on; }
    [[nodiscard]] bool a20_changes() const { return a20_ != a20_mapped_; }
    Result<void> switch_a20();
    [[nodiscard]] std::uint32_t a20_mask() const { return a20_mask_; }
    // A write to CR3 from outside leaves the library's knowledge of pages as it is; memory that changes its protection does
    // not. Some milliseconds, for the rare task with page tables of its own.
    void forget_pages();
    // What was translated of code there, which a chip has written over. Paging is off.
    void forget_code(std::uint32_t physical, std::size_t bytes);

    [[nodiscard]] const bus::Memory& physical() const { return memory_; }
    [[nodiscard]] const PhysicalWrite& write() const { return write_; }
    // The processor as it is now, with what it sees of memory.
    [[nodiscard]] X86State state() const;

private:
    Result<void> map_control_block();

    UnicornEngine& engine_;
    UnicornContext& context_;  // a buffer: reading the state changes it
    const bus::Memory& memory_;
    const bus::MmioTable& chips_;
    PhysicalWrite write_;
    std::vector<std::unique_ptr<Window>> windows_;  // the library keeps their addresses
    bool a20_ = true;                               // wanted
    bool a20_mapped_ = true;                        // as the engine has it
    std::uint32_t a20_mask_ = kA20On;               // likewise
};

}  // namespace sla::cpu
