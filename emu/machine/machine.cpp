#include "emu/machine/machine.h"

namespace sla::machine {

Machine::Machine(bus::Clock& clock, std::size_t ram_bytes)
    : clock_(clock), events_(clock), memory_(ram_bytes), pit_(events_, bus::IrqLine(pic_, 0)), system_control_(pit_) {
    using device::DebugPort;
    using device::Pic8259Pair;
    using device::Pit8254;
    using device::SystemControl;
    ports_.claim(pic_, Pic8259Pair::kMasterPort, Pic8259Pair::kMasterPort + 1);
    ports_.claim(pic_, Pic8259Pair::kSlavePort, Pic8259Pair::kSlavePort + 1);
    ports_.claim(pit_, Pit8254::kFirstPort, Pit8254::kControlPort);
    ports_.claim(system_control_, SystemControl::kPortB, SystemControl::kPortB);
    ports_.claim(system_control_, SystemControl::kPortA, SystemControl::kPortA);
    ports_.claim(post_port_, device::PostPort::kPort, device::PostPort::kPort);
    ports_.claim(debug_port_, DebugPort::kPort, DebugPort::kPort);
    ports_.claim(debug_port_, DebugPort::kBochsPort, DebugPort::kBochsPort);
    ports_.claim(exit_port_, device::ExitPort::kPort, device::ExitPort::kPort);
}

}  // namespace sla::machine
