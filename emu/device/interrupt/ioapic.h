// The I/O APIC (Intel 82093AA, data sheet 290566), 24 inputs at FEC00000h: each input has a redirection entry that says
// which vector goes to which local APIC. IOREGSEL at +0, IOWIN at +10h.
//
// ISA IRQ 0 is wired to input 2, where the board needs input 0 for the PIC. Owned by the machine's thread.
#pragma once

#include "emu/bus/mmio_device.h"
#include "emu/bus/state_visitor.h"
#include "emu/device/interrupt/lapic.h"

#include <array>
#include <cstdint>

namespace sla::device {

class Ioapic final : public bus::MmioDevice {
public:
    static constexpr std::uint32_t kBase = 0xFEC00000;
    static constexpr std::uint32_t kBytes = 4096;
    static constexpr unsigned kInputs = 24;

    explicit Ioapic(Lapic& lapic);

    void set_irq(unsigned isa_irq, bool high);
    void reset();
    // A request of that line would reach the CPU, as an interrupt or, if these are off, as an NMI.
    [[nodiscard]] bool admits(unsigned isa_irq, bool interrupts_on) const;

    [[nodiscard]] std::string_view mmio_name() const override { return "ioapic"; }
    std::uint32_t read_mmio(std::uint32_t address, bus::Width width) override;
    void write_mmio(std::uint32_t address, bus::Width width, std::uint32_t value) override;

    void visit_state(bus::StateVisitor& state);

private:
    [[nodiscard]] std::uint32_t read_register() const;
    void write_register(std::uint32_t value);
    // The input has risen, or has to be looked at again because it is high.
    void offer(unsigned input);
    void ended(std::uint8_t vector);

    Lapic& lapic_;
    std::array<std::uint64_t, kInputs> redirection_{};
    std::array<bool, kInputs> high_{};
    std::uint8_t select_ = 0;
    std::uint32_t id_ = 0;
};

}  // namespace sla::device
