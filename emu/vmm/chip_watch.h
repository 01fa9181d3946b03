// Reports to the tap what chips do by themselves: interrupt lines and their service, DMA, timers. The CPU is told of memory
// that they write.
#pragma once

#include "emu/cpu/cpu.h"
#include "emu/machine/machine.h"
#include "emu/tap/tap.h"
#include "emu/tap/vmm_tap.h"

#include <memory>

namespace sla::vmm {

class ChipWatch final : private device::PicObserver,
                        private device::LapicObserver,
                        private device::DmaObserver,
                        private bus::EventQueueObserver {
public:
    // The CPU, once there is one, says where an interrupt came.
    ChipWatch(machine::Machine& machine, tap::Tap& tap, tap::VmmTap& vmm_tap, const std::unique_ptr<cpu::Cpu>& cpu);
    ~ChipWatch() override;
    ChipWatch(const ChipWatch&) = delete;
    ChipWatch& operator=(const ChipWatch&) = delete;

private:
    void irq_line(unsigned irq, bool high) override { tap_.irq_line(irq, high); }
    void irq_service_begins(unsigned irq, std::uint8_t vector) override {
        tap_.irq_service_begins(irq, vector, cpu_->address());
    }
    void irq_service_ends(unsigned irq) override {
        tap_.irq_service_ends(irq);
        vmm_tap_.ended(irq, {});
    }
    void irq_spurious(unsigned irq) override { tap_.irq_spurious(irq); }
    void apic_service_begins(std::uint8_t vector) override { tap_.apic_service_begins(vector, cpu_->address()); }
    void apic_service_ends(std::uint8_t vector) override { tap_.apic_service_ends(vector); }
    void dma_moved(const device::DmaTransfer& moved) override {
        if (moved.written_bytes > 0) cpu_->memory_changed(moved.written_from, moved.written_bytes);
        tap_.dma(moved.channel, moved.address, moved.bytes, moved.to_memory);
    }
    void timer_set(bus::Nanoseconds due) override { vmm_tap_.timer_set(due - machine_.clock().now()); }
    void timer_fires(bus::Nanoseconds due) override { vmm_tap_.timer_fired(machine_.clock().now() - due); }

    machine::Machine& machine_;
    tap::Tap& tap_;
    tap::VmmTap& vmm_tap_;
    const std::unique_ptr<cpu::Cpu>& cpu_;
};

}  // namespace sla::vmm
