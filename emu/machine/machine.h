// The emulated PC without its CPU: memory, ports, chips and what they wait for.
//
// Knows no CPU and no channel; emu/vmm runs a CPU on it. Everything happens on one thread, the machine's.
#pragma once

#include "emu/bus/clock.h"
#include "emu/bus/event_queue.h"
#include "emu/bus/memory.h"
#include "emu/bus/mmio_table.h"
#include "emu/bus/port_table.h"
#include "emu/device/debug_port.h"
#include "emu/device/exit_port.h"
#include "emu/device/pic8259_pair.h"
#include "emu/device/pit8254.h"
#include "emu/device/post_port.h"
#include "emu/device/system_control.h"

namespace sla::machine {

class Machine {
public:
    static constexpr std::size_t kDefaultRamBytes = std::size_t{16} << 20;

    explicit Machine(bus::Clock& clock, std::size_t ram_bytes = kDefaultRamBytes);

    [[nodiscard]] bus::Clock& clock() { return clock_; }
    [[nodiscard]] bus::EventQueue& events() { return events_; }
    [[nodiscard]] bus::Memory& memory() { return memory_; }
    [[nodiscard]] bus::PortTable& ports() { return ports_; }
    [[nodiscard]] bus::MmioTable& mmio() { return mmio_; }

    // The CPU's INTR pin, and its answer to it: the vector to run.
    [[nodiscard]] bool interrupt() const { return pic_.interrupt(); }
    std::uint8_t acknowledge() { return pic_.acknowledge(); }

    [[nodiscard]] device::Pic8259Pair& pic() { return pic_; }
    [[nodiscard]] device::Pit8254& pit() { return pit_; }
    [[nodiscard]] device::DebugPort& debug_port() { return debug_port_; }
    [[nodiscard]] device::ExitPort& exit_port() { return exit_port_; }
    [[nodiscard]] device::PostPort& post_port() { return post_port_; }

private:
    bus::Clock& clock_;
    bus::EventQueue events_;
    bus::Memory memory_;
    bus::PortTable ports_;
    bus::MmioTable mmio_;
    device::Pic8259Pair pic_;
    device::Pit8254 pit_;
    device::SystemControl system_control_;
    device::PostPort post_port_;
    device::DebugPort debug_port_;
    device::ExitPort exit_port_;
};

}  // namespace sla::machine
