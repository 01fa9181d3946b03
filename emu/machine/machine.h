// The emulated PC without its CPU: memory, ports, chips and what they wait for.
//
// Knows no CPU and no channel; emu/vmm runs a CPU on it. Everything happens on one thread, the machine's.
#pragma once

#include "emu/bus/clock.h"
#include "emu/bus/event_queue.h"
#include "emu/bus/memory.h"
#include "emu/bus/mmio_table.h"
#include "emu/bus/port_table.h"
#include "emu/bus/state_visitor.h"
#include "emu/device/board/a20_gate.h"
#include "emu/device/board/fw_cfg.h"
#include "emu/device/board/i440fx.h"
#include "emu/device/board/pci_host.h"
#include "emu/device/board/piix4_pm.h"
#include "emu/device/board/system_control.h"
#include "emu/device/guest_ports.h"
#include "emu/device/input/i8042.h"
#include "emu/device/interrupt/ioapic.h"
#include "emu/device/interrupt/lapic.h"
#include "emu/device/interrupt/pic8259_pair.h"
#include "emu/device/storage/ata_channel.h"
#include "emu/device/storage/dma_pair.h"
#include "emu/device/storage/fdc82077.h"
#include "emu/device/test_device.h"
#include "emu/device/timer/pit8254.h"
#include "emu/device/timer/rtc_mc146818.h"
#include "emu/device/uart16550.h"
#include "emu/device/vga.h"
#include "emu/machine/irq_router.h"

#include <optional>

namespace sla::machine {

class Machine {
public:
    static constexpr std::uint64_t kApicBaseAtReset = device::Lapic::kBase | 0x900;  // on; this is the first processor
    static constexpr std::size_t kDefaultRamBytes = std::size_t{16} << 20;
    static constexpr std::int64_t kYear2000 = 946'684'800;

    // `power_on`: what the PC's clock shows at the beginning, in seconds since 1970.
    explicit Machine(bus::Clock& clock, std::size_t ram_bytes = kDefaultRamBytes, std::int64_t power_on = kYear2000);
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    [[nodiscard]] bus::Clock& clock() { return clock_; }
    [[nodiscard]] bus::EventQueue& events() { return events_; }
    [[nodiscard]] bus::Memory& memory() { return memory_; }
    [[nodiscard]] bus::PortTable& ports() { return ports_; }
    [[nodiscard]] bus::MmioTable& mmio() { return mmio_; }

    // The CPU's INTR pin, and its answer to it: the vector to run.
    [[nodiscard]] bool interrupt() const { return lapic_.interrupt() || (pic_.interrupt() && lapic_.lets_pic_through()); }
    std::uint8_t acknowledge() { return lapic_.interrupt() ? lapic_.acknowledge() : pic_.acknowledge(); }
    // The CPU's NMI pin rose and was not taken yet.
    [[nodiscard]] bool nmi() const { return lapic_.nmi(); }
    bool take_nmi() { return lapic_.take_nmi(); }

    // MSR 1Bh, as a P6 has it: where the local APIC is and whether it is on. It stands nowhere while it is off, or where
    // memory is. False: a reserved bit is set.
    [[nodiscard]] std::uint64_t apic_base() const { return apic_base_; }
    bool set_apic_base(std::uint64_t value);

    // Some armed timer can end a halt: what it raises is let through by masks and priorities, with the CPU's interrupts on
    // or off. Nobody else can.
    [[nodiscard]] bool can_wake(bool interrupts_on) const;

    // For people outside: a pulse on a line, of a millisecond and until the CPU has taken it where it is let through, and the
    // processor's reset line.
    void pulse_irq(unsigned irq);
    void pull_reset() { pulled_ = {Line::kResetCpu, Puller::kOperator}; }

    // Another PC of the same kind, at other moments: what varies in real ones varies here, within their bounds (README). At
    // time 0, once; 0: nothing does.
    void vary(std::uint64_t seed);

    // QEMU's test device; once, before a CPU is plugged in.
    void add_test_device();

    // Media; the disks must outlive the machine. A floppy's size must be one that floppies have (checked).
    void attach_disk(unsigned unit, device::Disk& disk) { ata_.attach(unit, disk); }
    void insert_floppy(unsigned unit, device::Disk& disk);

    // What the guest did to the machine's reset and power lines.
    enum class Line { kNone, kResetCpu, kResetBoard, kOff };
    // Which chip, or who. Numbers are those of snapshots; kUnknown: an older one does not say.
    enum class Puller { kUnknown, kPort92, kKeyboard, kPortCf9, kPower, kOperator };
    struct Pulled {
        Line line = Line::kNone;
        Puller by = Puller::kUnknown;
        [[nodiscard]] std::string_view by_words() const;
    };
    [[nodiscard]] const Pulled& pulled() const { return pulled_; }
    // Nothing of the guest shall run any more: it pulled a line, or port F4h has its exit code.
    [[nodiscard]] bool over() const { return pulled_.line != Line::kNone || exit_port_.exit_code().has_value(); }
    // Lets the line go. Memory, the clock's and chips without a reset input (interrupt controllers, timer) keep what they
    // have; of the others those whose reset it was are as at power-on. The CPU is not the machine's to reset.
    void reset();

    [[nodiscard]] device::A20Gate& a20() { return a20_; }
    [[nodiscard]] device::Pic8259Pair& pic() { return pic_; }
    [[nodiscard]] device::Pit8254& pit() { return pit_; }
    [[nodiscard]] device::RtcMc146818& rtc() { return rtc_; }
    [[nodiscard]] device::DmaPair& dma() { return dma_; }
    [[nodiscard]] device::I8042& keyboard() { return keyboard_; }
    [[nodiscard]] device::Uart16550& serial(unsigned number) { return number == 0 ? com1_ : com2_; }
    [[nodiscard]] device::Lapic& lapic() { return lapic_; }
    [[nodiscard]] device::FwCfg& fw_cfg() { return fw_cfg_; }
    [[nodiscard]] device::Vga& vga() { return vga_; }
    [[nodiscard]] device::DebugPort& debug_port() { return debug_port_; }
    [[nodiscard]] device::ExitPort& exit_port() { return exit_port_; }
    [[nodiscard]] device::PostPort& post_port() { return post_port_; }

    // Clock, memory and chips; not the disks.
    void visit_state(bus::StateVisitor& state);

private:
    void visit_board(bus::StateVisitor& state);
    void claim_ports();
    void reset_board();
    void end_pulses();

    bus::Clock& clock_;
    bus::EventQueue events_;
    bus::Memory memory_;
    bus::PortTable ports_;
    bus::MmioTable mmio_;
    Pulled pulled_;
    device::A20Gate a20_;
    device::Pic8259Pair pic_;
    device::Lapic lapic_;
    device::Ioapic ioapic_;
    IrqRouter irqs_;
    device::Pit8254 pit_;
    device::SystemControl system_control_;
    device::RtcMc146818 rtc_;
    device::DmaPair dma_;
    device::I8042 keyboard_;
    device::Uart16550 com1_;
    device::Uart16550 com2_;
    device::AtaChannel ata_;
    device::Fdc82077 floppy_;
    device::PciHost pci_;
    device::Piix4Pm power_;
    device::I440fx board_;
    device::FwCfg fw_cfg_;
    device::Vga vga_;
    device::PostPort post_port_;
    device::DebugPort debug_port_;
    device::ExitPort exit_port_;
    std::optional<device::TestDevice> test_device_;
    bus::EventQueue::TimerId pulse_end_;  // takes pulsed lines down
    std::uint64_t apic_base_ = kApicBaseAtReset;
};

}  // namespace sla::machine
