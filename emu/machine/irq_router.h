// The board's interrupt wires: every IRQ reaches the PIC and the I/O APIC; which of them the CPU receives is their business.
// A wire is high while its chip drives it or somebody outside pulses it.
#pragma once

#include "emu/bus/event_queue.h"
#include "emu/bus/irq_line.h"
#include "emu/bus/state_visitor.h"
#include "emu/device/interrupt/ioapic.h"
#include "emu/device/interrupt/pic8259_pair.h"

#include <utility>

namespace sla::machine {

class IrqRouter final : public bus::IrqController {
public:
    IrqRouter(device::Pic8259Pair& pic, device::Ioapic& ioapic) : pic_(pic), ioapic_(ioapic) {}

    void set_irq(unsigned line, bool high) override { put(driven_, line, high); }
    void pulse(unsigned line, bool high) { put(pulsed_, line, high); }
    [[nodiscard]] bus::IrqLines pulsed() const { return pulsed_; }

    // What drives the wires; their ends keep their own levels.
    void visit_state(bus::StateVisitor& state) {
        for (auto [name, lines] : {std::pair("pulsed_lines", &pulsed_), std::pair("driven_lines", &driven_)}) {
            bus::IrqLines value = *lines;
            state.field(name, value, bus::kAnyLine);
            if ((value & bus::irq_line_bit(device::Pic8259Pair::kCascade)) != 0) {
                state.refuse(name, "has the second controller's line");
            } else {
                *lines = value;
            }
        }
    }

private:
    void put(bus::IrqLines& lines, unsigned line, bool high) {
        const bus::IrqLines bit = bus::irq_line_bit(line);
        lines = high ? lines | bit : lines & ~bit;
        const bool level = ((driven_ | pulsed_) & bit) != 0;
        pic_.set_irq(line, level);
        ioapic_.set_irq(line, level);
    }

    device::Pic8259Pair& pic_;
    device::Ioapic& ioapic_;
    bus::IrqLines driven_ = 0;  // by chips
    bus::IrqLines pulsed_ = 0;
};

}  // namespace sla::machine
