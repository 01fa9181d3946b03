// The CPU on Linux's KVM: the host's own processor runs the guest, and stops for ports, chips in memory, model-specific
// registers, HLT and interrupts. It enters handlers by itself, so INT n and exceptions are not seen; nor are writes to
// CR0, which show at the next stop. It counts no code: it runs by real time only, ended by a timer.
//
// Invariant: while the client is asked about an access, the kernel has still to finish it; nothing but answers may be
// written then. run() returns with every access finished.
#pragma once

#include "emu/bus/memory.h"
#include "emu/bus/mmio_table.h"
#include "emu/cpu/cpu.h"
#include "emu/cpu/cpu_names.h"
#include "emu/cpu/kvm/access_address.h"
#include "emu/cpu/kvm/kvm_machine.h"
#include "emu/cpu/x86_state.h"

#include <memory>
#include <optional>

namespace sla::cpu {

class KvmCpu final : public Cpu {
public:
    static Result<std::unique_ptr<Cpu>> make(bus::Memory& memory, const bus::MmioTable& windows, CpuClient& client);

    [[nodiscard]] std::string_view name() const override { return kKvm; }
    [[nodiscard]] std::string limits() const override;
    [[nodiscard]] std::string doubts() const override;
    [[nodiscard]] bool enters_handlers() const override { return true; }
    [[nodiscard]] bool keeps_time() const override { return true; }
    Result<void> reset() override;
    Exit run() override;
    void set_budget(std::uint64_t nanoseconds) override;
    std::uint64_t take_executed() override { return 0; }
    void set_a20(bool on) override;
    void want_interrupt_window(bool wanted) override;
    [[nodiscard]] bool can_inject() const override;
    // The kernel holds one back until the processor takes it.
    [[nodiscard]] bool can_inject_nmi() const override;
    std::optional<Fault> inject(const Interrupt& interrupt) override;
    void set_traps(const Traps& traps) override { traps_ = traps; }
    void set_stop_points(StopPoints* points) override;
    [[nodiscard]] Registers registers() const override;
    [[nodiscard]] X86State full_state() const override { return state(); }
    void set_state(const X86State& state) override;
    [[nodiscard]] std::string unsaved() const override {
        return "keeps part of its state in the kernel (floating point, interrupts under way) and runs by real time: what "
               "went on from a "
               "snapshot would be another run";
    }
    void visit_state(bus::StateVisitor& visitor) override {
        X86State now = state();
        if (visitor.shows()) now.visit_state(visitor);
    }
    bool write_byte(std::uint32_t linear, std::uint8_t value) override;
    [[nodiscard]] std::optional<std::uint8_t> read_byte(std::uint32_t linear) const override;
    [[nodiscard]] CodeAddress address() const override;
    [[nodiscard]] CodeAddress running_address() override;

private:
    KvmCpu(KvmMachine kvm, const KvmAbilities& abilities, bus::Memory& memory, CpuClient& client);
    Result<void> map_memory(const bus::MmioTable& windows);
    Result<void> identify();

    std::optional<Exit> run_once();
    std::optional<Exit> serve(const sla_kvm_exit& exit);
    void serve_port(const sla_kvm_exit& exit);
    void serve_memory(const sla_kvm_exit& exit);
    void serve_msr(const sla_kvm_exit& exit);
    std::optional<Exit> look_at_time();
    Exit halt() const;
    Exit shut_down() const;
    [[nodiscard]] bool switches_paging_on() const;
    std::optional<Exit> give_up_or_fault();
    std::optional<Exit> wait_for_floating_point(std::uint32_t bytes);
    Exit fail(std::string what) const;
    void arm();
    // With stop points every instruction is a step of the processor (kvm_steps.cpp).
    std::optional<Exit> stop_or_step();
    void look_behind_run(const sla_kvm_exit& exit);
    void look_at_mode();
    std::optional<Exit> open_window();
    [[nodiscard]] Exit window() const;
    [[nodiscard]] bool window_is_open() const;
    void end_shadow();
    std::optional<Fault> enter_handler(const Interrupt& interrupt);
    [[nodiscard]] bool in_shadow() const;
    [[nodiscard]] bool holds_interrupt() const;
    [[nodiscard]] const X86State& state() const;

    KvmMachine kvm_;
    KvmAbilities abilities_;
    std::uint64_t shortest_run_;     // nanoseconds
    std::uint64_t window_poll_ = 0;  // likewise; longer the longer the window stays closed
    bus::Memory& memory_;
    CpuClient& client_;
    PhysicalWrite write_;
    Traps traps_;
    StopPoints* points_ = nullptr;
    bool access_open_ = false;              // the kernel has still to finish it
    std::optional<std::uint32_t> let_run_;  // the instruction there was asked about and shall run

    sla_kvm_state at_power_on_{};
    std::optional<unsigned> second_megabyte_;  // its slot
    std::uint32_t a20_ = kA20On;
    std::uint64_t budget_ = 0;               // nanoseconds
    bool armed_ = false;                     // the timer ends the budget
    std::optional<PortAccess> port_access_;  // being served
    std::optional<MemoryAccess> memory_access_;
    mutable std::optional<X86State> state_;  // read once an exit
    std::uint32_t mode_ = 0;
    bool window_wanted_ = false;
    mutable bool is_given_ = false;            // an interrupt, and it was not seen yet that the guest has it
    std::optional<std::uint32_t> stepped_at_;  // EIP behind the last step
    bool shadow_ = false;                      // the instruction to come runs before any interrupt; one step is on its way
};

}  // namespace sla::cpu
