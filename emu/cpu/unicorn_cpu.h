// The CPU on Unicorn 2. The README of this room says which of its ways are forced by the library.
//
// Invariant: between runs EIP, flags and memory are exact. Inside hooks only what a hook says it reads is.
#pragma once

#include "emu/bus/memory.h"
#include "emu/cpu/cpu.h"
#include "emu/cpu/io_finder.h"
#include "emu/cpu/unicorn_engine.h"
#include "emu/cpu/unicorn_exception.h"

#include <memory>
#include <optional>

namespace sla::cpu {

class UnicornCpu final : public Cpu {
public:
    static Result<std::unique_ptr<Cpu>> make(bus::Memory& memory, CpuClient& client);

    [[nodiscard]] std::string_view name() const override { return "unicorn"; }
    Result<void> reset() override;
    Stop run() override;
    void set_allowance(std::uint64_t code_bytes) override;
    std::uint64_t take_executed() override;
    void want_interrupt_window(bool wanted) override { window_wanted_ = wanted; }
    [[nodiscard]] bool can_inject() const override;
    Injected inject(std::uint8_t vector) override;
    [[nodiscard]] Registers registers() const override;
    [[nodiscard]] CodeAddress address() const override;
    [[nodiscard]] CodeAddress port_address() const override;

private:
    friend struct UnicornHooks;  // the library's callbacks

    struct Block {
        std::uint32_t start = 0;  // linear
        std::uint32_t size = 0;
    };
    struct BadAccess {
        std::uint64_t address = 0;
        uc_mem_type type = UC_MEM_READ_UNMAPPED;
    };

    UnicornCpu(UnicornEngine engine, const ExceptionLayout& layout, bus::Memory& memory, CpuClient& client);
    Result<void> map_memory();
    Result<void> add_hooks();

    void enter_block(std::uint32_t start, std::uint32_t size);
    [[nodiscard]] bool in_shadow(const Block& next) const;
    [[nodiscard]] bool interrupts_on() const;
    [[nodiscard]] std::uint32_t code_base() const;
    Stop describe_interrupt();
    Stop give_up(const std::string& signal);
    Stop describe_failure(uc_err error) const;

    UnicornEngine engine_;
    ExceptionContext exceptions_;
    bus::Memory& memory_;
    CpuClient& client_;

    std::uint64_t executed_ = 0;   // since take_executed
    std::uint64_t allowance_ = 0;  // what is left of it
    bool window_wanted_ = false;
    bool shadow_ = false;  // the next instruction runs before any interrupt
    Block block_;          // entered last
    PortAccess access_;    // made last

    // Why the present run stops; cleared at its start.
    std::optional<std::uint32_t> stop_at_;  // linear address of the block before which it stops
    StopReason asked_ = StopReason::kAllowance;
    std::optional<std::uint32_t> taken_vector_;
    std::uint32_t taken_eip_ = 0;
    bool invalid_instruction_ = false;
    std::optional<BadAccess> bad_access_;
};

}  // namespace sla::cpu
