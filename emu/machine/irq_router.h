// The board's interrupt wires: every IRQ reaches the PIC and the I/O APIC; which of them the CPU receives is their business.
#pragma once

#include "emu/bus/irq_line.h"
#include "emu/device/interrupt/ioapic.h"
#include "emu/device/interrupt/pic8259_pair.h"

namespace sla::machine {

class IrqRouter final : public bus::IrqController {
public:
    IrqRouter(device::Pic8259Pair& pic, device::Ioapic& ioapic) : pic_(pic), ioapic_(ioapic) {}

    void set_irq(unsigned line, bool high) override {
        pic_.set_irq(line, high);
        ioapic_.set_irq(line, high);
    }

private:
    device::Pic8259Pair& pic_;
    device::Ioapic& ioapic_;
};

}  // namespace sla::machine
